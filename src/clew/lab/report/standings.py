"""Who is ahead, and how sure that is: rows of dots with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clew.lab.report.cases import Case, Gap
from clew.lab.report.drawing import HALF, Palette, Plot, beside, rows, tip
from clew.plots import AXIS, INK, PAPER, percent, quiet, sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from clew.lab.compare import Rank


def standings(case: Case, palette: Palette) -> Plot:
    """Area share of the oracle, its interval, and the worst topic."""
    figure = sheet(HALF, 0.75 + 0.26 * len(case.ranks))
    axes = figure.subplots()
    quiet(axes, grid="x")
    for place, rank in enumerate(case.ranks):
        _standing(axes, place, rank, palette.line(rank.strategy))
    rows(axes, [rank.strategy for rank in case.ranks], palette)
    axes.set_xlim(0, min(1.0, np.ceil(max(rank.high for rank in case.ranks) * 10 + 0.3) / 10))
    axes.xaxis.set_major_formatter(lambda value, _: percent(value))
    axes.locator_params(axis="x", nbins=5)
    note = "● mean over topics, in the bar its 95 % interval; | the strategy’s worst topic. Right: the mean."
    return Plot(f"ranking{case.slug}", "Area, of the oracle’s", note, figure)


def _standing(axes: Axes, place: int, rank: Rank, colour: str) -> None:
    spent = f"{rank.strategy}: {rank.area:.3f} (95 % interval {rank.low:.3f} to {rank.high:.3f}), worst {rank.worst:.3f}"
    axes.plot([rank.worst, rank.area], [place, place], color=colour, linewidth=0.9, alpha=0.6)
    axes.plot([rank.low, rank.high], [place, place], color=colour, linewidth=6, alpha=0.35, solid_capstyle="round")
    axes.plot(rank.worst, place, "|", color=colour, markersize=9, markeredgewidth=1.8)
    [dot] = axes.plot(rank.area, place, "o", color=colour, markersize=7, markeredgecolor=PAPER, clip_on=False)
    tip(dot, spent)
    beside(axes, place, f"{rank.area:.2f}")


def gaps(case: Case, palette: Palette) -> Plot | None:
    """The leader's area less every other's, topic by topic."""
    if not case.gaps:
        return None
    figure = sheet(HALF, 0.75 + 0.26 * len(case.gaps))
    axes = figure.subplots()
    quiet(axes, grid="x")
    axes.axvline(0, color=AXIS, linewidth=1.2)
    for place, gap in enumerate(case.gaps):
        _gap(axes, place, gap, palette.line(gap.strategy))
    rows(axes, [gap.strategy for gap in case.gaps], palette)
    reach = max(0.02, *(gap.high for gap in case.gaps))
    axes.set_xlim(min(-0.05 * reach, *(gap.low * 1.1 for gap in case.gaps)), reach * 1.05)
    axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:+.0f}" if value else "0")
    axes.locator_params(axis="x", nbins=5)
    note = (
        "Percentage points of area by which the leader passes each other strategy, with the paired 95 % interval over "
        "topics. Hollow: the interval holds zero, so the two cannot be told apart. Right: topics won by the leader."
    )
    return Plot(f"differences{case.slug}", f"{case.ranks[0].strategy} against each other", note, figure)


def _gap(axes: Axes, place: int, gap: Gap, colour: str) -> None:
    if gap.topics > 1:
        axes.plot([gap.low, gap.high], [place, place], color=colour, linewidth=2.4, solid_capstyle="round")
    face = colour if gap.is_clear else PAPER
    [dot] = axes.plot(gap.mean, place, "o", color=colour, markerfacecolor=face, markersize=7, markeredgewidth=1.6)
    tip(dot, f"{gap.strategy}: {100 * gap.mean:+.1f} points ({100 * gap.low:+.1f} to {100 * gap.high:+.1f})")
    beside(axes, place, f"{gap.won}/{gap.topics}", color=INK)
