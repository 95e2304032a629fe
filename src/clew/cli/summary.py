"""The report at the end of a crawl, shared by `crawl` and `resume`."""

from __future__ import annotations

import argparse
import math
import shlex
from contextlib import closing
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from clew.base.extras import installed, missing
from clew.cli import crawl_plot
from clew.cli.terminal import (
    clean,
    counted,
    dump,
    duration,
    err,
    forecast,
    harvest,
    hurry,
    number,
    out,
    plain,
    say,
    size,
    words,
)
from clew.core.advice import AS_SET, OF_START_PAGES, Quality, Step, next_steps, quality, quality_line
from clew.errors import ClewError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clew.api import Result
    from clew.store import Record, Records
    from clew.types import Stats

INTERRUPTED = "interrupted"
MARKED_ORDERS = ("interest", "threshold", "seeds", "deny", "allow")
"""The orders that the picture of a crawl shows: they change which pages come, or which of them count."""
MAX_MARK_CHARACTERS = 60


def report(result: Result, args: argparse.Namespace) -> int:
    """Draw the harvest curve, print the summary, and return the exit code."""
    from clew.core.faults import ended_by_faults

    with closing(result.records) as records:
        picture = draw(records)
        page = write_page(records)
        best = records.best(10)
        expected = expected_quality(records)
        rows = numbers(result.stats)
        rows["stopped"] = result.reason
        rows |= judged(records)
        steps = next_steps(str(result.folder), result.stats, records.config.until)
    if args.json:
        dump(summary(result, best, expected) | {"picture": picture, "report": page})
    elif args.quiet:
        say(str(result.folder))
    else:
        console = out()
        console.print(facts(rows))
        print_pages(console, "Best pages", best, empty="no relevant pages yet")
        picture_or_hint = str(picture or missing("matplotlib", "pictures"))
        places: dict[str, RenderableType] = {"folder": str(result.folder), "picture": picture_or_hint}
        if page:
            places["report"] = str(page)
        console.print("", facts(places), sep="\n")
        print_steps(console, steps)
    # A script that runs clew must be able to tell these crawls from finished ones.
    if result.reason == INTERRUPTED:
        return _stopped("Stopped cleanly. To continue", result, 130)
    if ended_by_faults(result.reason):
        cause = clean(result.reason)
        return _stopped(f"Stopped: {cause}. All pages so far are kept. Mend the cause, then", result, 1)
    return 0


def _stopped(message: str, result: Result, code: int) -> int:
    """Say how to go on, and return the exit code."""
    err().print(f"{message}: clew resume {shlex.quote(str(result.folder))}", markup=False, soft_wrap=True)
    return code


def draw(records: Records) -> Path | None:
    """Draw the harvest curve into the crawl folder and return the path of the picture; None without matplotlib."""
    # A missing picture must not fail a crawl.
    if not installed("matplotlib"):
        return None
    what = records.config.what
    # Parameters of the strategy would be too long for the label of a curve.
    curves = {what.strategy.partition("(")[0]: records.flags()}
    return crawl_plot.harvest(curves, records.folder / "report" / "harvest.png", what.interest, marks(records))


def write_page(records: Records) -> Path | None:
    """Write the report for the browser and return its path; None if the setting forbids it."""
    from clew.serve.report import write_report

    if not records.config.keep.report:
        return None
    try:
        return write_report(records)
    except (OSError, ClewError) as error:
        # A missing report must not fail a crawl, any more than a missing picture.
        err().print(f"The report could not be written: {clean(str(error))}", markup=False)
        return None


def marks(records: Records) -> dict[int, str]:
    """Return what has changed during the crawl, by visit: its focus, and what its user has told it."""
    found: dict[int, str] = {}
    for change in records.focus_changes():
        if change.visits is not None:
            # The mark before this one says from what.
            found[change.visits] = _shortened("focus " + change.detail.partition(" to ")[2])
    for order in records.orders():
        if order.taken is not None and order.kind in MARKED_ORDERS:
            found[order.taken] = _shortened(str(order))
    return found


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_MARK_CHARACTERS else text[: MAX_MARK_CHARACTERS - 1] + "…"


def summary(result: Result, best: list[Record], expected: Quality | None = None) -> dict[str, object]:
    """Return the results of a crawl as plain values."""
    return {
        "folder": str(result.folder),
        "reason": result.reason,
        "threshold": result.threshold,
        "harvest": result.stats.harvest,
        "stats": plain(result.stats),
        "expected_precision": expected.precision if expected else None,
        "expected_recall": expected.recall if expected else None,
        "best": [brief(record) for record in best],
    }


def brief(record: Record) -> dict[str, object]:
    """Return the fields of a page that lists show."""
    return {
        "order": record.order,
        "url": record.url,
        "title": record.title,
        "relevance": record.relevance,
        "relevant": record.relevant,
    }


