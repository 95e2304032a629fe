"""Check a crawl folder, and repair it if need be.

The command compares the database with every record of the archive, the versions of 'clew recrawl'
included, and tries the last checkpoint and the labels. A check changes nothing and may run beside a
crawl. With --repair, pages whose archived answers are lost are marked, answers that have come back
(from a backup, say) are found again, and indexes are written anew. The crawl must not be running then.

The exit code is 0 if the folder is sound or could be repaired without a loss, otherwise 1. Losses that
are marked already do not count.
"""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from clew.cli.progress import progress
from clew.cli.terminal import clean, counted, dump, out, plain, size, words

if TYPE_CHECKING:
    from rich.console import Console

    from clew.store.findings import Finding, Verification

EXAMPLES = """
  clew check crawls/baltic
  clew check crawls/baltic --repair
  clew check crawls/baltic --json | jq .sound
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folder and the wish to repair."""
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder")
    parser.add_argument("--repair", action="store_true", help="repair what can be repaired")


def run(args: argparse.Namespace) -> int:
    """Check the folder and print what was found."""
    from clew.core.verification import verify
    from clew.store.database import database_of
    from clew.store.whole import databases

    folder = Path(args.folder)
    if not databases(folder):
        database_of(folder)
    with progress("reading the archive", silent=args.quiet or args.json) as advance:
        found = verify(folder, advance or (lambda done, total: None), mend=args.repair)
    if args.json:
        dump(_as_json(found))
    else:
        _show(out(), found, args)
    return 0 if found.is_sound else 1


def _show(console: Console, found: Verification, args: argparse.Namespace) -> None:
    for finding in found.findings:
        console.print(words(_line(finding), "" if finding.is_harmless else "yellow"), soft_wrap=True)
    if args.quiet:
        return
    held = f"{counted(found.pages, 'visit')}, {counted(found.answers, 'archived answer')}, {size(found.bytes)}"
    console.print(Text.assemble(_conclusion(found, args), style="bold"), words(held, "dim"), sep="\n", soft_wrap=True)


def _line(finding: Finding) -> str:
    """One kind of finding: how often, what became of it, and the first examples."""
    repaired = ""
    if finding.is_repaired:
        repaired = ", now marked" if finding.is_loss else ", now repaired"
    examples = ", ".join(clean(example, 120) for example in finding.examples)
    more = ", …" if finding.count > len(finding.examples) else ""
    return f"{finding.text[0].upper()}{finding.text[1:]}: {finding.count:,}{repaired} ({examples}{more})"


def _conclusion(found: Verification, args: argparse.Namespace) -> str:
    folder = shlex.quote(args.folder)
    if any(finding.kind == "database" and not finding.is_repaired for finding in found.findings):
        return f"{folder} is damaged. Bring back crawl.db from a backup, or try: sqlite3 crawl.db .recover"
    if any(finding.repair and not finding.is_repaired for finding in found.findings):
        return f"{folder} needs a repair: clew check {folder} --repair"
    if any(finding.is_loss and finding.is_repaired for finding in found.findings):
        return f"The lost answers are marked. To fetch these pages again: clew recrawl {folder}"
    if not found.is_sound:
        return f"{folder} is damaged."
    return f"{folder} is sound."


def _as_json(found: Verification) -> dict[str, object]:
    findings = [{name: value for name, value in plain(each).items() if name != "repair"} for each in found.findings]
    return {**plain(found), "sound": found.is_sound, "findings": findings}
