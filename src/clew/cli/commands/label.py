"""Mark pages as relevant or not, to correct the judge.

A label overrides the judge: the page counts as you say, and the strategy learns from it. A running
crawl applies new labels after its next commit; otherwise this command applies them. A page that
waits to be visited comes next if you say yes, and is dropped if you say no. If topics have examples,
a labelled page becomes a further example or counter-example, and all pages are judged again: by this
command, when the crawl ends, or when it is resumed. A label belongs to the interest for which it was
given.

With --user, the labels also go into a profile of that user, which is kept across crawls: see 'clew
profile'. Of users who disagree about a page, the latest one decides whether it counts.

Without URLs, the command lists the labels.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from clew.cli.logs import add_log_flags
from clew.cli.progress import spinner
from clew.cli.terminal import clean, dump, err, out, reason, words
from clew.errors import ConfigError

if TYPE_CHECKING:
    from clew.store import Label

EXAMPLES = """
  clew label crawls/baltic https://example.org/boats/dinghy.html yes
  clew label crawls/baltic https://example.org/cars/ https://example.org/golf/ no
  clew label crawls/baltic https://example.org/boats/ yes https://example.org/golf/ no
  clew label crawls/baltic --from labels.txt         # lines such as: https://example.org/golf/ no
  clew label crawls/baltic https://example.org/boats/ yes --user anna
  clew label crawls/baltic
"""
VERDICTS = {"yes": True, "no": False}
USAGE = "name the pages, then say yes or no: clew label FOLDER URL yes"


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folder, the pages and their labels."""
    parser.usage = "clew label FOLDER [URL ... yes|no ...] [--from FILE] [--user NAME]"
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder; the crawl may be running")
    parser.add_argument(
        "pages",
        metavar="URL yes|no",
        nargs="*",
        help="pages, followed by yes (relevant) or no (not relevant); several such groups may follow each other",
    )
    parser.add_argument(
        "--from", dest="file", metavar="FILE", help="read pages from a file, one per line, followed by yes or no"
    )
    parser.add_argument(
        "--user", default="", metavar="NAME", help="whose labels these are; without URLs: list only those"
    )
    parser.add_argument(
        "--profile",
        default="",
        metavar="FILE",
        help="keep the profile of the user in this file (default: see clew profile)",
    )
    add_log_flags(parser)


def run(args: argparse.Namespace) -> int:
    """Apply the labels, or list those that exist."""
    from clew import api
    from clew.store import Records

    new_labels = _requested(args.pages, args.file)
    if new_labels:
        with spinner("applying the labels", silent=args.quiet or args.json):
            labels = api.label(args.folder, new_labels, user=args.user, profile=args.profile)
    else:
        with closing(Records(args.folder)) as records:
            labels = [label for label in records.labels() if not args.user or label.user == args.user]
    if args.json:
        dump([label._asdict() for label in labels])
    elif not labels:
        err().print("This crawl has no labels. To add one: clew label FOLDER URL yes", markup=False)
    elif not args.quiet or not new_labels:
        out().print(_table(labels))
    if new_labels and not args.quiet and not args.json:
        _report_unseen(args.folder, labels)
    return 0


def _report_unseen(folder: str, labels: list[Label]) -> None:
    """Point out pages that the crawl does not know: the URL may be mistyped."""
    from clew.store import Records

    with closing(Records(folder)) as records:
        unseen = [label.url for label in labels if records.find(label.url) is None]
        nearest = {url: records.nearest(url, 1) for url in unseen}
    for url, known in nearest.items():
        message = f"{clean(url)}: this crawl has never seen this URL; the label waits until it is visited"
        if known:
            message += f". Did you mean {clean(known[0])}?"
        err().print(message, markup=False, soft_wrap=True)


def _requested(pages: list[str], file: str | None) -> dict[str, bool]:
    """Return the URLs with their labels; lines of the file without one take that of the command line."""
    labels: dict[str, bool] = {}
    verdict: bool | None = None
    group: list[str] = []
    for word in pages:
        if word.lower() not in VERDICTS:
            group.append(word)
            continue
        verdict = VERDICTS[word.lower()]
        # A verdict without pages before it can only be meant for the file.
        if not group and (labels or not file):
            raise ConfigError(f"{word!r} follows no page; {USAGE}")
        labels |= dict.fromkeys(group, verdict)
        group = []
    if group:
        raise ConfigError(f"no yes or no follows {group[0]}; {USAGE}")
    for line in _lines(file) if file else ():
        url, _, word = line.partition(" ")
        relevant = VERDICTS.get(word.strip().lower()) if word.strip() else verdict
        if relevant is None:
            raise ConfigError(f"{file}: the line {line!r} must end with yes or no")
        labels[url] = relevant
    return labels


def _lines(file: str) -> list[str]:
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the labels in {file}: {reason(error)}") from None
    return [" ".join(line.split()) for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _table(labels: list[Label]) -> Table:
    table = Table(box=None, header_style="dim")
    table.add_column("relevant")
    table.add_column("applied", style="dim")
    with_users = any(label.user for label in labels)
    if with_users:
        table.add_column("user")
    table.add_column("interest", style="dim", overflow="fold")
    table.add_column("page", style="cyan", overflow="fold")
    for label in labels:
        applied = "not yet" if label.taken is None else f"after visit {label.taken:,}"
        user = [words(label.user)] if with_users else []
        interest = words(label.interest, width=40)
        table.add_row("yes" if label.relevant else "no", applied, *user, interest, words(label.url))
    return table
