"""Explain why a page is relevant, and why it was visited.

Every URL that a crawl has found has a state and a reason. First come the words of the page that
make it relevant, with their counts; then the score with which it was chosen, and what the score is
made of; then the path of links that led to it from a start page. For a URL that the crawl has never
seen, the command lists similar ones and exits with 1.
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
    return 1 if explanation.state == "unknown" else 0
