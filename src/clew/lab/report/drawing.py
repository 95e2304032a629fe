"""Turns figures into SVG for the page and PNG files, and assigns colours to strategies."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from clew.lab.comparison import BASELINE
from clew.lab.plots import AXIS, GRID, INK, PAPER, quiet, save, sheet

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEADS: Final = ("#0b7a75", "#c4572a", "#5b4b9a", "#8f6e00", "#b5377f")
PARTS: Final = ("#24476b", "#4f7cac", "#8fb3d4", "#c4d7e8", "#a8adb5", "#d8dade")
MUTED: Final = "#5c6067"
OTHERS: Final = "#b3b8c0"
# Widths in inches: at 96 dots per inch two halves fill the page.
HALF: Final = 4.85
FULL: Final = 10.0
# The CSS variable of each colour. The page defines them for light and dark mode.
VARIABLES: Final = (
    {INK: "ink", GRID: "grid", AXIS: "axis", PAPER: "paper", MUTED: "muted", OTHERS: "others"}
    | {colour: f"lead{place}" for place, colour in enumerate(LEADS)}
    | {colour: f"part{place}" for place, colour in enumerate(PARTS)}
)
TIP: Final = "tip:"  # begins the id of an element that has a tooltip


@dataclass(frozen=True)
class Plot:
    """A figure with its title and caption."""

    name: str  # of its file
    title: str
    note: str  # the caption
    figure: Figure

    def svg(self) -> str:
        """The figure as SVG for the page: colours are variables of the page, and text stays text."""
        import matplotlib

        stream = io.StringIO()
        # A fixed salt and no dates: the same comparison gives the same bytes.
        with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "clew"}):
            save(self.figure, stream, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        # Everything has its place now; computing the layout again for the PNG would be slow.
        self.figure.set_layout_engine("none")
        return _inlined(stream.getvalue(), self.name, escape(self.title, quote=True))

    def png(self, folder: Path) -> Path:
        """Write the figure on white, for slides and papers; return the path of the file."""
        file = folder / f"{self.name}.png"
        # In the page the title is HTML, so the figure itself has none.
        wrapped = textwrap.fill(self.title, 54)
        title = self.figure.text(0.01, 1.01, wrapped, color=INK, fontsize=11, weight="bold", parse_math=False)
        save(self.figure, file, metadata={"Software": None}, bbox_inches="tight", pad_inches=0.12)
        title.remove()
        return file


@dataclass(frozen=True)
class Palette:
    """The colours of strategies in all plots: the best few have one each, the others are grey."""

    strategies: tuple[str, ...]  # best first

    @property
    def leads(self) -> tuple[str, ...]:
        """The strategies that have a colour: all if there are few, else the best."""
        colours = len(LEADS)
        return self.strategies if len(self.strategies) <= colours else self.strategies[: colours - 1]

    @property
    def highlighted(self) -> tuple[str, ...]:
        """The strategies with a name beside their line: those with a colour, and the baseline."""
        return tuple(name for name in self.strategies if name in self.leads or name == BASELINE)

    @property
    def banded(self) -> tuple[str, ...]:
        """The strategies whose spread is drawn."""
        # Only the best and the baseline: more bands would hide each other.
        if len(self.highlighted) < 3:
            return self.highlighted
        return tuple(name for name in self.highlighted if name in (self.leads[0], BASELINE))

    def line(self, strategy: str) -> str:
        """The colour of a line or a dot."""
        if strategy in self.leads:
            return LEADS[self.leads.index(strategy)]
        return MUTED if strategy == BASELINE else OTHERS

    def text(self, strategy: str) -> str:
        """The colour of a name; the grey of lines would be too pale for text."""
        return LEADS[self.leads.index(strategy)] if strategy in self.leads else MUTED


def tip(artist: Artist, words: str) -> None:
    """Give an element a tooltip."""
    # Matplotlib has none, so the text travels as an id and becomes a <title> in the SVG.
    artist.set_gid(TIP + words)


def short(name: str, limit: int = 26) -> str:
    """The name, without its middle if it is longer than the limit.

    >>> short("shark(gamma=0.1, delta=0.25)", 20)
    'shark(gamma…ta=0.25)'
    """
    if len(name) <= limit:
        return name
    end = (limit - 1) // 2 - 1
    start = limit - 1 - end
    return f"{name[:start]}…{name[-end:]}"


def listing(count: int, extra: float = 0.0) -> tuple[Figure, Axes]:
    """An empty plot with room for this many rows."""
    figure = sheet(HALF, 0.6 + extra + 0.26 * max(count, 2))
    axes = figure.subplots()
    quiet(axes, grid="x")
    axes.locator_params(axis="x", nbins=5)
    return figure, axes


def rows(axes: Axes, names: Sequence[str], palette: Palette, size: float = 9.5) -> None:
    """Label the rows with strategies, the first on top, each in its colour."""
    axes.set_yticks(range(len(names)), [short(name) for name in names], parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="x", labelsize=size, pad=4)
    axes.tick_params(axis="y", labelsize=size, pad=8)
    for text, name in zip(axes.get_yticklabels(), names, strict=True):
        text.set_color(palette.text(name))
        text.set_fontweight("bold" if name in palette.leads else "normal")
    axes.spines["bottom"].set_visible(False)


def beside(axes: Axes, place: float, words: str) -> None:
    """Write a number to the right of a row."""
    where: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points"}
    axes.annotate(words, (1, place), (6, 0), **where, va="center", fontsize=9.5, color=INK, parse_math=False)


def _inlined(svg: str, name: str, title: str) -> str:
    """The SVG as part of an HTML page, without what only a file needs."""
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.S)
    width = re.search(r'viewBox="0 0 ([\d.]+)', svg)
    pixels = float(width[1]) * 4 / 3 if width else 0
    head = f'<svg role="img" aria-label="{title}" style="width: {pixels:.0f}px" viewBox'
    svg = re.sub(r"<svg[^>]*? viewBox", lambda found: head, svg, count=1)
    svg = re.sub(r' xmlns(:xlink)?="[^"]*"| version="1.1"', "", svg).replace("xlink:href", "href")
    svg = re.sub(rf'<g id="{TIP}([^"]*)">', r'<g class="tip"><title>\1</title>', svg)
    # Many plots share the page, so each id begins with the name of its plot.
    svg = re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}-", svg)
    return re.sub(r'style="[^"]*"', _style, svg)


def _style(found: re.Match[str]) -> str:
    """A style attribute with the font and the colours of the page."""
    style = re.sub(r"font: (?:(\w+) )?([\d.]+px) [^;\"]+", r"font-weight: \1; font-size: \2", found[0])
    style = style.replace("font-weight: ; ", "")
    return re.sub(r"#[0-9a-f]{6}\b", lambda hit: _colour(hit[0]), style)


def _colour(colour: str) -> str:
    return f"var(--{VARIABLES[colour]})" if colour in VARIABLES else colour
