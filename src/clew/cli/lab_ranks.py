"""A comparison on the terminal: ranking, the pairs that matter, and where the time goes."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from clew.cli.terminal import clean, out, percent

if TYPE_CHECKING:
    from clew.lab.compare import Comparison, Rank
    from clew.lab.comparison import Pair


def show(comparison: Comparison, brief: bool = False) -> None:
    """For people."""
    if not brief:
        out().print(Text(_summary(comparison), style="dim"))
    for name, part in comparison.parts().items():
        out().print(Text(f"\n{name}" if not brief else name, style="bold"), ranking(part.ranking()), sep="\n")
        if not brief and len(part.strategies) > 1:
            out().print(_pairs(part))
    if not brief:
        out().print(Text("\nCPU for a page, milliseconds", style="bold"), _times(comparison.spent()), sep="\n")


def told(comparison: Comparison) -> dict[str, Any]:
    """For machines."""
    parts = comparison.parts().items()
    return {
        "title": comparison.title,
        "ranking": [{"condition": name} | asdict(rank) for name, part in parts for rank in part.ranking()],
        "pairs": [{"condition": name} | asdict(pair) for name, part in parts for pair in part.pairs()],
        "overlap": [{"condition": name} | asdict(row) for name, part in parts for row in part.overlap()],
        "cpu_ms": comparison.spent(),
        "trials": comparison.table(),
        "failures": [asdict(failure) for failure in comparison.failures],
        "notes": list(comparison.notes),
    }


def ranking(found: list[Rank]) -> Table:
    """Best first."""
    table = grid("strategy", "area", "95 %", "worst", "found", "harvest", "recall", "CPU")
    for rank in found:
        table.add_row(Text(clean(rank.strategy), style="bold cyan"), *_cells(rank))
    return table


def grid(*heads: str) -> Table:
    """A plain table; the first column is text, the others are numbers."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place else "left")
    return table


def _summary(comparison: Comparison) -> str:
    results = comparison.results
    topics = {(result.trial.world, result.trial.topic) for result in results}
    kept = f" ({comparison.cached:,} were done before)" if comparison.cached else ""
    noun = "topic" if len(topics) == 1 else "topics"
    return f"{clean(comparison.title)}\n{len(results):,} crawls{kept}, {len(topics)} {noun}"


def _cells(rank: Rank) -> list[str]:
    return [
        f"{rank.area:.3f}",
        f"{rank.low:.2f}-{rank.high:.2f}",
        f"{rank.worst:.3f}",
        f"{rank.share:.3f}",
        percent(rank.harvest),
        percent(rank.recall),
        "" if rank.cpu != rank.cpu else f"{rank.cpu:.1f} x",
    ]


def _pairs(part: Comparison) -> Table:
    """The best strategy against each other one."""
    best = part.ranking()[0].strategy
    table = grid(f"{clean(best)} against", "area", "95 %", "topics won", "even", "lost")
    for pair in part.pairs():
        if pair.strategy == best:
            table.add_row(Text(clean(pair.other)), *_difference(pair))
    return table


def _difference(pair: Pair) -> list[str]:
    sure = f"{pair.low:+.3f} to {pair.high:+.3f}"
    return [f"{pair.difference:+.3f}", sure, f"{pair.wins}", f"{pair.ties}", f"{pair.losses}"]


def _times(spent: dict[str, dict[str, float]]) -> Table:
    parts = list(next(iter(spent.values()), {}))
    table = grid("strategy", *parts, "all")
    for strategy, times in spent.items():
        cells = [f"{times.get(part, 0.0):.2f}" for part in parts]
        table.add_row(Text(clean(strategy)), *cells, f"{sum(times.values()):.2f}")
    return table
