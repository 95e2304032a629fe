"""Watch a focused crawl beside a blind one, on a small web of our own; no network needed.

The labyrinth is a synthetic web that this machine serves to itself. The same start pages and the
same number of visits are given to breadth-first search and to a focused strategy.
"""

from __future__ import annotations

import argparse

from clew.cli import demo

EXAMPLES = """
  clew demo
  clew demo --strategy best_first --pages 300
  clew demo --topic astronomy --json
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """The size of the show."""
    parser.add_argument("--topic", default=demo.TOPIC, metavar="NAME", help=f"what to look for ({demo.TOPIC})")
    parser.add_argument(
        "--strategy", default=demo.STRATEGY, metavar="NAME", help=f"of the focused crawl ({demo.STRATEGY})"
    )
    parser.add_argument("--pages", type=int, default=500, metavar="N", help="visits of each crawl (500)")
    parser.add_argument("--size", type=int, default=20_000, metavar="N", help="pages of the labyrinth (20000)")
    parser.add_argument("--folder", default="", help="where to keep the crawls (crawls/demo)")


def run(args: argparse.Namespace) -> int:
    """The whole show."""
    return demo.run(args)