def judged(records: Records) -> dict[str, RenderableType]:
    """Say by what pages count as relevant, and how sure the judge is if it knows."""
    rows: dict[str, RenderableType] = {"threshold": threshold(records)}
    if expected := expected_quality(records):
        rows["judge"] = quality_line(expected)
    return rows


def threshold(records: Records) -> str:
    """Return the threshold, and where it comes from."""
    origin = records.threshold_origin
    if not origin:
        # Crawls of earlier versions did not say.
        origin = OF_START_PAGES if records.config.what.threshold is None else AS_SET
    return f"{number(records.threshold)}, {origin}"


def expected_quality(records: Records) -> Quality | None:
    """Return what to expect of the relevant pages; None if the relevances are no probabilities."""
    return quality(records.chances()) if records.is_calibrated else None


def print_steps(console: Console, steps: Sequence[Step]) -> None:
    """Print what users may want to do next."""
    if not steps:
        return
    console.print(Text("\nNext", style="bold"))
    width = max(len(step.command) for step in steps)
    for step in steps:
        console.print(f"  {step.command:{width}}  {step.purpose}", markup=False, highlight=False, soft_wrap=True)


def numbers(stats: Stats) -> dict[str, RenderableType]:
    """Return the rows that every summary has."""
    speed = stats.pages / stats.seconds if stats.seconds else 0.0
    rows: dict[str, RenderableType] = {
        "pages": f"{stats.pages:,}",
        "visits": _visits(stats),
        "besides": _besides(stats),
        "relevant": Text(counted(stats.relevant, "page"), style="bold green"),
        "harvest": harvest(stats),
        "frontier": f"{counted(stats.waiting, 'candidate')}{_best(stats)}; {counted(stats.hosts, 'host')} visited",
    }
    if stats.faults:
        rows["errors"] = f"{stats.faults:,} in parser, judge or strategy; with --verbose, a crawl shows them"
    expected = forecast(stats)
    if expected:
        rows["forecast"] = expected
    if stats.cached:
        rows["cache"] = f"{counted(stats.cached, 'answer')} came from the cache"
    rows["time"] = f"{duration(stats.seconds)}, {speed:.1f} pages/s, {size(stats.bytes)}{hurry(stats)}"
    return rows


def _visits(stats: Stats) -> str:
    """Say how many visits there were, and what became of those that brought no page.

    >>> from clew.types import Stats
    >>> _visits(Stats(visited=20, pages=12, failed=4, duplicates=1))
    '20 (4 failed, 1 duplicate, 3 for robots.txt and sitemaps)'
    """
    others = [f"{stats.failed:,} failed"]
    if stats.duplicates:
        others.append(counted(stats.duplicates, "duplicate"))
    if lists := stats.visited - stats.pages - stats.failed - stats.duplicates:
        others.append(f"{lists:,} for robots.txt and sitemaps")
    return f"{stats.visited:,} ({', '.join(others)})"


def _besides(stats: Stats) -> str:
    """Say what was asked for and is no visit."""
    found = f"{counted(stats.redirects, 'redirect')}, {stats.refused:,} refused by robots.txt"
    # A robots.txt that was read for its sitemaps counts as one of them.
    return f"{found}, {counted(stats.sitemaps, 'list')} of pages (sitemaps)" if stats.sitemaps else found


def _best(stats: Stats) -> str:
    """Say how good the best candidate is; "" if there is none."""
    if not stats.waiting or not stats.best:
        return ""
    if not math.isfinite(stats.best):
        return ", all on hosts that must wait"
    return f", best score {number(stats.best)}"


def facts(rows: dict[str, RenderableType]) -> Table:
    """Lay out names and values, one pair per line."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", justify="right", min_width=9, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in rows.items():
        grid.add_row(name, words(value) if isinstance(value, str) else value)
    return grid


def _title(record: Record) -> Text:
    if record.state == "fetched":
        return words(record.title, width=44)
    return words(f"{record.state}: {record.reason}" if record.reason else record.state, "dim", 44)


def print_pages(console: Console, title: str, records: Sequence[Record], empty: str) -> None:
    """Print pages with the number of their visit, their relevance and title, and the URL below."""
    console.print(Text(f"\n{title}", style="bold"))
    if not records:
        console.print(Text(empty, style="dim"))
    for record in records:
        text = Text.assemble((f"{record.order:>5}  ", "dim"), _relevance(record), "  ", _title(record), "\n       ")
        # A cell of a table would break the URL into pieces that cannot be copied.
        console.print(text.append_text(words(record.url, "cyan")), soft_wrap=True)


def _relevance(record: Record) -> Text:
    # A page that failed was never judged.
    shown = number(record.relevance) if record.state == "fetched" else ""
    return Text(shown, "green" if record.relevant else "")
