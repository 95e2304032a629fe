"""Plots of pages found and of the harvest over the visits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clew.lab.comparison import BASELINE
from clew.lab.plots import LINE, End, dress, label, sheet, window
from clew.lab.report.cases import Case, Table, harvests, mean_curve, parts, shares
from clew.lab.report.drawing import HALF, MUTED, Palette, Plot, short, tip
from clew.lab.report.wording import count, listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from clew.lab.trial import TrialResult

POINTS_PER_LINE = 120  # more than the eye can tell apart, and few enough for a small file


def found(case: Case, palette: Palette, height: float = 3.6) -> Plot:
    """Pages found, as a share of what the oracle had found by then."""
    figure = sheet(HALF, height)
    lines = {name: (results, shares(results)) for name, results in case.by_strategy.items()}
    _draw(figure, lines, palette)
    note = f"Lines: means over topics. Bands: the middle half of the crawls of {listed(palette.banded)}."
    return Plot(f"found{case.slug}", "Pages found, as a share of the oracle’s", note, figure)


def harvest(case: Case, palette: Palette) -> Plot:
    """The share of relevant pages among the last visits, with the oracle's."""
    figure = sheet(HALF, 3.6)
    width = window(case.budget)
    lines = {name: (results, harvests(results, width)) for name, results in case.by_strategy.items()}
    best = mean_curve(case.results, harvests(case.results, width, is_oracle=True))
    _draw(figure, lines, palette, best)
    note = f"Share of relevant pages among the last {width} visits. A crawl that has ended finds nothing more."
    return Plot(f"harvest{case.slug}", "Harvest", note, figure)


def worlds(case: Case, palette: Palette) -> list[Plot]:
    """The same plot as `found` for each world, if there are several."""
    by_world = parts(case.results, lambda result: result.trial.world)
    if len(by_world) < 2:
        return []
    plots = []
    for place, (world, results) in enumerate(by_world.items(), 1):
        part = Case(f"{case.name} {world}", replace(case.comparison, results=results))
        plot = found(part, palette, 2.7)
        note = f"The same as above, over {count(len(part.topics), 'topic')}."
        plots.append(Plot(f"world-{place}{part.slug}", f"{world}: pages found", note, plot.figure))
    return plots


def _draw(
    figure: Figure, lines: dict[str, tuple[list[TrialResult], Table]], palette: Palette, best: Table | None = None
) -> None:
    axes = figure.subplots()
    ends: list[End] = []
    if best is not None:
        drawn = _thin(len(best))
        axes.plot(drawn + 1, best[drawn], color=MUTED, linewidth=1.2, linestyle=(0, (4, 2)))
        ends.append((float(best[-1]), "oracle", MUTED))
    # The best is drawn last, so that it lies on top.
    for name, (results, curves) in reversed(lines.items()):
        middle = mean_curve(results, curves)
        _line(axes, name, middle, curves, palette)
        if name in palette.highlighted:
            ends.append((float(middle[-1]), short(name, 18), palette.text(name)))
    dress(axes, "", is_share=True)
    axes.tick_params(labelsize=9.5)
    axes.xaxis.label.set_fontsize(9.5)
    label(axes, ends, gap=0.235 / figure.get_figheight())


def _line(axes: Axes, name: str, middle: Table, curves: Table, palette: Palette) -> None:
    colour = palette.line(name)
    drawn = _thin(len(middle))
    if name in palette.banded and len(curves) > 1:
        low, high = np.quantile(curves[:, drawn], [0.25, 0.75], axis=0)
        axes.fill_between(drawn + 1, low, high, color=colour, alpha=0.12, linewidth=0)
    style = {**LINE, "linewidth": 2.2 if name in palette.leads else 1.1}
    dashes = (0, (1, 1.2)) if name == BASELINE else "-"
    [line] = axes.plot(drawn + 1, middle[drawn], color=colour, linestyle=dashes, **style)
    tip(line, f"{name}: {middle[-1]:.0%} at the end")


def _thin(length: int) -> NDArray[np.int64]:
    """The visits at which a line has a point."""
    # Shares among the very first pages are noise.
    first = length // 25
    visits = np.linspace(first, max(0, length - 1), min(length, POINTS_PER_LINE))
    return np.unique(visits.round().astype(np.int64))
