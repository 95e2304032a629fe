"""Visit the pages of a crawl again, and tell what has changed.

The most valuable first: relevant pages that have probably changed, as far as earlier visits and sitemaps tell. New
versions are kept beside the old ones in the folder again/; links to unknown URLs become candidates, with which
'clew resume' goes on. The crawl's manners hold; flags given here hold for this run only.
"""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from rich.table import Table

from clew.cli.flags import add_settings, chosen
from clew.cli.terminal import dump, err, number, out, percent, words

if TYPE_CHECKING:
    from clew.revisit import Due, Recrawl
    from clew.store import Revisit

EXAMPLES = """
  clew recrawl crawls/baltic
  clew recrawl crawls/baltic --pages 200 --every 7
  clew recrawl crawls/baltic --dry-run
"""
SHOWN = 20


def flags(parser: argparse.ArgumentParser) -> None:
    """The folder, the limits and the manners."""
    parser.usage = "clew recrawl FOLDER [--pages N] [--minutes M] [--every DAYS] [--new SHARE] [--dry-run] [...]"
    parser.add_argument("folder", metavar="FOLDER", help="the crawl folder")
    parser.add_argument("--pages", type=int, metavar="N", help="visits at most (default: all that is due)")
    parser.add_argument("--minutes", type=float, metavar="M", help="time at most")
    parser.add_argument("--every", type=float, default=1.0, metavar="DAYS", help="leave out what was visited since (1)")
    parser.add_argument("--new", type=float, default=0.0, metavar="SHARE", help="share of visits for new pages (0)")
    parser.add_argument(
        "--aim",
        choices=("changes", "freshness"),
        default="changes",
        help="find as many changes as possible, or keep as much as possible up to date (changes)",
    )
    parser.add_argument("--dry-run", action="store_true", help="only show what would be visited, and why")
    add_settings(parser, ("fetch",))


def run(args: argparse.Namespace) -> int:
    """Look again, and say what is new."""
    from clew import api

    limits = {name: getattr(args, name) for name in ("pages", "minutes", "every", "new", "aim", "dry_run")}
    silent = args.quiet or args.json or args.dry_run
    with nullcontext() if silent else err().status("visiting pages again") as status:
        seen: list[Revisit] = []

        def watch(visit: Revisit) -> None:
            seen.append(visit)
            if status:
                changed = sum(visit.changed is True for visit in seen)
                status.update(f"{len(seen):,} visited again, {changed:,} changed")

        result = api.recrawl(args.folder, watch=watch, **limits, **chosen(args))
    if args.json:
        dump(_planned(result, args) if args.dry_run else _found(result))
    elif args.dry_run:
        out().print(_plan_table(result.plan, _advice(result.plan, args)))
        out().print(f"{len(result.plan):,} pages are due")
    else:
        if result.changed:
            out().print(_changes(result.changed))
        out().print(words(_summary(result)))
    return 0


def _advice(plan: list[Due], args: argparse.Namespace) -> list[float]:
    """Days between visits if so many pages are visited once in so many days."""
    from clew.revisit import plan as best

    return best(plan, (args.pages or len(plan)) / max(args.every, 1.0))


def _planned(result: Recrawl, args: argparse.Namespace) -> list[dict[str, Any]]:
    numbers = ("url", "value", "relevance", "rate", "days", "chance", "hinted")
    advice = zip(result.plan, _advice(result.plan, args), strict=True)
    return [{**{name: getattr(due, name) for name in numbers}, "best_every": days} for due, days in advice]


def _found(result: Recrawl) -> dict[str, Any]:
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


def _plan_table(plan: list[Due], advice: list[float]) -> Table:
    table = Table(box=None, header_style="dim")
    for name in ("value", "relevance", "changes a day", "days ago", "changed?", "best every"):
        table.add_column(name, justify="right")
    table.add_column("page", style="cyan", overflow="fold")
    for due, days in list(zip(plan, advice, strict=True))[:SHOWN]:
        told = percent(due.chance) + (" *" if due.hinted else "")
        every = f"{days:.1f} days" if days < 10_000 else "never"
        numbers = number(due.value), number(due.relevance), f"{due.rate:.3f}", f"{due.days:.1f}", told, every
        table.add_row(*numbers, words(due.url))
    return table


def _summary(result: Recrawl) -> str:
    told = f"{len(result.visits):,} visited again, {len(result.changed):,} changed, {result.links:,} new links"
    news = f"; {result.news.visited:,} pages now" if result.news else ""
    more = f"; 'clew resume {result.folder}' follows them" if result.links and not result.news else ""
    return f"{told}{news}{more} (stopped: {result.reason})"


def _changes(visits: list[Revisit]) -> Table:
    table = Table(box=None, header_style="dim")
    table.add_column("changed", style="cyan", overflow="fold")
    table.add_column("relevance", justify="right")
    table.add_column("new links", justify="right")
    table.add_column("what", style="dim")
    for visit in visits[:SHOWN]:
        judged = "" if visit.relevance is None else number(visit.relevance)
        table.add_row(words(visit.url), judged, str(visit.links), words(visit.reason or "another version"))
    return table
