"""Write the pages of a crawl as JSON lines, CSV, Parquet or bare URLs.

After `clew recrawl` it is the newest version of each page that is written, with its number in the
column "version".
"""

from __future__ import annotations

import argparse
import sys
from contextlib import closing

from clew.cli.exporting import FORMATS, columns, rows, target
from clew.cli.terminal import dump, err
from clew.errors import ConfigError

EXAMPLES = """
  clew export crawls/baltic --relevant > pages.jsonl
  clew export crawls/baltic --format parquet --text -o pages.parquet
  clew export crawls/baltic --format urls --relevant -o start-pages.txt
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Folder, format, which pages, and where to."""
    parser.add_argument("folder", metavar="FOLDER", help="the crawl folder")
    parser.add_argument("-f", "--format", choices=FORMATS, default="jsonl", help="of the file (jsonl)")
    parser.add_argument("-o", "--output", metavar="FILE", help="the file (default: stdout)")
    parser.add_argument("--relevant", action="store_true", help="relevant pages only")
    parser.add_argument("--all", action="store_true", help="every visit: failures, redirects and refusals too")
    parser.add_argument("--text", action="store_true", help="with the text of each page, from the archive")


def run(args: argparse.Namespace) -> int:
    """Stream the pages into the file."""
    from clew.store import Record, Records

    if args.format == "parquet" and args.output is None and sys.stdout.isatty():
        raise ConfigError("a Parquet file is not for the eye: name it with -o FILE")
    with closing(Records(args.folder)) as records, target(args.output) as file:
        wanted = rows(records, args.relevant, args.text, args.all)
        count = FORMATS[args.format](wanted, columns(Record, args.text), file)
    if args.json and args.output:
        dump({"file": args.output, "pages": count})
    elif not args.quiet and not args.json:
        err().print(f"{count:,} pages{' in ' + args.output if args.output else ''}", markup=False, soft_wrap=True)
    return 0
