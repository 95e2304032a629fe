"""Revisit the pages of a crawl and report what has changed.

The most valuable visits come first: those of relevant pages that have probably changed, judging by
earlier visits and by sitemaps. New versions are stored beside the old ones, in the folder again/.
Links to unknown URLs become candidates; 'clew resume' visits them. The settings of the crawl apply;
flags given here override them for this run only.
"""

from __future__ import annotations

import argparse
import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.table import Table

from clew.cli.flags import add_settings, chosen
from clew.cli.logs import add_log_flags
from clew.cli.terminal import counted, dump, err, number, out, percent, words

if TYPE_CHECKING:
    from clew.revisit import DuePage, Recrawl
    from clew.store import Revisit

EXAMPLES = """
  clew recrawl crawls/baltic
  clew recrawl crawls/baltic --pages 200 --every 7
  clew recrawl crawls/baltic --dry-run
"""
MAX_ROWS = 20
REPORT_EVERY_SECONDS = 5.0  # into a log or a pipe


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folder, the limits and the settings for fetching."""
    parser.usage = "clew recrawl FOLDER [--pages N] [--minutes M] [--every DAYS] [--new SHARE] [--dry-run] [...]"
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder")
    parser.add_argument("--pages", type=int, metavar="N", help="stop after this many visits (default: all due pages)")
    parser.add_argument("--minutes", type=float, metavar="M", help="stop after this time, in minutes")
    parser.add_argument(
        "--every",
        type=float,
        default=1.0,
        metavar="DAYS",
        help="a page is due if its last visit was this many days ago (default: %(default)g)",
    )
    parser.add_argument(
        "--new",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of the visits that goes to new pages, from 0 to below 1 (default: %(default)g)",
    )
    parser.add_argument(
        "--aim",
        choices=("changes", "freshness"),
        default="changes",
        help="find as many changes as possible, or keep as many pages as possible up to date (default: %(default)s)",
    )
    parser.add_argument("--dry-run", action="store_true", help="only show which pages are due, and fetch nothing")
    add_log_flags(parser)
    add_settings(parser, ("fetch",), show_defaults=False)
    add_settings(parser, ("until",), only=("min_free",), show_defaults=False)


def run(args: argparse.Namespace) -> int:
    """Revisit the pages and report the changes."""
    from clew import api

    limits = {name: getattr(args, name) for name in ("pages", "minutes", "every", "new", "aim", "dry_run")}
    with _watching(silent=args.quiet or args.json or args.dry_run) as watch:
        result = api.recrawl(args.folder, watch=watch, **limits, **chosen(args))
    if args.json:
        dump(_plan_as_json(result, args) if args.dry_run else _result_as_json(result))
    elif args.dry_run:
        _show_plan(result, args)
    else:
        if result.changed:
            out().print(_changes_table(result.changed))
        out().print(words(_summary(result, args.every)))
    return 0


@contextmanager
def _watching(silent: bool) -> Iterator[Callable[[Revisit], None] | None]:
    """Yield a function that counts the visits and shows the counts, in a terminal or in a log."""
    if silent:
        yield None
        return
    console = err()
    status = console.status("revisiting pages")
    visited = 0
    changed = 0
    due = time.monotonic() + REPORT_EVERY_SECONDS

    def watch(visit: Revisit) -> None:
        nonlocal visited, changed, due
        visited += 1
        changed += visit.changed is True
        text = f"{counted(visited, 'page')} revisited, {changed:,} changed"
        if console.is_terminal:
            status.update(text)
        elif time.monotonic() >= due:
            console.print(text, markup=False)
            due = time.monotonic() + REPORT_EVERY_SECONDS

    with status:
        yield watch


def _intervals(plan: list[DuePage], args: argparse.Namespace) -> list[float]:
    """Return the best number of days between two visits to each page, given as many visits as are asked for here."""
    from clew.revisit import plan as best_intervals

    return best_intervals(plan, (args.pages or len(plan)) / max(args.every, 1.0))


def _plan_as_json(result: Recrawl, args: argparse.Namespace) -> list[dict[str, Any]]:
    fields = ("url", "value", "relevance", "rate", "days", "chance", "hinted")
    entries = []
    for due, days in zip(result.plan, _intervals(result.plan, args), strict=True):
        entries.append({name: getattr(due, name) for name in fields} | {"best_every": days})
    return entries


def _result_as_json(result: Recrawl) -> dict[str, Any]:
    return {
        "folder": result.folder,
        "visited": len(result.visits),
        "changed": len(result.changed),
        "unchanged": sum(visit.changed is False for visit in result.visits),
        "untold": sum(visit.changed is None for visit in result.visits),
        "links": result.links,
        "reason": result.reason,
        "visits": result.visits,
        "news": result.news,
    }


def _show_plan(result: Recrawl, args: argparse.Namespace) -> None:
    console = out()
    console.print(_plan_table(result.plan, _intervals(result.plan, args)))
    if any(due.hinted for due in result.plan[:MAX_ROWS]):
        console.print("* a sitemap announces a change", style="dim")
    count = counted(len(result.plan), "page")
    shown = f"; the first {MAX_ROWS} are shown, --json lists all" if len(result.plan) > MAX_ROWS else ""
    console.print(f"{count} due{shown}")


def _plan_table(plan: list[DuePage], intervals: list[float]) -> Table:
    table = Table(box=None, header_style="dim")
    for name in ("value", "relevance", "changes/day", "last visit", "chance of change", "best interval"):
        table.add_column(name, justify="right")
    table.add_column("page", style="cyan", overflow="fold")
    for due, days in list(zip(plan, intervals, strict=True))[:MAX_ROWS]:
        chance = percent(due.chance) + (" *" if due.hinted else "")
        # A page that never seems to change gets an interval of thousands of years.
        interval = f"{days:.1f} days" if days < 10_000 else "never"
        last_visit = f"{due.days:.1f} days ago"
        cells = (number(due.value), number(due.relevance), f"{due.rate:.3f}", last_visit, chance, interval)
        table.add_row(*cells, words(due.url))
    return table


def _summary(result: Recrawl, every: float) -> str:
    if not result.plan and not result.visits:
        return f"No page is due yet (--every {every:g}). To revisit all pages now: --every 0"
    text = f"{counted(len(result.visits), 'page')} revisited, {len(result.changed):,} changed, "
    text += counted(result.links, "new link")
    if result.news:
        text += f"; the crawl now has {counted(result.news.visited, 'page')}"
    elif result.links:
        text += f"; to visit them: clew resume {shlex.quote(str(result.folder))}"
    return f"{text} (stopped: {result.reason})"


def _changes_table(visits: list[Revisit]) -> Table:
    table = Table(box=None, header_style="dim")
    table.add_column("changed page", style="cyan", overflow="fold")
    table.add_column("relevance", justify="right")
    table.add_column("new links", justify="right")
    table.add_column("change", style="dim")
    for visit in visits[:MAX_ROWS]:
        relevance = "" if visit.relevance is None else number(visit.relevance)
        table.add_row(words(visit.url), relevance, str(visit.links), words(visit.reason or "new version"))
    if len(visits) > MAX_ROWS:
        table.add_row(f"… and {len(visits) - MAX_ROWS:,} more (all with --json)")
    return table
