"""The harvest of one crawl or several, as a picture."""

from __future__ import annotations

import itertools
import textwrap
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Flags = NDArray[np.bool_]
Curve = NDArray[np.float64]
COLOURS = ["#0b7a75", "#c4572a", "#5b4b9a", "#8a8d91", "#b08900"]  # tell apart also without red and green
INK, GRID = "#2b2d31", "#e4e6e9"
LINE: dict[str, Any] = {"linewidth": 2.2, "solid_capstyle": "round", "solid_joinstyle": "round"}
End = tuple[float, str, str]  # where a line ends, its label, its colour


def harvest(crawls: Mapping[str, Flags], file: Path, title: str = "") -> Path:
    """Draw relevant pages found and the harvest rate over visits into a PNG."""
    with picture(file, title) as figure:
        found, rate = figure.subplots(1, 2)
        _draw_found(found, crawls)
        _draw_rate(rate, crawls, _window(crawls))
    return file


@contextmanager
def picture(file: Path, title: str = "") -> Iterator[Figure]:
    """A figure that is saved when it is drawn."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # slow to import, so only when needed
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.6), dpi=150, facecolor="white", layout="constrained")
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12, wspace=0.06)  # type: ignore[union-attr,call-arg]
    FigureCanvasAgg(figure)
    yield figure
    if title:
        short = textwrap.shorten(title, 100, placeholder=" …")
        figure.suptitle(short, fontsize=13, color=INK, x=0.012, ha="left", weight="bold", parse_math=False)
    file.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():  # a letter that the font lacks is shown as a box; no need to shout
        warnings.simplefilter("ignore", UserWarning)
        figure.savefig(file)


def found_so_far(flags: Flags) -> Curve:
    """Relevant pages after each visit.

    >>> found_so_far(np.array([True, False, True])).tolist()
    [1.0, 1.0, 2.0]
    """
    return np.cumsum(flags, dtype=np.float64)


def windowed(flags: Flags, window: int) -> Curve:
    """Share of relevant pages among the last `window` visits (at the start: among all so far).

    >>> windowed(np.array([True, False, True, True]), 2).tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    sums = np.concatenate([[0.0], found_so_far(flags)])
    visits = np.arange(1, len(sums))
    first = np.maximum(visits - window, 0)
    return np.asarray((sums[visits] - sums[first]) / (visits - first), dtype=np.float64)


def _window(crawls: Mapping[str, Flags]) -> int:
    longest = max((len(flags) for flags in crawls.values()), default=0)
    return 100 if longest >= 400 else max(longest // 4, 10)


def _draw_found(axes: Axes, crawls: Mapping[str, Flags]) -> None:
    ends: list[End] = []
    for colour, (name, flags) in _coloured(crawls):
        axes.plot(np.arange(len(flags) + 1), [0, *found_so_far(flags)], color=colour, **LINE)
        ends.append((float(flags.sum()), f"{name}\n{flags.sum():,}", colour))
    dress(axes, "Relevant pages found", is_share=False)
    label(axes, ends)


def _draw_rate(axes: Axes, crawls: Mapping[str, Flags], window: int) -> None:
    ends: list[End] = []
    for colour, (name, flags) in _coloured(crawls):
        share = windowed(flags, window)
        first = min(window // 5, len(share) // 2)  # the share of two or three pages is only noise
        overall = float(flags.mean()) if len(flags) else 0.0
        axes.plot(np.arange(first, len(share)) + 1, share[first:], color=colour, **LINE)
        axes.axhline(overall, color=colour, linewidth=1, linestyle=(0, (2, 3)))
        ends.append((overall, f"{name}\n{_percent(overall)} overall", colour))
    dress(axes, f"Share of relevant pages among the last {window} visits", is_share=True)
    label(axes, ends)


def _coloured(crawls: Mapping[str, Flags]) -> Iterator[tuple[str, tuple[str, Flags]]]:
    return zip(itertools.cycle(COLOURS), crawls.items(), strict=False)


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


def dress(axes: Axes, title: str, is_share: bool) -> None:
    """Quiet axes with few lines."""
    axes.set_title(title, loc="left", fontsize=11.5, color=INK, pad=10)
    axes.set_xlabel("pages visited", fontsize=10.5, color=INK)
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color("#9a9da3")
    axes.tick_params(colors=INK, labelsize=10, length=0, pad=6)
    axes.set_xlim(0, max(axes.dataLim.x1, 1))
    axes.set_ylim(0, 1.02 if is_share else max(axes.dataLim.y1 * 1.05, 1))
    axes.locator_params(axis="x", integer=True, nbins=6)
    axes.locator_params(axis="y", integer=not is_share, nbins=6)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.yaxis.set_major_formatter(lambda value, _: _percent(value) if is_share else f"{value:,.0f}")


def label(axes: Axes, ends: list[End]) -> None:
    """Names beside the ends of the lines, moved apart where they would overlap; no legend needed."""
    low, high = axes.get_ylim()
    gap, place = (high - low) * 0.13, low - (high - low)
    for value, words, colour in sorted(ends, key=lambda end: end[0]):
        place = max(value, place + gap)
        text: dict[str, Any] = {"color": colour, "fontsize": 10.5, "va": "center", "parse_math": False}
        axes.annotate(
            words, (1, place), (8, 0), xycoords=axes.get_yaxis_transform(), textcoords="offset points", **text
        )
