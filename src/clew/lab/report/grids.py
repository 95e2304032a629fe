"""Everything against everything: strategies by topics, and strategies by strategies."""

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

ROOM = 2.1  # inches for names
MANY = 14  # columns beyond which cells have no room for numbers


def topics(case: Case, palette: Palette) -> Plot | None:
    """The area of each strategy on each topic: where it fails."""
    names, columns = list(case.areas), case.topics
    if len(columns) < 2:
        return None
    values = np.array([[case.areas[name].get(topic, np.nan) for topic in columns] for name in names])
    tips = [[f"{name} on {topic} of {world}" for world, topic in columns] for name in names]
    width = float(np.clip(ROOM + 0.6 * len(columns), HALF, FULL))
    figure = sheet(width, 1.9 + 0.25 * len(names))
    axes = figure.subplots()
    _cells(axes, values, tips)
    _crowns(axes, values)
    rows(axes, names, palette, 9 if len(names) < 20 else 8.5)
    _heads(axes, columns, letters=(width - ROOM) / len(columns) * 13)
    note = (
        "Area, of the oracle’s: the stronger the colour, the better; framed: the best on the topic. "
        "Strategies as ranked, topics of each world from easy to hard."
    )
    return Plot(f"topics{case.slug}", "Topic by topic", note, figure)


def overlap(case: Case, palette: Palette) -> Plot | None:
    """Relevant pages that both found, over those that either found."""
    names, values = list(case.by_strategy), _overlaps(case)
    if np.isnan(values).all():
        return None
    tips = [[f"{one} and {other}" for other in names] for one in names]
    most = float(np.nanmax(values))
    figure = sheet(HALF, 0.6 + (0.3 if len(names) <= MANY else 0.19) * max(len(names), 3))
    axes = figure.subplots()
    _cells(axes, values, tips, most or 1)
    rows(axes, names, palette, 9 if len(names) <= MANY else 8)
    axes.set_yticklabels([f"{short(name)}  {place}" for place, name in enumerate(names, 1)], parse_math=False)
    axes.xaxis.tick_top()
    told = [place for place in range(1, len(names) + 1) if len(names) <= MANY or place == 1 or place % 5 == 0]
    axes.set_xticks([place - 1 for place in told], [str(place) for place in told], color=MUTED)
    axes.set_xlim(-0.5, len(names) - 0.5)
    note = (
        f"Relevant pages that both found, of those that either found; strongest colour: {percent(most)}. "
        "Pale pairs find different pages."
    )
    return Plot(f"overlap{case.slug}", "Do they find the same pages?", note, figure)


def _overlaps(case: Case) -> Table:
    places = {name: place for place, name in enumerate(case.by_strategy)}
    values = np.full((len(places), len(places)), np.nan)
    for pair in case.comparison.overlap():
        one, other = places[pair.strategy], places[pair.other]
        values[one, other] = values[other, one] = pair.found
    return values


def _cells(axes: Axes, values: Table, tips: list[list[str]], most: float = 1) -> None:
    """Opacity instead of a colour scale: it holds on white and on black."""
    from matplotlib.patches import Rectangle

    has_room = values.shape[1] <= MANY
    for (row, column), value in np.ndenumerate(values):
        if np.isnan(value):
            continue
        place = (column - 0.46, row - 0.44)
        cell = Rectangle(place, 0.92, 0.88, facecolor=LEADS[0], alpha=0.04 + 0.96 * value / most, linewidth=0)
        tip(cell, f"{tips[row][column]}: {value:.3f}")
        axes.add_patch(cell)
        if has_room:
            colour = PAPER if value > 0.7 * most else INK
            axes.text(column, row, f"{value:.2f}".removeprefix("0"), color=colour, fontsize=8, ha="center", va="center")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _crowns(axes: Axes, values: Table) -> None:
    from matplotlib.patches import Rectangle

    best, width = np.nanmax(values, axis=0), 1.3 if values.shape[1] <= 2 * MANY else 0.9
    for row, column in np.argwhere((values == best) & (best > 0)):
        place = (column - 0.46, row - 0.44)
        axes.add_patch(Rectangle(place, 0.92, 0.88, fill=False, edgecolor=INK, linewidth=width))


def _heads(axes: Axes, columns: Sequence[Topic], letters: float) -> None:
    """Topics above, worlds below; a column is so many letters wide."""
    steep = len(columns) > MANY
    axes.xaxis.tick_top()
    axes.set_xticks(
        range(len(columns)),
        [short(topic, 22) for _, topic in columns],
        rotation=90 if steep else 40,
        ha="center" if steep else "left",
        rotation_mode="default" if steep else "anchor",
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
