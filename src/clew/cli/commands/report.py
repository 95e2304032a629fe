"""Write the report of a crawl: one HTML file to look at, keep, or send.

It shows what 'clew serve' shows: the figures, the harvest curve, the best pages with the reasons, the
hosts, and what would come next. It needs no server and loads nothing from elsewhere; the crawl may be
running. Every crawl writes its report when it ends, unless it has the setting --no-report.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

from clew.cli.progress import spinner
from clew.cli.terminal import dump, say

EXAMPLES = """
  clew report crawls/baltic
  clew report crawls/baltic -o baltic.html
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folder and the file."""
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder; the crawl may be running")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="file to write (default: report/report.html in the crawl folder)"
    )


def run(args: argparse.Namespace) -> int:
    """Write the report and say where it is."""
    from clew.serve.report import write_report
    from clew.store import Records

    with spinner("writing the report", silent=args.quiet or args.json), closing(Records(args.folder)) as records:
        file = write_report(records, Path(args.output) if args.output else None)
    if args.json:
        dump({"report": str(file)})
    else:
        say(str(file))
    return 0
