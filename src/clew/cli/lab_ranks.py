"""Prints a comparison: the ranking, the best strategy against each other one, and CPU times."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from clew.cli.terminal import clean, counted, out, percent

if TYPE_CHECKING:
    from clew.lab.compare import Comparison, Rank
    from clew.lab.comparison import Pair


COLLECTION = {
    "f1": "F1",
    "precision": "precision",
    "collected": "recall",
    "average_precision": "average precision",
    "brier": "Brier",
}
TIMES = {"seconds": "seconds", "found_60": "by 60 s", "found_300": "by 300 s", "found_1000": "by 1,000 s"}


def show(comparison: Comparison, brief: bool = False) -> None:
    """Print a comparison as tables; brief: the rankings only."""
    console = out()
    if not brief:
        console.print(Text(_summary(comparison), style="dim"))
    for name, part in comparison.parts().items():
        console.print(Text(name if brief else f"\n{name}", style="bold"), ranking(part.ranking()), sep="\n")
        if not brief and len(part.strategies) > 1:
            console.print(_pairs(part))
        for heading, table in _more(part):
            console.print(Text(heading, style="bold"), table, sep="\n")
    if not brief:
        console.print(Text("\nCPU time per page, in milliseconds", style="bold"), _times(comparison.spent()), sep="\n")


def as_json(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as plain values."""
    rankings = []
    pairs = []
    overlaps = []
    for name, part in comparison.parts().items():
        condition = {"condition": name}
        rankings += [condition | asdict(rank) for rank in part.ranking()]
        pairs += [condition | asdict(pair) for pair in part.pairs()]
        overlaps += [condition | asdict(overlap) for overlap in part.overlap()]
    return {
        "title": comparison.title,
        "ranking": rankings,
        "pairs": pairs,
        "overlap": overlaps,
        "cpu_ms": comparison.spent(),
        "trials": comparison.table(),
        "failures": [asdict(failure) for failure in comparison.failures],
        "notes": list(comparison.notes),
    }


def ranking(found: list[Rank]) -> Table:
    """Return a table of the strategies, the best one first."""
    table = grid("strategy", "area", "interval", "worst", "found", "harvest", "recall", "CPU")
    for rank in found:
        table.add_row(Text(clean(rank.strategy), style="bold cyan"), *_cells(rank))
    return table


def _more(part: Comparison) -> Iterator[tuple[str, Table]]:
    """What users get, where the judge learns as theirs does, and how long it takes with their manners."""
    from clew.core.manners import manners_of
    from clew.lab.judges import learns

    trial = part.results[0].trial
    if learns(trial.judge):
        yield "the collection that is handed over", _means(part, COLLECTION, "{:.3f}")
    if manners_of(trial.manners).is_live:
        yield "time, in virtual seconds, and the relevant pages found by then", _means(part, TIMES, "{:,.0f}")


def _means(part: Comparison, measures: Mapping[str, str], form: str) -> Table:
    table = grid("strategy", *measures.values())
    for strategy, values in part.means(*measures).items():
        table.add_row(Text(clean(strategy), style="bold cyan"), *map(form.format, values))
    return table


def grid(*headings: str) -> Table:
    """Return a plain table; the first column holds text, the others hold numbers."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    first, *others = headings
    table.add_column(first)
    for heading in others:
        table.add_column(heading, justify="right")
    return table


def _summary(comparison: Comparison) -> str:
    results = comparison.results
    topics = {(result.trial.world, result.trial.topic) for result in results}
    cached = f" ({comparison.cached:,} from the cache)" if comparison.cached else ""
    return f"{clean(comparison.title)}\n{counted(len(results), 'crawl')}{cached}, {counted(len(topics), 'topic')}"


def _cells(rank: Rank) -> list[str]:
    return [
        f"{rank.area:.3f}",
        f"{rank.low:.2f}-{rank.high:.2f}",
        f"{rank.worst:.3f}",
        f"{rank.share:.3f}",
        percent(rank.harvest),
        percent(rank.recall),
        "" if math.isnan(rank.cpu) else f"{rank.cpu:.1f} x",
    ]


def _pairs(part: Comparison) -> Table:
    """Compare the best strategy with each other one."""
    best = part.ranking()[0].strategy
    table = grid(f"{clean(best)} against", "area", "interval", "topics won", "even", "lost")
    for pair in part.pairs():
        if pair.strategy == best:
            table.add_row(Text(clean(pair.other)), *_difference(pair))
    return table


def _difference(pair: Pair) -> list[str]:
    interval = f"{pair.low:+.3f} to {pair.high:+.3f}"
    return [f"{pair.difference:+.3f}", interval, f"{pair.wins}", f"{pair.ties}", f"{pair.losses}"]


def _times(spent: dict[str, dict[str, float]]) -> Table:
    parts = list(next(iter(spent.values()), {}))
    table = grid("strategy", *parts, "total")
    for strategy, times in spent.items():
        cells = [f"{times.get(part, 0.0):.2f}" for part in parts]
        table.add_row(Text(clean(strategy)), *cells, f"{sum(times.values()):.2f}")
    return table
