"""What all plots share: colours, plain axes, labels at the ends of lines, and saving."""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clew.base.extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Flags = NDArray[np.bool_]
Curve = NDArray[np.float64]
# Can be told apart without seeing red and green.
COLOURS = ["#0b7a75", "#c4572a", "#5b4b9a", "#8a8d91", "#b08900"]
INK = "#2b2d31"
GRID = "#e4e6e9"
AXIS = "#9a9da3"
PAPER = "#ffffff"
LINE: dict[str, Any] = {"linewidth": 2.2, "solid_capstyle": "round", "solid_joinstyle": "round"}
End = tuple[float, str, str]  # where a line ends, its label, its colour


def sheet(width: float = 11, height: float = 4.6) -> Figure:
    """An empty figure of a size in inches, which makes room for its labels by itself."""
    require("matplotlib", "plots")
    # Slow to import and optional, so only when a figure is drawn.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=150, facecolor=PAPER, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


@contextmanager
def picture(file: Path, title: str = "", height: float = 4.6) -> Iterator[Figure]:
    """A figure that is saved when the block ends."""
    figure = sheet(height=height)
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12, wspace=0.06)  # type: ignore[union-attr,call-arg]
    yield figure
    if title:
        short = textwrap.shorten(title, 100, placeholder=" …")
        figure.suptitle(short, fontsize=13, color=INK, x=0.012, ha="left", weight="bold", parse_math=False)
    save(figure, file)


def save(figure: Figure, file: Any, **options: Any) -> None:
    """Save a figure to a file, whose folder is created if needed, or to an open stream."""
    if isinstance(file, Path):
        file.parent.mkdir(parents=True, exist_ok=True)
    # A character that the font lacks is drawn as a box; topics may be in any script, so that is no reason to warn.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        figure.savefig(file, **options)


def found_so_far(flags: Flags) -> Curve:
    """The number of relevant pages after each visit.

    >>> found_so_far(np.array([True, False, True])).tolist()
    [1.0, 1.0, 2.0]
    """
    return np.cumsum(flags, dtype=np.float64)


def windowed(flags: Flags, window: int) -> Curve:
    """The share of relevant pages among the last `window` visits (at the start: among all so far).

    >>> windowed(np.array([True, False, True, True]), 2).tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    sums = np.concatenate([[0.0], found_so_far(flags)])
    visits = np.arange(1, len(sums))
    first = np.maximum(visits - window, 0)
    return np.asarray((sums[visits] - sums[first]) / (visits - first), dtype=np.float64)


def window(longest: int) -> int:
    """A number of visits that is large enough to smooth out noise, and small enough to show a change.

    >>> window(2000), window(100), window(8)
    (100, 25, 10)
    """
    return 100 if longest >= 400 else max(longest // 4, 10)


def percent(share: float) -> str:
    """A share as a percentage.

    >>> percent(0.256)
    '26 %'
    """
    return f"{share:.0%}".replace("%", " %")


def quiet(axes: Axes, title: str = "", grid: str = "y") -> None:
    """Plain axes: few lines, in light colours."""
    axes.set_title(title, loc="left", fontsize=11.5, color=INK, pad=10, parse_math=False)
    axes.set_axisbelow(True)
    axes.grid(visible=False)
    axes.grid(axis=grid, color=GRID, linewidth=0.8)  # type: ignore[arg-type]
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(AXIS)
    axes.tick_params(colors=INK, labelsize=10, length=0, pad=6)


def dress(axes: Axes, title: str, is_share: bool) -> None:
    """Plain axes for a curve over visits."""
    quiet(axes, title)
    axes.set_xlabel("pages visited", fontsize=10.5, color=INK)
    axes.set_xlim(0, max(axes.dataLim.x1, 1))
    axes.set_ylim(0, 1.02 if is_share else max(axes.dataLim.y1 * 1.05, 1))
    axes.locator_params(axis="x", integer=True, nbins=6)
    axes.locator_params(axis="y", integer=not is_share, nbins=6)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.yaxis.set_major_formatter(lambda value, _: percent(value) if is_share else f"{value:,.0f}")


def label(axes: Axes, ends: list[End], gap: float = 0.13) -> None:
    """Labels beside the ends of the lines, moved apart where they would overlap."""
    low, high = axes.get_ylim()
    # Labels instead of a legend: the reader need not match colours.
    ends = sorted(ends, key=lambda end: end[0])
    room = (high - low) * gap
    places = spread([value for value, _, _ in ends], room, high - room / 4)
    for place, (_, words, colour) in zip(places, ends, strict=True):
        text: dict[str, Any] = {"color": colour, "fontsize": 10.5, "va": "center", "parse_math": False}
        axes.annotate(
            words, (1, place), (8, 0), xycoords=axes.get_yaxis_transform(), textcoords="offset points", **text
        )


def spread(places: Sequence[float], gap: float, top: float) -> list[float]:
    """Ascending positions, moved up until they are `gap` apart, then down again where they are above the top.

    >>> spread([0.0, 0.1, 1.0, 1.0], gap=0.25, top=1.0)
    [0.0, 0.25, 0.75, 1.0]
    """
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + gap) if moved else place)
    for at in reversed(range(len(moved))):
        ceiling = moved[at + 1] - gap if at + 1 < len(moved) else top
        moved[at] = min(moved[at], ceiling)
    return moved
