"""Plots of CPU time, and of the distance of the pages found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from clew.lab.comparison import BASELINE
from clew.lab.plots import INK, quiet, sheet
from clew.lab.report.cases import Case, Table
from clew.lab.report.drawing import HALF, PARTS, Palette, Plot, beside, listing, rows, short, tip

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.patches import Rectangle

    from clew.lab.trial import TrialResult

LEGEND: Final[dict[str, Any]] = {
    "fontsize": 8.5,
    "labelcolor": INK,
    "frameon": False,
    "loc": "upper left",
    "ncols": 5,
    "borderaxespad": 0.1,
    "columnspacing": 1.1,
    "handletextpad": 0.4,
    "handlelength": 0.9,
    "handleheight": 0.9,
}


def cpu(case: Case, palette: Palette) -> Plot:
    """CPU time per page, relative to breadth-first if it took part."""
    if case.has_baseline:
        values = {rank.strategy: rank.cpu for rank in case.ranks}
        unit = "×"
        scale = "relative to breadth_first (dashed line)"
    else:
        values = {name: _milliseconds(results) for name, results in case.by_strategy.items()}
        unit = " ms"
        scale = "in milliseconds"
    figure, axes = listing(len(values))
    for place, (name, value) in enumerate(values.items()):
        [bar] = axes.barh(place, value, height=0.55, color=palette.line(name))
        tip(bar, f"{name}: {value:.2f}{unit}")
        beside(axes, place, f"{value:.1f}{unit}")
    if case.has_baseline:
        axes.axvline(1, color=INK, linewidth=1, linestyle=(0, (2, 2)))
    rows(axes, list(values), palette)
    # Never an empty range, even if no time was measured.
    axes.set_xlim(0, max(*values.values(), 1e-9) * 1.02)
    return Plot(f"cpu{case.slug}", "CPU time per page", f"Mean over all crawls, {scale}.", figure)


def time(case: Case, palette: Palette) -> Plot | None:
    """Milliseconds per page in each part of the crawler."""
    spent = case.comparison.spent()
    seen: dict[str, None] = {}
    for times in spent.values():
        seen |= dict.fromkeys(times)
    parts = list(seen)
    if not parts:
        return None
    names = list(case.by_strategy)
    widths = np.array([_widths(spent[name], parts) for name in names])
    figure, axes = listing(len(names), extra=0.25)
    bars: list[Artist] = [_stack(axes, widths, column, part, names) for column, part in enumerate(parts)]
    rows(axes, names, palette)
    for place, total in enumerate(widths.sum(axis=1)):
        beside(axes, place, f"{total:.2f}")
    axes.set_xlim(0, widths.sum(axis=1).max() * 1.02 or 1)
    # The legend stands above the axes, in a strip that the layout leaves free.
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - 0.25 / figure.get_figheight()))  # type: ignore[union-attr,call-arg]
    figure.legend(bars, parts, bbox_to_anchor=(0, 1), bbox_transform=figure.transFigure, **LEGEND)
    return Plot(f"time{case.slug}", "Where the time goes", "CPU milliseconds per page, by part of the crawler.", figure)


def _widths(times: dict[str, float], parts: list[str]) -> list[float]:
    return [times.get(part, 0.0) for part in parts]


def _stack(axes: Axes, widths: Table, column: int, part: str, names: list[str]) -> Rectangle:
    left = widths[:, :column].sum(axis=1)
    colour = PARTS[column % len(PARTS)]
    bars = axes.barh(range(len(names)), widths[:, column], left=left, height=0.55, color=colour)
    for bar, name, width in zip(bars, names, widths, strict=True):
        tip(bar, f"{name}, {part}: {width[column]:.2f} of {width.sum():.2f} ms")
    return bars.patches[0]


def distances(case: Case, palette: Palette) -> Plot | None:
    """Relevant pages by their link distance from the start pages."""
    finds = {name: _distances(results) for name, results in case.by_strategy.items() if name in palette.highlighted}
    length = max(map(len, finds.values()), default=0)
    if not length:
        return None
    finds = {name: np.pad(count, (0, length - len(count))) for name, count in finds.items()}
    figure = sheet(HALF, 0.6 + 0.85 * len(finds))
    panels = figure.subplots(len(finds), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for axes, (name, count) in zip(panels, finds.items(), strict=True):
        _histogram(axes, name, count, palette)
        if BASELINE in finds and name != BASELINE:
            axes.stairs(finds[BASELINE], np.arange(length + 1) - 0.5, color=INK, linewidth=1.1)
    panels[-1].locator_params(axis="x", integer=True, nbins=12)
    panels[-1].set_xlabel("links from the start pages", fontsize=9.5, color=INK)
    line = " Outline: breadth_first." if BASELINE in finds and len(finds) > 1 else ""
    note = f"Relevant pages found per crawl, by the length of the shortest path from a start page.{line}"
    return Plot(f"distances{case.slug}", "Distance of the pages found", note, figure)


def _histogram(axes: Axes, name: str, count: Table, palette: Palette) -> None:
    quiet(axes)
    axes.set_title(short(name), color=palette.text(name), fontsize=9.5, weight="bold", loc="left", pad=3)
    bars = axes.bar(range(len(count)), count, width=0.75, color=palette.line(name))
    for place, bar in enumerate(bars):
        tip(bar, f"{name}, {place} links away: {count[place]:.1f} pages per crawl")
    axes.tick_params(labelsize=8.5, pad=3)
    axes.locator_params(axis="y", nbins=3)


def _distances(results: list[TrialResult]) -> Table:
    length = max(len(result.distances) for result in results)
    padded = [np.pad(result.distances, (0, length - len(result.distances))) for result in results]
    return np.asarray(np.mean(padded, axis=0), np.float64)


def _milliseconds(results: list[TrialResult]) -> float:
    return float(np.mean([result.numbers["cpu_ms"] for result in results]))
