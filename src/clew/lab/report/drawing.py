"""From figures to files: SVG that follows the colours of its page, PNG, and who gets which colour."""

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
MUTED, OTHERS = "#5c6067", "#b3b8c0"
HALF, FULL = 4.85, 10.0  # inches; at 96 dots an inch two halves fill the page
NAMED: Final = {INK: "ink", GRID: "grid", AXIS: "axis", PAPER: "paper", MUTED: "muted", OTHERS: "others"} | {
    colour: f"{kind}{place}" for kind, row in (("lead", LEADS), ("part", PARTS)) for place, colour in enumerate(row)
}
TIP: Final = "tip:"


@dataclass(frozen=True)
class Plot:
    """A figure with its words."""

    name: str
    title: str
    note: str
    figure: Figure

    def svg(self) -> str:
        """To be put into the page: its colours are the page's variables, its texts stay texts."""
        import matplotlib

        stream = io.StringIO()
        with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "clew"}):
            save(self.figure, stream, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        self.figure.set_layout_engine("none")  # everything has its place now; finding it again takes long
        return _inlined(stream.getvalue(), self.name, escape(self.title, quote=True))

    def png(self, folder: Path) -> Path:
        """On white, for slides and papers, with the title that the page has beside the picture."""
        file, title = folder / f"{self.name}.png", textwrap.fill(self.title, 54)
        words = self.figure.text(0.01, 1.01, title, color=INK, fontsize=11, weight="bold", parse_math=False)
        save(self.figure, file, metadata={"Software": None}, bbox_inches="tight", pad_inches=0.12)
        words.remove()
        return file


@dataclass(frozen=True)
class Palette:
    """The best few are coloured, the others are grey, whichever plot it is."""

    strategies: tuple[str, ...]  # best first

    @property
    def leads(self) -> tuple[str, ...]:
        """All if they are few."""
        few = len(LEADS)
        return self.strategies if len(self.strategies) <= few else self.strategies[: few - 1]

    @property
    def named(self) -> tuple[str, ...]:
        """Those with a name beside their line: the leads, and what everything is measured against."""
        return tuple(name for name in self.strategies if name in self.leads or name == BASELINE)

    @property
    def banded(self) -> tuple[str, ...]:
        """Those whose spread is drawn: the best, and what it is measured against; more would hide each other."""
        return self.named if len(self.named) < 3 else tuple(n for n in self.named if n in (self.leads[0], BASELINE))

    def line(self, strategy: str) -> str:
        """The colour of a line or a dot."""
        if strategy in self.leads:
            return LEADS[self.leads.index(strategy)]
        return MUTED if strategy == BASELINE else OTHERS

    def text(self, strategy: str) -> str:
        """The colour of a name: grey would be too pale."""
        return LEADS[self.leads.index(strategy)] if strategy in self.leads else MUTED


def tip(artist: Artist, words: str) -> None:
    """What is told when the pointer rests on it."""
    artist.set_gid(TIP + words)


def short(name: str, most: int = 26) -> str:
    """A long name without its middle.

    >>> short("shark(gamma=0.1, delta=0.25)", 20)
    'shark(gamma…ta=0.25)'
    """
    kept = most - 1
    return name if len(name) <= most else f"{name[: kept - kept // 2 + 1]}…{name[-(kept // 2) + 1 :]}"


def listing(count: int, extra: float = 0.0) -> tuple[Figure, Axes]:
    """An empty plot with room for so many rows."""
    figure = sheet(HALF, 0.6 + extra + 0.26 * max(count, 2))
    axes = figure.subplots()
    quiet(axes, grid="x")
    axes.locator_params(axis="x", nbins=5)
    return figure, axes


def rows(axes: Axes, names: Sequence[str], palette: Palette, size: float = 9.5) -> None:
    """Strategies below each other, the first on top, each in its colour."""
    axes.set_yticks(range(len(names)), [short(name) for name in names], parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="x", labelsize=size, pad=4)
    axes.tick_params(axis="y", labelsize=size, pad=8)
    for text, name in zip(axes.get_yticklabels(), names, strict=True):
        text.set_color(palette.text(name))
        text.set_fontweight("bold" if name in palette.leads else "normal")
    axes.spines["bottom"].set_visible(False)


def beside(axes: Axes, place: float, words: str) -> None:
    """A number in the column right of a row."""
    where: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points"}
    axes.annotate(words, (1, place), (6, 0), **where, va="center", fontsize=9.5, color=INK, parse_math=False)


def _inlined(svg: str, name: str, title: str) -> str:
    """Without what only a file needs; ids are made the plot's own, for many plots share the page."""
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.S)
    width = re.search(r'viewBox="0 0 ([\d.]+)', svg)
    pixels = float(width[1]) * 4 / 3 if width else 0
    head = f'<svg role="img" aria-label="{title}" style="width: {pixels:.0f}px" viewBox'
    svg = re.sub(r"<svg[^>]*? viewBox", lambda found: head, svg, count=1)
    svg = re.sub(r' xmlns(:xlink)?="[^"]*"| version="1.1"', "", svg).replace("xlink:href", "href")
    svg = re.sub(rf'<g id="{TIP}([^"]*)">', r'<g class="tip"><title>\1</title>', svg)
    svg = re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}-", svg)
    return re.sub(r'style="[^"]*"', _style, svg)


def _style(found: re.Match[str]) -> str:
    """The page's font and colours."""
    style = re.sub(r"font: (?:(\w+) )?([\d.]+px) [^;\"]+", r"font-weight: \1; font-size: \2", found[0])
    style = style.replace("font-weight: ; ", "")
    return re.sub(r"#[0-9a-f]{6}\b", lambda hit: f"var(--{NAMED[hit[0]]})" if hit[0] in NAMED else hit[0], style)
