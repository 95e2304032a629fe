"""How the crawls went: shares of the oracle and harvest over the visits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clew.lab.compare import BASELINE
from clew.lab.report.cases import Case, Curves, harvests, mean_curve, parts, shares
from clew.lab.report.drawing import HALF, MUTED, Palette, Plot, short, tip
from clew.plots import LINE, End, dress, label, sheet, window

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from clew.lab.trial import Result

POINTS = 150  # of a line: more than anyone can see, few enough for a small file


def found(case: Case, palette: Palette) -> Plot:
    """Found, of what the oracle had found by then."""
    figure = sheet(HALF, 3.6)
    axes = figure.subplots()
    lines = {name: (results, shares(results)) for name, results in case.by_strategy.items()}
    _draw(axes, lines, palette)
    note = "Line: mean over topics. Band: the middle half of all crawls, over topics and start sets."
    return Plot(f"found{case.slug}", "Found, of what the oracle had found by then", note, figure)


def harvest(case: Case, palette: Palette) -> Plot:
    """Share of relevant pages among the latest visits, with the oracle's."""
    figure, width = sheet(HALF, 3.6), window(case.budget)
    axes = figure.subplots()
    lines = {name: (results, harvests(results, width)) for name, results in case.by_strategy.items()}
    best = mean_curve(case.results, harvests(case.results, width, is_oracle=True))
    kept = _thin(len(best))
    axes.plot(kept + 1, best[kept], color=MUTED, linewidth=1.2, linestyle=(0, (4, 2)))
    _draw(axes, lines, palette, [(float(best[-1]), "oracle", MUTED)])
    note = f"Share of relevant pages among the last {width} visits. A crawl that has ended finds nothing more."
    return Plot(f"harvest{case.slug}", "Harvest", note, figure)


def worlds(case: Case, palette: Palette) -> list[Plot]:
    """The same as `found` for each world, where there are several."""
    parted = parts(case.results, lambda result: result.trial.world)
    if len(parted) < 2:
        return []
    plots = []
    for world, results in parted.items():
        part = Case(f"{case.name} {world}", results)
        plot = found(part, palette)
        topics = len(part.topics)
        plots.append(Plot(f"world{part.slug}", world, f"{topics} topic{'s' * (topics > 1)}", plot.figure))
    return plots


def _draw(
    axes: Axes, lines: dict[str, tuple[list[Result], Curves]], palette: Palette, extra: Sequence[End] = ()
) -> None:
    ends: list[End] = list(extra)
    # The best last, so that it lies on top.
    for name, (results, curves) in reversed(lines.items()):
        middle = mean_curve(results, curves)
        _line(axes, name, middle, curves, palette)
        if name in palette.named:
            ends.append((float(middle[-1]), short(name, 18), palette.text(name)))
    dress(axes, "", is_share=True)
    axes.tick_params(labelsize=9.5)
    axes.xaxis.label.set_fontsize(9.5)
    label(axes, ends, gap=0.065)


def _line(axes: Axes, name: str, middle: NDArray[np.float64], curves: Curves, palette: Palette) -> None:
    colour, is_lead = palette.line(name), name in palette.leads
    kept = _thin(len(middle))
    if is_lead and len(curves) > 1:
        low, high = np.quantile(curves[:, kept], [0.25, 0.75], axis=0)
        axes.fill_between(kept + 1, low, high, color=colour, alpha=0.1, linewidth=0)
    style = {**LINE, "linewidth": 2.2 if is_lead else 1.1}
    dashes = (0, (1, 1.2)) if name == BASELINE else "-"
    [line] = axes.plot(kept + 1, middle[kept], color=colour, linestyle=dashes, **style)
    tip(line, f"{name}: {middle[-1]:.0%} at the end")


def _thin(length: int) -> NDArray[np.int64]:
    """Places of the visits to draw."""
    return np.unique(np.linspace(0, max(0, length - 1), min(length, POINTS)).round().astype(np.int64))
