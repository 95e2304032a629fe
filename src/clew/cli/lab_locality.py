"""`clew lab locality`: whether relevant pages lie near each other, and the shape of a web."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from clew.base.extras import require
from clew.cli.lab_ranks import grid
from clew.cli.progress import progress
from clew.cli.terminal import clean, counted, dump, err, out, percent

if TYPE_CHECKING:
    from clew.lab.locality import Likelihood, Locality

TEXT = """Measure topical locality, the assumption behind every focused crawler: how likely a page is relevant by
the number of links from a relevant page, by the similarity of the anchor of a link with relevant pages,
and by how much of its URL it shares with a relevant page. Also how similar texts are by the number of
links between them, how similar two pages are that one page links to, by the distance of the two links,
and the bow tie of the web: its core, what leads to it, and what it leads to.

Shares are means over topics; lift is the share as a multiple of the topic's share of all pages."""
EXAMPLES = """
  clew lab locality labyrinth:2000
  clew lab locality labyrinth:2000:tunnel --topics sailing comets -o locality.png
  clew lab locality crawls/baltic --json
"""
PARTS = {
    "core": "core: pages that can all be reached from each other",
    "into": "in: leads to the core",
    "out_of": "out: the core leads to it",
    "tendrils": "tendrils: connected in other ways",
    "islands": "islands: not connected",
    "reach_from_core": "a crawl from the core can reach",
    "reach_from_out": "a crawl from behind the core can reach, on average",
}


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the world and its topics."""
    parser.add_argument("world", metavar="WORLD", help="world to measure; see 'clew lab worlds'")
    parser.add_argument(
        "--topics", nargs="+", default=["5"], metavar="N", help="number of topics, or their names (default: 5)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed for samples (default: %(default)s)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write a picture to this file (.png, .svg or .pdf)")


def run(args: argparse.Namespace) -> int:
    """Measure the world, print the figures and draw them."""
    from clew.errors import ConfigError
    from clew.lab.locality import locality, some_topics
    from clew.lab.worlds import find

    if args.output:
        require("matplotlib", "plots")
    with progress(f"reading {args.world} for the first time", silent=args.json) as advance:
        world = find(args.world, advance)
    names = args.topics
    if len(names) == 1 and names[0].isdecimal():
        names = some_topics(world, max(1, int(names[0])))
    if not names:
        raise ConfigError(f"{args.world} has no topics; see 'clew lab worlds {args.world}'")
    found = locality(world, names, args.seed)
    if args.json:
        dump(asdict(found))
    else:
        _show(found)
    if args.output:
        from clew.lab.locality_plot import draw

        draw(found, Path(args.output))
        err().print(f"picture: {args.output}", markup=False)
    return 0


def _show(found: Locality) -> None:
    console = out()
    topics = ", ".join(map(clean, found.topics))
    console.print(Text(f"{clean(found.world)}, {counted(len(found.topics), 'topic')}: {topics}", style="bold"))
    console.print(Text(f"{percent(found.base)} of all pages are on a topic, on average", style="dim"))
    _table("links from a relevant page", [each for each in found.by_distance if each.kind != "0"])
    _table("similarity of the anchor", found.by_anchor)
    _table("parts of the URL shared", found.by_url)
    _similarities("links between two pages", found.text)
    _similarities("two links on one page", found.siblings)
    table = grid("part of the web", "of all pages")
    for name, share in found.bow_tie.shares().items():
        table.add_row(PARTS[name], percent(share))
    console.print("", table)


def _similarities(title: str, rows: Mapping[str, float]) -> None:
    table = grid(title, "similarity of the texts")
    for kind, similarity in rows.items():
        table.add_row(kind, f"{similarity:.3f}")
    out().print("", table)


def _table(title: str, rows: Sequence[Likelihood]) -> None:
    table = grid(title, "relevant", "lift", "pages")
    for each in rows:
        if each.pairs:
            table.add_row(each.kind, percent(each.share), f"{each.lift:.1f}", f"{each.pairs:,}")
    out().print("", table)
