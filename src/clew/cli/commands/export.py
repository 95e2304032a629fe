"""Export the pages of a crawl: as JSON lines, CSV, Parquet or URLs, as Markdown, as a graph, or as a web archive.

Texts are the main texts of the pages, without menus, as light Markdown. The format md writes one
file with all pages if the output is stdout or a FILE.md, and otherwise one file for each page into
a folder; each page begins with its URL, title and relevance as YAML front matter.

Pages that 'clew recrawl' has visited again are exported in their newest version; the column
"version" holds its number.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from clew.cli.export_markdown import folder_target, is_folder
from clew.cli.export_rows import columns, rows, safe_cells
from clew.cli.exporting import (
    BINARY_FORMATS,
    DEFAULT_FORMAT,
    FORMATS,
    READING_FORMATS,
    chosen,
    format_of,
    target,
)
from clew.cli.progress import Advance, progress
from clew.cli.terminal import clean, counted, dump, err
from clew.errors import ConfigError

if TYPE_CHECKING:
    from clew.store import Record, Records

EXTRACTORS = ("clew", "trafilatura")
EXAMPLES = """
  clew export crawls/baltic --relevant > pages.jsonl
  clew export crawls/baltic --text -o pages.parquet
  clew export crawls/baltic --relevant --format md -o baltic-pages/
  clew export crawls/baltic --format urls --relevant -o start-pages.txt
  clew export crawls/baltic --relevant -o baltic.graphml
  clew export crawls/baltic --relevant --text -o baltic.wacz
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add folder, format, choice of pages, and output file."""
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder")
    parser.add_argument(
        "-f",
        "--format",
        choices=[*FORMATS, *READING_FORMATS],
        metavar="FORMAT",
        help=f"format of the output: {', '.join([*FORMATS, *READING_FORMATS])} (default: by the suffix of the file: "
        f".csv, .jsonl, .md, .parquet, .txt for URLs, .graphml, .warc.gz, .wacz; otherwise {DEFAULT_FORMAT})",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="output file, or a folder for md (default: stdout)")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--relevant", action="store_true", help="export relevant pages only")
    choice.add_argument(
        "--all", action="store_true", help="export every visit: failures, redirects and refused URLs too"
    )
    parser.add_argument(
        "--text",
        action="store_true",
        help="add the main text of each page; a WACZ can be searched then",
    )
    parser.add_argument(
        "--extractor",
        choices=EXTRACTORS,
        default=EXTRACTORS[0],
        help="what extracts main texts: clew (default, fast) or trafilatura (better on articles, ten times "
        "slower; needs the extra clew-crawler[text])",
    )
    parser.add_argument(
        "--raw-cells",
        action="store_true",
        help="CSV: leave texts as they are that begin like a formula; by default they get an apostrophe",
    )


def run(args: argparse.Namespace) -> int:
    """Stream the pages into the file."""
    from clew.store import Record, Records

    form = args.format or format_of(args.output)
    if form in BINARY_FORMATS and args.output is None and sys.stdout.isatty():
        raise ConfigError(f"{form} is a binary format and cannot be shown in a terminal: name a file with -o FILE")
    opened = folder_target if form == "md" and is_folder(args.output) else target
    with closing(Records(args.folder)) as records, opened(args.output) as file:
        text = _text_reader(records, args.extractor) if args.text or form == "md" else None
        total = records.stats().visited
        # On stdout the rows themselves may fill the terminal, so progress is shown for a file only.
        with progress("exporting", silent=args.quiet or args.json or args.output is None) as advance:
            pages = _watched(chosen(records, args.relevant, args.all), total, advance)
            if form in READING_FORMATS:
                count = READING_FORMATS[form](records, pages, file, text)
            else:
                cells = rows(records, pages, text)
                if form == "csv" and not args.raw_cells:
                    cells = map(safe_cells, cells)
                count = FORMATS[form](cells, columns(Record, records.topics(), args.text), file)
        lost = len(records.store.lost.urls)
    if args.json and args.output:
        dump({"file": args.output, "pages": count})
    elif not args.quiet and not args.json:
        place = f" to {args.output}" if args.output else ""
        err().print(f"Exported {counted(count, 'page')}{place}.", markup=False, soft_wrap=True)
        _report_lost(args.folder, lost)
    return 0


def _text_reader(records: Records, extractor: str) -> Callable[[Record], str]:
    """What reads main texts; without its library it fails here, before anything is written."""
    from clew.parse.extractors import extractor_named

    extractor_named(extractor)
    return lambda record: records.main_text(record, extractor)


def _report_lost(folder: str, lost: int) -> None:
    """Say that pages have no text because the archive has lost their answers."""
    if lost:
        message = f"{counted(lost, 'page')} without text: the archive has lost their answers. clew check {folder}"
        err().print(clean(message), markup=False, soft_wrap=True)


def _watched(pages: Iterable[Record], total: int, advance: Advance | None) -> Iterator[Record]:
    """Pass the pages on and report every hundredth; what counts is how far into the crawl its visit was."""
    for done, page in enumerate(pages):
        if advance and done % 100 == 0:
            advance(min(page.order, total), total)
        yield page
