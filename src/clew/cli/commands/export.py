"""Export the pages of a crawl as JSON lines, CSV, Parquet or a list of URLs.

Pages that 'clew recrawl' has visited again are exported in their newest version; the column
"version" holds its number.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing

from clew.cli.exporting import DEFAULT_FORMAT, FORMATS, Row, columns, format_of, rows, target
from clew.cli.progress import Advance, progress
from clew.cli.terminal import counted, dump, err
from clew.errors import ConfigError

EXAMPLES = """
  clew export crawls/baltic --relevant > pages.jsonl
  clew export crawls/baltic --text -o pages.parquet
  clew export crawls/baltic --format urls --relevant -o start-pages.txt
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add folder, format, choice of pages, and output file."""
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder")
    parser.add_argument(
        "-f",
        "--format",
        choices=FORMATS,
        metavar="FORMAT",
        help=f"format of the output: {', '.join(FORMATS)} (default: by the suffix of the file: .csv, .jsonl, .parquet, "
        f".txt for URLs; otherwise {DEFAULT_FORMAT})",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="output file (default: stdout)")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--relevant", action="store_true", help="export relevant pages only")
    choice.add_argument(
        "--all", action="store_true", help="export every visit: failures, redirects and refused URLs too"
    )
    parser.add_argument("--text", action="store_true", help="add the text of each page, read from the archive")


def run(args: argparse.Namespace) -> int:
    """Stream the pages into the file."""
    from clew.store import Record, Records

    form = args.format or format_of(args.output)
    if form == "parquet" and args.output is None and sys.stdout.isatty():
        raise ConfigError("Parquet is a binary format and cannot be shown in a terminal: name a file with -o FILE")
    with closing(Records(args.folder)) as records, target(args.output) as file:
        total = records.stats().visited
        pages = rows(records, args.relevant, args.text, args.all)
        # On stdout the rows themselves may fill the terminal, so progress is shown for a file only.
        with progress("exporting", silent=args.quiet or args.json or args.output is None) as advance:
            count = FORMATS[form](_watched(pages, total, advance), columns(Record, args.text), file)
    if args.json and args.output:
        dump({"file": args.output, "pages": count})
    elif not args.quiet and not args.json:
        place = f" to {args.output}" if args.output else ""
        err().print(f"Exported {counted(count, 'page')}{place}.", markup=False, soft_wrap=True)
    return 0


def _watched(pages: Iterable[Row], total: int, advance: Advance | None) -> Iterator[Row]:
    """Pass the rows on and report every hundredth; what counts is how far into the crawl its visit was."""
    for done, row in enumerate(pages):
        if advance and done % 100 == 0:
            advance(min(row["order"], total), total)
        yield row
