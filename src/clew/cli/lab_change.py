"""`clew lab change`: how strategies react when the web, the interest or their knowledge changes."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from clew.base.extras import require
from clew.cli.lab_ranks import grid
from clew.cli.progress import progress
from clew.cli.terminal import clean, dump, err, out, percent

if TYPE_CHECKING:
    from rich.table import Table

    from clew.lab.change import Change, Kind, StrategyChange
    from clew.lab.interest_change import Reaction

KINDS = ("drift", "refocus", "labels", "reuse")
TEXT = """Show how strategies react to change. Four kinds of it:

  drift     a share of the pages is removed from the web: finds that are left, as a share
  refocus   the interest is replaced by another one in mid-crawl
  labels    the interest stays, but the user labels finds by the second topic or, if none is
            named, by a narrower one
  reuse     a crawl for the second topic starts with what a crawl for the first one has learned

The last three are compared with a fresh crawl for the second topic: the delay is the number of visits
until the latest 25 visits reach half of its harvest rate (at least 25; a dash: never). Then come the
harvest rate after the change and that of the fresh crawl; reuse also shows the gain in the area
under the lift curve, in points of 100."""
EXAMPLES = """
  clew lab change adaptive shark --world labyrinth:2000 -o change.png
  clew lab change adaptive --world labyrinth:2000 --before sailing --after comets --kinds refocus reuse
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the strategies, the world and the change."""
    parser.add_argument("strategies", metavar="STRATEGY", nargs="+", help="a name, or a name with parameters")
    parser.add_argument("--world", default="labyrinth", metavar="WORLD", help="world to crawl (default: %(default)s)")
    parser.add_argument("--before", default="", metavar="TOPIC", help="topic before the change (default: a common one)")
    parser.add_argument(
        "--after", default="", metavar="TOPIC", help="topic after the change (default: a different one)"
    )
    parser.add_argument(
        "--kinds",
        nargs="+",
        default=list(KINDS),
        choices=KINDS,
        metavar="KIND",
        help=f"of {', '.join(KINDS)} (default: all)",
    )
    parser.add_argument(
        "--change", type=int, default=100, metavar="N", help="visits before the change (default: %(default)s)"
    )
    parser.add_argument("--budget", type=int, default=250, metavar="N", help="visits in all (default: %(default)s)")
    parser.add_argument(
        "--judge",
        default="truth",
        metavar="JUDGE",
        help="truth, classifier, keywords, examples or noise:10 (default: truth)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the crawls (default: %(default)s)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write a picture to this file (.png, .svg or .pdf)")


def run(args: argparse.Namespace) -> int:
    """Run the crawls, print the reactions and draw them."""
    from clew.errors import ConfigError
    from clew.lab.change import Change, narrower_topic, react, two_topics
    from clew.lab.worlds import find

    if args.output:
        require("matplotlib", "plots")
    if not 0 < args.change < args.budget:
        raise ConfigError("--change must be above 0 and below --budget")
    with progress(f"reading {args.world} for the first time", silent=args.json) as advance:
        world = find(args.world, advance)
    before, after = args.before, args.after
    if not (before and after):
        before, after = two_topics(world)
        before, after = args.before or before, args.after or after
    narrower = "" if args.after else narrower_topic(world, before)
    change = Change(args.world, before, after, narrower, args.change, args.budget, args.judge, args.seed)
    kinds: list[Kind] = list(dict.fromkeys(args.kinds))
    found = [react(change, strategy, kinds) for strategy in args.strategies]
    if args.json:
        dump({"change": asdict(change), "strategies": [asdict(each) for each in found]})
    else:
        _show(change, found, kinds)
    if args.output:
        from clew.lab.change_plot import draw

        draw(change, found, kinds, Path(args.output))
        err().print(f"picture: {args.output}", markup=False)
    return 0


def _show(change: Change, found: list[StrategyChange], kinds: list[Kind]) -> None:
    console = out()
    console.print(Text(f"{clean(change.world)}: {clean(change.before)}, then {clean(change.after)}", style="bold"))
    if "drift" in kinds:
        console.print("", _drift(found))
    for kind in kinds:
        if kind != "drift":
            topic = change.narrower if kind == "labels" else ""
            title = f"{kind} ({clean(topic)})" if topic else kind
            console.print("", _reactions(kind, title, found))


def _drift(found: list[StrategyChange]) -> Table:
    shares = [share for share in found[0].drift if share]
    table = grid("drift: finds left", *(f"{percent(share)} removed" for share in shares))
    for each in found:
        table.add_row(Text(clean(each.strategy)), *(percent(each.drift[share]) for share in shares))
    return table


def _reactions(kind: Kind, title: str, found: list[StrategyChange]) -> Table:
    gain = ["gain"] if kind == "reuse" else []
    table = grid(title, "delay", "harvest", "fresh", *gain)
    for each in found:
        cells = _cells(each.reactions[kind])
        if kind == "reuse" and each.gain is not None:
            cells.append(f"{100 * each.gain:+.1f}")
        table.add_row(Text(clean(each.strategy)), *cells)
    return table


def _cells(reaction: Reaction) -> list[str]:
    delay = "–" if reaction.delay is None else str(reaction.delay)
    return [delay, percent(reaction.harvest), percent(reaction.fresh)]
