"""Draws the harvest of one or several crawls."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from clew.lab.plots import COLOURS, LINE, End, Flags, dress, found_so_far, label, percent, picture, window, windowed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARK_COLOUR: Final = "#777777"
MAX_TEXTS: Final = 12


def harvest(crawls: Mapping[str, Flags], file: Path, title: str = "", marks: Mapping[int, str] | None = None) -> Path:
    """Draw a PNG with the relevant pages found and the harvest rate, both over visits.

    Marks, by visit, are short texts on vertical lines: what has changed there.
    """
    width = window(max((len(flags) for flags in crawls.values()), default=0))
    with picture(file, title) as figure:
        found, rate = figure.subplots(1, 2)
        _draw_found(found, crawls)
        _draw_rate(rate, crawls, width)
        for axes in (found, rate):
            _draw_marks(axes, marks or {})
    return file


def _draw_found(axes: Axes, crawls: Mapping[str, Flags]) -> None:
    ends: list[End] = []
    for colour, (name, flags) in _coloured(crawls):
        axes.plot(np.arange(len(flags) + 1), [0, *found_so_far(flags)], color=colour, **LINE)
        ends.append((float(flags.sum()), f"{name}\n{flags.sum():,}", colour))
    dress(axes, "Relevant pages found", is_share=False)
    label(axes, ends)


def _draw_rate(axes: Axes, crawls: Mapping[str, Flags], width: int) -> None:
    ends: list[End] = []
    for colour, (name, flags) in _coloured(crawls):
        share = windowed(flags, width)
        # The share among the first few pages is only noise.
        first = min(width // 5, len(share) // 2)
        overall = float(flags.mean()) if len(flags) else 0.0
        axes.plot(np.arange(first, len(share)) + 1, share[first:], color=colour, **LINE)
        axes.axhline(overall, color=colour, linewidth=1, linestyle=(0, (2, 3)))
        ends.append((overall, f"{name}\n{percent(overall)} overall", colour))
    dress(axes, f"Share of relevant pages in the last {width} visits", is_share=True)
    label(axes, ends)


def _draw_marks(axes: Axes, marks: Mapping[int, str]) -> None:
    for visit, text in marks.items():
        axes.axvline(visit, color=MARK_COLOUR, linewidth=0.8, linestyle=(0, (1, 2)))
        if len(marks) > MAX_TEXTS:
            # Too many to be read.
            continue
        axes.annotate(
            # A dollar sign would begin a formula.
            text.replace("$", r"\$"),
            (visit, 0.98),
            xycoords=("data", "axes fraction"),
            rotation=90,
            va="top",
            ha="right",
            fontsize=6,
            color=MARK_COLOUR,
        )


def _coloured(crawls: Mapping[str, Flags]) -> Iterator[tuple[str, tuple[str, Flags]]]:
    return zip(itertools.cycle(COLOURS), crawls.items(), strict=False)
