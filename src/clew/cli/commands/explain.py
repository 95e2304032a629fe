"""Explain why a URL was visited, or why it was not.

Every URL that a crawl has found has a state and a reason. The path shows the links that led to it
from a start page; each page on the path has the score with which it was chosen and the relevance
that it turned out to have. At the end come the parts of the URL's own score.
"""

from __future__ import annotations

import argparse
from contextlib import closing

from clew.cli import path
from clew.cli.progress import spinner
from clew.cli.terminal import dump, out

EXAMPLES = """
  clew explain crawls/baltic https://example.org/boats/dinghy.html
  clew explain crawls/baltic https://example.org/boats/dinghy.html --json
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folder and the URL."""
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder")
    parser.add_argument("url", metavar="URL", help="URL of a page, a candidate, or anything else the crawl has seen")


def run(args: argparse.Namespace) -> int:
    """Print state, reason, path and score of the URL."""
    from clew import api
    from clew.store import Records

    with spinner("restoring the state of the crawl", silent=args.quiet or args.json):
        explanation = api.explain(args.folder, args.url)
    if args.json:
        dump(explanation)
    else:
        with closing(Records(args.folder)) as records:
            threshold = records.threshold
        out().print(path.render(explanation, threshold))
    return 0
