"""Grids of cells: strategies by topics, and strategies by strategies."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from clew.lab.plots import INK, PAPER, percent, sheet
from clew.lab.report.cases import Case, Table, Topic
from clew.lab.report.drawing import FULL, HALF, LEADS, MUTED, Palette, Plot, rows, short, tip

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME_INCHES = 2.1  # room for the names of strategies
MAX_NUMBERED_COLUMNS = 14  # with more, cells have no room for numbers


def topics(case: Case, palette: Palette) -> Plot | None:
    """The area of each strategy on each topic."""
    names = list(case.areas)
    columns = case.topics
    if len(columns) < 2:
        return None
    values = np.array([_topic_row(case.areas[name], columns) for name in names])
    tips = [_topic_tips(name, columns) for name in names]
    width = float(np.clip(NAME_INCHES + 0.6 * len(columns), HALF, FULL))
    figure = sheet(width, 1.9 + 0.25 * len(names))
    axes = figure.subplots()
    _cells(axes, values, tips)
    _frame_best(axes, values)
    rows(axes, names, palette, 9 if len(names) < 20 else 8.5)
    _heads(axes, columns, letters=(width - NAME_INCHES) / len(columns) * 13)
    note = (
        "Area as a share of the oracle’s: the stronger the colour, the better. A frame marks the best strategy on a "
        "topic. Strategies are ordered by rank, the topics of each world from easy to hard."
    )
    return Plot(f"topics{case.slug}", "Area on each topic", note, figure)


def overlap(case: Case, palette: Palette) -> Plot | None:
    """Relevant pages that two strategies both found, as a share of those that either found."""
    names = list(case.by_strategy)
    values = _overlaps(case)
    if np.isnan(values).all():
        return None
    tips = [_pair_tips(name, names) for name in names]
    largest = float(np.nanmax(values))
    has_numbers = len(names) <= MAX_NUMBERED_COLUMNS
    figure = sheet(HALF, 0.6 + (0.3 if has_numbers else 0.19) * max(len(names), 3))
    axes = figure.subplots()
    _cells(axes, values, tips, largest or 1)
    rows(axes, names, palette, 9 if has_numbers else 8)
    # There is no room for names above the columns, so rows and columns are numbered.
    axes.set_yticklabels([f"{short(name)}  {place}" for place, name in enumerate(names, 1)], parse_math=False)
    axes.xaxis.tick_top()
    numbered = [place for place in range(1, len(names) + 1) if has_numbers or place == 1 or place % 5 == 0]
    axes.set_xticks([place - 1 for place in numbered], [str(place) for place in numbered], color=MUTED)
    axes.set_xlim(-0.5, len(names) - 0.5)
    note = (
        "Relevant pages that both strategies found, as a share of those that either found; the strongest colour is "
        f"{percent(largest)}. Pale pairs find different pages."
    )
    return Plot(f"overlap{case.slug}", "Do they find the same pages?", note, figure)


def _topic_row(areas: dict[Topic, float], columns: Sequence[Topic]) -> list[float]:
    return [areas.get(topic, np.nan) for topic in columns]


def _topic_tips(strategy: str, columns: Sequence[Topic]) -> list[str]:
    return [f"{strategy} on {topic} of {world}" for world, topic in columns]


def _pair_tips(strategy: str, others: Sequence[str]) -> list[str]:
    return [f"{strategy} and {other}" for other in others]


def _overlaps(case: Case) -> Table:
    places = {name: place for place, name in enumerate(case.by_strategy)}
    values = np.full((len(places), len(places)), np.nan)
    for pair in case.comparison.overlap():
        one = places[pair.strategy]
        other = places[pair.other]
        values[one, other] = values[other, one] = pair.found
    return values


def _cells(axes: Axes, values: Table, tips: list[list[str]], largest: float = 1) -> None:
    from matplotlib.patches import Rectangle

    has_numbers = values.shape[1] <= MAX_NUMBERED_COLUMNS
    for (row, column), value in np.ndenumerate(values):
        if np.isnan(value):
            continue
        place = (column - 0.46, row - 0.44)
        # Opacity instead of a colour scale: it works on white and on black.
        opacity = 0.04 + 0.96 * value / largest
        cell = Rectangle(place, 0.92, 0.88, facecolor=LEADS[0], alpha=opacity, linewidth=0)
        tip(cell, f"{tips[row][column]}: {value:.3f}")
        axes.add_patch(cell)
        if has_numbers:
            colour = PAPER if value > 0.7 * largest else INK
            axes.text(column, row, f"{value:.2f}".removeprefix("0"), color=colour, fontsize=8, ha="center", va="center")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _frame_best(axes: Axes, values: Table) -> None:
    from matplotlib.patches import Rectangle

    best = np.nanmax(values, axis=0)
    width = 1.3 if values.shape[1] <= 2 * MAX_NUMBERED_COLUMNS else 0.9
    for row, column in np.argwhere((values == best) & (best > 0)):
        place = (column - 0.46, row - 0.44)
        axes.add_patch(Rectangle(place, 0.92, 0.88, fill=False, edgecolor=INK, linewidth=width))


def _heads(axes: Axes, columns: Sequence[Topic], letters: float) -> None:
    """Write topics above the columns and worlds below; a column has room for this many letters."""
    is_vertical = len(columns) > MAX_NUMBERED_COLUMNS
    axes.xaxis.tick_top()
    axes.set_xticks(
        range(len(columns)),
        [short(topic, 22) for _, topic in columns],
        rotation=90 if is_vertical else 40,
        ha="center" if is_vertical else "left",
        rotation_mode="default" if is_vertical else "anchor",
        fontsize=8.5 if len(columns) < 40 else 7,
        color=INK,
        parse_math=False,
    )
    axes.set_xlim(-0.5, len(columns) - 0.5)
    first = 0
    for world, group in groupby(columns, key=lambda column: column[0]):
        last = first + len(list(group)) - 1
        _foot(axes, short(world, max(6, int(letters * (last - first + 1)))), first, last)
        first = last + 1


def _foot(axes: Axes, world: str, first: int, last: int) -> None:
    base = axes.get_xaxis_transform()
    axes.plot([first - 0.4, last + 0.4], [-0.02, -0.02], color=MUTED, linewidth=1, transform=base, clip_on=False)
    middle = (first + last) / 2
    options: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": 9, "color": MUTED, "parse_math": False}
    axes.annotate(world, (middle, -0.02), (0, -4), xycoords=base, textcoords="offset points", **options)
