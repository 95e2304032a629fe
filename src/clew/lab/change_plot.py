"""Draws how strategies react to change."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from clew.lab.change import Change, Kind, StrategyChange
from clew.lab.interest_change import WINDOW_VISITS
from clew.lab.plots import COLOURS, INK, LINE, End, dress, label, percent, picture, quiet, windowed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLES: Final[dict[Kind, str]] = {
    "refocus": "another interest: harvest",
    "labels": "labels of the user: harvest",
    "reuse": "knowledge of an earlier crawl: harvest",
}


def draw(change: Change, found: Sequence[StrategyChange], kinds: Sequence[Kind], file: Path) -> None:
    """Write a picture with a plot for each kind of change."""
    title = f"{change.world}: {change.before}, then {change.after}"
    rows = -(-len(kinds) // 2)
    with picture(file, title, height=0.8 + 3.6 * rows) as figure:
        axes = figure.subplots(rows, min(2, len(kinds)), squeeze=False).ravel()
        for place, kind in enumerate(kinds):
            if kind == "drift":
                _drift(axes[place], found)
            else:
                topic = change.narrower if kind == "labels" else ""
                _curves(axes[place], kind, f"{TITLES[kind]} for {topic}" if topic else TITLES[kind], found)
        for empty in axes[len(kinds) :]:
            empty.axis("off")


def _drift(axes: Axes, found: Sequence[StrategyChange]) -> None:
    quiet(axes, "pages removed from the web: finds that are left")
    ends: list[End] = []
    for strategy, colour in zip(found, _colours(found), strict=True):
        shares = list(strategy.drift)
        axes.plot(shares, list(strategy.drift.values()), color=colour, marker="o", **LINE)
        ends.append((strategy.drift[shares[-1]], strategy.strategy, colour))
    axes.set_xlabel("share of pages removed", fontsize=10.5, color=INK)
    axes.set_ylim(0, 1.1)
    axes.xaxis.set_major_formatter(lambda value, _: percent(value))
    axes.yaxis.set_major_formatter(lambda value, _: percent(value))
    label(axes, ends)


def _curves(axes: Axes, kind: Kind, title: str, found: Sequence[StrategyChange]) -> None:
    """Draw the harvest of each strategy over the latest visits; dashed: that of a fresh crawl."""
    ends: list[End] = []
    for strategy, colour in zip(found, _colours(found), strict=True):
        reaction = strategy.reactions[kind]
        for visits, style in ((reaction.visits, "-"), (reaction.fresh_visits, "--")):
            curve = windowed(np.array(visits, np.int8) == 1, WINDOW_VISITS)
            is_fresh = style == "--"
            line = LINE | ({"linewidth": 1.2, "alpha": 0.7} if is_fresh else {})
            axes.plot(np.arange(1, len(curve) + 1), curve, color=colour, linestyle=style, **line)
            if not is_fresh and len(curve):
                ends.append((float(curve[-1]), strategy.strategy, colour))
    dress(axes, f"{title} (dashed: fresh)", is_share=True)
    label(axes, ends)


def _colours(found: Sequence[StrategyChange]) -> list[str]:
    return [COLOURS[place % len(COLOURS)] for place in range(len(found))]
