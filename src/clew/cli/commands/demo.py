"""Compare a focused crawl with breadth-first search on a synthetic web.

Clew serves the labyrinth, a synthetic web, on this machine and crawls it twice with the same start
pages and the same number of visits: breadth-first, and with a focused strategy. No network is needed.
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
    """Add topic, strategy, sizes and folder."""
    parser.add_argument("--topic", default=demo.TOPIC, metavar="NAME", help="topic to look for (default: %(default)s)")
    parser.add_argument(
        "--strategy",
        default=demo.STRATEGY,
        metavar="NAME",
        help="strategy of the focused crawl (default: %(default)s)",
    )
    parser.add_argument(
        "--pages", type=int, default=500, metavar="N", help="visits of each crawl (default: %(default)s)"
    )
    parser.add_argument(
        "--size", type=int, default=20_000, metavar="N", help="pages of the labyrinth (default: %(default)s)"
    )
    parser.add_argument("--folder", default="", help="where to keep the crawls (default: crawls/demo)")


def run(args: argparse.Namespace) -> int:
    """Run both crawls and compare them."""
    return demo.run(args)
