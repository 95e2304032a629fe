"""Tell why a page was visited, or why it was not.

Every URL that a crawl has seen has a state and a reason. The path shows the links that led there
from a start page, with the score that each page had before its visit and the relevance that it
turned out to have.
"""

from __future__ import annotations

import argparse

from clew.cli import path
from clew.cli.terminal import dump, out

EXAMPLES = """
  clew explain crawls/baltic https://example.org/boats/dinghy.html
  clew explain crawls/baltic https://example.org/boats/dinghy.html --json
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """The folder and the URL."""
    parser.add_argument("folder", metavar="FOLDER", help="the crawl folder")
    parser.add_argument("url", metavar="URL", help="a page, a candidate or a URL that was refused")


def run(args: argparse.Namespace) -> int:
    """Print state, reason, path and score."""
    from clew import api

    explanation = api.explain(args.folder, args.url)
    if args.json:
        dump(explanation)
    else:
        out().print(path.drawn(explanation))
    return 0
