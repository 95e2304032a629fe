"""`clew lab noise`: how far crawls differ by chance alone."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.text import Text

from clew.cli import lab_compare
from clew.cli.lab_ranks import grid
from clew.cli.terminal import clean, dump, out

if TYPE_CHECKING:
    from rich.table import Table

    from clew.lab.noise import Spread

TEXT = """Repeat crawls with scores that differ in the fourth digit only (--jitter), and show how far their
results differ. Two crawls that take almost equal candidates in another order can end far apart. A difference between
strategies that is not larger than this spread means nothing; compare with --repeats then.

The table shows the mean area under the curve of relevant pages over visits, as a share of the
oracle's, its standard deviation and its range, and the range of relevant pages found."""
EXAMPLES = """
  clew lab noise adaptive --world labyrinth:1000 --topics 2 --repeats 5
  clew lab noise adaptive shark --world labyrinth:2000 --topics sailing --distance 1 --manners live
  clew lab noise adaptive --world labyrinth:1000 --topics 2 --jitter 0.02
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the crawls to repeat."""
    lab_compare.add_task_flags(parser, repeats=5)
    lab_compare.add_job_flags(parser)


def run(args: argparse.Namespace) -> int:
    """Repeat the crawls, and print the spread of each."""
    from clew.lab.noise import spreads

    title = f"noise of {', '.join(args.strategies)} on {', '.join(args.world)}"
    comparison = lab_compare.performed(lab_compare.experiment_of(args, args.strategies, title), args)
    if comparison is None:
        return lab_compare.INTERRUPTED
    lab_compare.complain(comparison)
    found = spreads(comparison.results)
    if args.json:
        dump([asdict(each) for each in found])
    else:
        out().print(_table(found))
    return 1 if comparison.failures else 0


def _table(found: list[Spread]) -> Table:
    table = grid("world", "topic", "start", "strategy", "area", "deviation", "range", "found")
    for each in found:
        names = clean(each.world), clean(each.topic), f"{each.distance}", clean(each.strategy)
        areas = f"{each.area:.3f}", f"{each.deviation:.3f}", f"{each.least:.3f} to {each.most:.3f}"
        table.add_row(*map(Text, names), *areas, f"{each.least_found} to {each.most_found}")
    return table
