"""Tell a crawl which pages are what you want, and which are not.

A label overrides the judge: the page counts as you say, and the strategy hears it. A crawl that is running takes
labels in after its next commit; when none is running, this command does it. A label on a page that was not visited
yet waits for the visit. Where topics have examples, a labelled page is a further example or counter-example:
the judge learns from it and all pages are judged again, here, when the crawl ends or when it is resumed. A label
holds under the interest of its time. Without URLs the labels are listed.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from clew.cli.terminal import dump, out, words
from clew.errors import ConfigError

if TYPE_CHECKING:
    from clew.store import Label

EXAMPLES = """
  clew label crawls/baltic https://example.org/boats/dinghy.html yes
  clew label crawls/baltic https://example.org/cars/ https://example.org/golf/ no
  clew label crawls/baltic --from labels.txt         # lines such as: https://example.org/golf/ no
  clew label crawls/baltic
"""
VERDICTS = {"yes": True, "no": False}


def flags(parser: argparse.ArgumentParser) -> None:
    """The folder, the pages and the verdict."""
    parser.usage = "clew label FOLDER [URL [URL ...] yes|no] [--from FILE]"
    parser.add_argument("folder", metavar="FOLDER", help="the crawl folder, of a running crawl or of one that is over")
    parser.add_argument("pages", metavar="URL yes|no", nargs="*", help="pages, then whether they are what you want")
    parser.add_argument("--from", dest="file", metavar="FILE", help="pages from a file, each line with yes or no")


def run(args: argparse.Namespace) -> int:
    """Say it, or show what was said."""
    from clew import api
    from clew.store import Records

    if said := _said(args.pages, args.file):
        shown = api.label(args.folder, said)
    else:
        with closing(Records(args.folder)) as records:
            shown = records.labels()
    if args.json:
        dump([label._asdict() for label in shown])
    elif not args.quiet or not said:
        out().print(_table(shown))
    return 0


def _said(pages: list[str], file: str | None) -> dict[str, bool]:
    """URLs with their verdicts; a line of the file may leave its own to the command line."""
    *urls, last = pages or [""]
    verdict = VERDICTS.get(last.lower())
    if pages and (verdict is None or not (urls or file)):
        raise ConfigError("name the pages, then say yes or no: clew label FOLDER URL yes")
    said = {url: bool(verdict) for url in urls}
    for line in _lines(file) if file else ():
        url, _, word = line.partition(" ")
        wanted = VERDICTS.get(word.strip().lower()) if word.strip() else verdict
        if wanted is None:
            raise ConfigError(f"{file}: {line!r} should end with yes or no")
        said[url] = wanted
    return said


def _lines(file: str) -> list[str]:
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the labels in {file}: {error}") from None
    return [" ".join(line.split()) for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _table(labels: list[Label]) -> Table:
    table = Table(box=None, header_style="dim")
    table.add_column("wanted")
    table.add_column("taken in", style="dim")
    table.add_column("interest", style="dim", overflow="fold")
    table.add_column("page", style="cyan", overflow="fold")
    for label in labels:
        taken = "not yet" if label.taken is None else f"at turn {label.taken:,}"
        table.add_row("yes" if label.relevant else "no", taken, words(label.interest, width=40), words(label.url))
    return table
