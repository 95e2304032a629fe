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
from clew.cli.terminal import counted, dump, duration, err, forecast, harvest, number, out, plain, size, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from clew.api import Result
    from clew.store import Record, Records
    from clew.types import Stats

INTERRUPTED = "interrupted"
UNLIMITED_COLUMNS = 100_000  # more than any row needs


def report(result: Result, args: argparse.Namespace) -> int:
    """Draw the harvest curve, print the summary, and return the exit code."""
    with closing(result.records) as records:
        picture = draw(records)
        best = records.best(10)
    if args.json:
        dump(summary(result, best) | {"picture": picture})
    elif args.quiet:
        print(result.folder)
    else:
        _show(out(), result, best, picture)
    # A script that runs clew must be able to tell an interrupted crawl from a finished one.
    if result.reason != INTERRUPTED:
        return 0
    err().print(
        f"Stopped cleanly. To continue: clew resume {shlex.quote(str(result.folder))}", markup=False, soft_wrap=True
    )
    return 130


def draw(records: Records) -> Path | None:
    """Draw the harvest curve into the crawl folder and return the path of the picture; None without matplotlib."""
    # A missing picture must not fail a crawl.
    if not installed("matplotlib"):
        return None
    what = records.config.what
    # Parameters of the strategy would be too long for the label of a curve.
    curves = {what.strategy.partition("(")[0]: records.flags()}
    return crawl_plot.harvest(curves, records.folder / "report" / "harvest.png", what.interest)


def summary(result: Result, best: list[Record]) -> dict[str, object]:
    """Return the results of a crawl as plain values."""
    return {
        "folder": str(result.folder),
        "reason": result.reason,
        "threshold": result.threshold,
        "harvest": result.stats.harvest,
        "stats": plain(result.stats),
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


def _show(console: Console, result: Result, best: list[Record], picture: Path | None) -> None:
    console.print(facts(numbers(result.stats) | {"stopped": result.reason, "threshold": number(result.threshold)}))
    print_pages(console, "Best pages", best, empty="no relevant pages yet")
    console.print(
        "",
        facts({"folder": str(result.folder), "picture": str(picture or missing("matplotlib", "pictures"))}),
        sep="\n",
    )


def numbers(stats: Stats) -> dict[str, RenderableType]:
    """Return the rows that every summary has."""
    speed = stats.visited / stats.seconds if stats.seconds else 0.0
    counted_visits = f"{stats.visited:,} ({stats.failed:,} failed"
    if stats.duplicates:
        counted_visits += f", {counted(stats.duplicates, 'duplicate')}"
    uncounted = f"{counted(stats.redirects, 'redirect')}, {stats.refused:,} refused by robots.txt"
    rows: dict[str, RenderableType] = {
        "visits": f"{counted_visits}); not counted: {uncounted}",
        "relevant": Text(counted(stats.relevant, "page"), style="bold green"),
        "harvest": harvest(stats),
        "frontier": f"{counted(stats.waiting, 'candidate')}{_best(stats)}; {counted(stats.hosts, 'host')} visited",
    }
    expected = forecast(stats)
    if expected:
        rows["forecast"] = expected
    rows["time"] = f"{duration(stats.seconds)}, {speed:.1f} pages/s, {size(stats.bytes)}"
    return rows


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
    """Print pages with relevance, title and URL, in a table if it fits."""
    if not records:
        console.print(Text(f"\n{title}", style="bold"), Text(empty, style="dim"), sep="\n")
        return
    table = _page_table(title, records)
    needed = console.measure(table, options=console.options.update(width=UNLIMITED_COLUMNS)).maximum
    if needed <= console.width:
        console.print(table)
        return
    # A cell would break the URL into pieces that cannot be copied; a line of its own is left to the terminal.
    console.print(Text(f"\n{title}", style="bold"))
    for record in records:
        text = Text.assemble((f"{record.order:>5}  ", "dim"), _relevance(record), "  ", _title(record), "\n       ")
        console.print(text.append_text(words(record.url, "cyan")), soft_wrap=True)


def _relevance(record: Record) -> Text:
    # A page that failed was never judged.
    shown = number(record.relevance) if record.state == "fetched" else ""
    return Text(shown, "green" if record.relevant else "")


def _page_table(title: str, records: Iterable[Record]) -> Table:
    table = Table(title=f"\n{title}", title_justify="left", title_style="bold", box=None, header_style="dim")
    table.add_column("visit", justify="right", style="dim")
    table.add_column("relevance", justify="right")
    table.add_column("title", max_width=44, no_wrap=True)
    table.add_column("URL", overflow="fold", style="cyan")
    for record in records:
        table.add_row(str(record.order), _relevance(record), _title(record), words(record.url))
    return table
