"""Plots of the ranking: rows of dots with their confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from clew.lab.plots import AXIS, PAPER, percent
from clew.lab.report.cases import Case, is_clear, topics_of
from clew.lab.report.drawing import Palette, Plot, beside, listing, rows, tip
from clew.lab.report.wording import points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from clew.lab.comparison import Pair, Rank


def standings(case: Case, palette: Palette) -> Plot:
    """The area of each strategy as a share of the oracle's, its interval, and its worst topic."""
    figure, axes = listing(len(case.ranks))
    for place, rank in enumerate(case.ranks):
        _standing(axes, place, rank, palette.line(rank.strategy))
    rows(axes, [rank.strategy for rank in case.ranks], palette)
    highest = max(rank.high for rank in case.ranks)
    axes.set_xlim(0, float(np.clip(np.ceil(highest * 10 + 0.3) / 10, 0.1, 1)))
    axes.xaxis.set_major_formatter(lambda value, _: percent(value))
    note = "●: mean over topics, given at the right. Bar: its 95 % interval. |: the worst topic of the strategy."
    return Plot(f"ranking{case.slug}", "Area, as a share of the oracle’s", note, figure)


def gaps(case: Case, palette: Palette) -> Plot | None:
    """The difference between the leader's area and every other strategy's, paired by topic."""
    if not case.gaps:
        return None
    figure, axes = listing(len(case.gaps))
    axes.axvline(0, color=AXIS, linewidth=1.2)
    for place, gap in enumerate(case.gaps):
        _gap(axes, place, gap, palette.line(gap.other))
    rows(axes, [gap.other for gap in case.gaps], palette)
    axes.set_xlim(*_reach(case.gaps))
    axes.xaxis.set_major_formatter(lambda value, _: points(value, 0))
    note = (
        "The leader’s area minus that of each other strategy in percentage points, with the paired 95 % interval over "
        "topics. Hollow: no clear lead, because the interval includes zero or there is only one topic. "
        "At the right: topics that the leader wins."
    )
    return Plot(f"differences{case.slug}", f"{case.ranks[0].strategy} against the other strategies", note, figure)


def _standing(axes: Axes, place: int, rank: Rank, colour: str) -> None:
    axes.plot([rank.worst, rank.area], [place, place], color=colour, linewidth=0.9, alpha=0.6)
    axes.plot([rank.low, rank.high], [place, place], color=colour, linewidth=6, alpha=0.35, solid_capstyle="round")
    axes.plot(rank.worst, place, "|", color=colour, markersize=9, markeredgewidth=1.8)
    [dot] = axes.plot(rank.area, place, "o", color=colour, markersize=7, markeredgecolor=PAPER, clip_on=False)
    span = f"95 % interval {rank.low:.3f} to {rank.high:.3f}"
    tip(dot, f"{rank.strategy}: {rank.area:.3f}, {span}, worst topic {rank.worst:.3f}")
    beside(axes, place, f"{rank.area:.2f}")


def _gap(axes: Axes, place: int, gap: Pair, colour: str) -> None:
    # One topic has no interval.
    if topics_of(gap) > 1:
        axes.plot([gap.low, gap.high], [place, place], color=colour, linewidth=2.4, solid_capstyle="round")
    face = colour if is_clear(gap) else PAPER
    [dot] = axes.plot(gap.difference, place, "o", color=colour, markerfacecolor=face, markersize=6, markeredgewidth=1.6)
    tip(dot, f"{gap.other}: {points(gap.difference)} points, {points(gap.low)} to {points(gap.high)}")
    beside(axes, place, f"{gap.wins}/{topics_of(gap)}")


def _reach(gaps: Sequence[Pair]) -> tuple[float, float]:
    # Zero is always in view, and small differences are not blown up to the full width.
    low = min(0, *(gap.low for gap in gaps))
    high = max(0.02, *(gap.high for gap in gaps))
    margin = 0.06 * (high - low)
    return low - margin, high + margin
