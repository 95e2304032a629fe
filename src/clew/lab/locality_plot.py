"""Draws topical locality and the bow tie of a world."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from clew.lab.locality import Likelihood, Locality
from clew.lab.plots import AXIS, COLOURS, INK, LINE, percent, picture, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PARTS = {"into": "in", "core": "core", "out_of": "out", "tendrils": "tendrils", "islands": "islands"}


def draw(found: Locality, file: Path) -> None:
    """Write a picture with five plots."""
    with picture(file, f"Topical locality of {found.world}", height=7.6) as figure:
        axes = figure.subplots(2, 3)
        _bow_tie(axes[0, 0], found)
        _distance(axes[0, 1], found)
        _texts(axes[0, 2], found)
        _bars(axes[1, 0], "relevant, by similarity of the anchor", found.by_anchor, found.base, COLOURS[1])
        _bars(axes[1, 1], "relevant, by parts of the URL shared", found.by_url, found.base, COLOURS[2])
        _notes(axes[1, 2], found)


def _bow_tie(axes: Axes, found: Locality) -> None:
    shares = found.bow_tie.shares()
    names = list(PARTS)
    quiet(axes, "bow tie: shares of all pages")
    bars = axes.bar([PARTS[name] for name in names], [shares[name] for name in names], color=COLOURS[0], width=0.65)
    axes.bar_label(bars, [percent(shares[name]) for name in names], fontsize=9.5, color=INK, padding=2)
    _as_shares(axes)


def _distance(axes: Axes, found: Locality) -> None:
    steps = [each for each in found.by_distance if each.pairs and each.kind != "0"]
    quiet(axes, "relevant, by links from a relevant page")
    axes.plot([each.kind for each in steps], [each.share for each in steps], color=COLOURS[0], marker="o", **LINE)
    _base(axes, found.base)
    _as_shares(axes)


def _texts(axes: Axes, found: Locality) -> None:
    kinds = [kind for kind in found.text if kind != "any"]
    quiet(axes, "similarity of texts, by links apart")
    axes.plot(kinds, [found.text[kind] for kind in kinds], color=COLOURS[0], marker="o", **LINE)
    _base(axes, found.text.get("any", 0.0), "dashed: pages drawn by chance")
    axes.set_ylim(0, None)


def _bars(axes: Axes, title: str, kinds: Sequence[Likelihood], base: float, colour: str) -> None:
    seen = [each for each in kinds if each.pairs]
    quiet(axes, title)
    bars = axes.bar([each.kind for each in seen], [each.share for each in seen], color=colour, width=0.65)
    axes.bar_label(bars, [percent(each.share) for each in seen], fontsize=9.5, color=INK, padding=2)
    axes.tick_params(axis="x", labelsize=8.5)
    _base(axes, base)
    _as_shares(axes)


def _base(axes: Axes, base: float, words: str = "dashed: all pages") -> None:
    axes.axhline(base, color=AXIS, linewidth=1.2, linestyle="--")
    # Not beside the line: it crosses the bars.
    axes.set_xlabel(words, fontsize=9.5, color=INK)


def _as_shares(axes: Axes) -> None:
    axes.set_ylim(0, max(0.05, axes.dataLim.y1 * 1.15))
    axes.yaxis.set_major_formatter(lambda value, _: percent(value))


def _notes(axes: Axes, found: Locality) -> None:
    """Write what a crawl can reach, how similar siblings are, and which topics were measured."""
    axes.axis("off")
    lines = [
        f"from the core: {percent(found.bow_tie.reach_from_core)} of all pages",
        f"from behind it: {percent(found.bow_tie.reach_from_out)} on average",
        "",
        "similarity of pages linked from one page:",
        *[f"  {similarity:.2f} {kind}" for kind, similarity in found.siblings.items()],
        "",
        "means over the topics:",
        *[f"  {topic}"[:44] for topic in found.topics[:6]],
    ]
    axes.text(0, 1, "\n".join(lines), va="top", fontsize=10, color=INK, parse_math=False, transform=axes.transAxes)
