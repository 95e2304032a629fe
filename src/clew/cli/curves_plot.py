"""Draws a comparison: how close each strategy comes to the oracle, and how certain that is."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clew.lab.plots import COLOURS, INK, LINE, End, dress, label, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from clew.lab.compare import Rank
    from clew.lab.trial import TrialResult


def comparison(ranks: Sequence[Rank], results: Sequence[TrialResult], file: Path, title: str = "") -> Path:
    """Draw shares of the oracle over visits, with the middle half of the trials as a band, and areas with intervals."""
    colours = dict(zip([rank.strategy for rank in ranks], itertools.cycle(COLOURS), strict=False))
    with picture(file, title) as figure:
        over_visits, areas = figure.subplots(1, 2, width_ratios=(3, 2))
        _shares(over_visits, results, colours)
        _areas(areas, ranks, colours)
    return file


def _shares(axes: Axes, results: Sequence[TrialResult], colours: dict[str, str]) -> None:
    ends: list[End] = []
    for strategy, colour in colours.items():
        curves = np.array([_share(result) for result in results if result.trial.strategy == strategy])
        visits = np.arange(1, curves.shape[1] + 1)
        axes.fill_between(visits, *np.quantile(curves, [0.25, 0.75], axis=0), color=colour, alpha=0.12, linewidth=0)
        axes.plot(visits, curves.mean(axis=0), color=colour, **LINE)
        ends.append((float(curves[:, -1].mean()), strategy, colour))
    dress(axes, "Relevant pages found, as a share of the oracle's", is_share=True)
    label(axes, ends)


def _share(result: TrialResult) -> NDArray[np.float64]:
    length = result.trial.budget
    # A crawl that ended before its budget keeps what it had found by then.
    found = np.full(length, int(result.found[-1]) if len(result.found) else 0)
    found[: len(result.found)] = result.found[:length]
    best = np.full(length, int(result.best[-1]))
    best[: len(result.best)] = result.best[:length]
    return np.asarray(found / np.maximum(best, 1), np.float64)


def _areas(axes: Axes, ranks: Sequence[Rank], colours: dict[str, str]) -> None:
    for place, rank in enumerate(reversed(ranks)):
        colour = colours[rank.strategy]
        axes.plot([rank.low, rank.high], [place, place], color=colour, linewidth=5, alpha=0.3, solid_capstyle="round")
        axes.plot(rank.area, place, "o", color=colour, markersize=8)
        axes.plot(rank.worst, place, "|", color=colour, markersize=12, markeredgewidth=2)
        axes.annotate(
            f"{rank.area:.2f}", (rank.area, place), (0, 9), textcoords="offset points", ha="center", color=INK
        )
    dress(axes, "Area, as a share of the oracle's (|: worst topic)", is_share=True)
    axes.set_xlabel("")
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.set_ylim(-0.6, len(ranks) - 0.4)
    axes.grid(visible=False, axis="y")
    axes.grid(axis="x", color="#e4e6e9", linewidth=0.8)
    axes.set_yticks(range(len(ranks)), [rank.strategy for rank in reversed(ranks)])
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
