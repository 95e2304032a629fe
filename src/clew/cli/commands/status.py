"""Show where a crawl stands, also while it runs."""

from __future__ import annotations

import argparse
from collections import deque
from contextlib import closing
from typing import TYPE_CHECKING

from rich.table import Table

from clew.cli.summary import brief, facts, numbers, page_table
from clew.cli.terminal import dump, number, out, percent, plain, words

if TYPE_CHECKING:
    from clew.store import Record, Records

EXAMPLES = """
  clew status crawls/baltic
  clew status crawls/baltic --json | jq .stats.relevant
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """The folder, and how much to list."""
    parser.add_argument("folder", metavar="FOLDER", help="the crawl folder")
    parser.add_argument("-n", "--lines", type=int, default=10, metavar="N", help="hosts and pages to list (10)")


def run(args: argparse.Namespace) -> int:
    """Print the state, the hosts and the last pages."""
    from clew.store import Records

    with closing(Records(args.folder)) as records:
        if args.json:
            dump(_for_machines(records, args.lines))
        else:
            _show(records, args)
    return 0


def _show(records: Records, args: argparse.Namespace) -> None:
    console = out()
    told = {"crawl": args.folder, "state": state(records)} | _setup(records) | numbers(records.stats())
    console.print(facts(told | _again(records)))
    if not args.quiet:
        console.print(_host_table(records.hosts(args.lines)))
        console.print(page_table("Last pages", last(records, args.lines)))


def last(records: Records, lines: int) -> list[Record]:
    """The last visits, the newest one first."""
    return list(deque(records.pages(), maxlen=lines))[::-1]


def state(records: Records) -> str:
    """Running, finished with a reason, or broken off."""
    if records.running:
        return "running"
    return f"stopped: {records.reason}" if records.reason else "broken off; 'clew resume' goes on"


def _setup(records: Records) -> dict[str, str]:
    what = records.config.what
    return {"interest": what.interest, "strategy": what.strategy, "threshold": number(records.threshold)}


def _again(records: Records) -> dict[str, str]:
    """What came of later visits, if there were any."""
    visits = records.revisits()
    changed = sum(visit.changed is True for visit in visits)
    return {"visited again": f"{len(visits):,} times, {changed:,} changes"} if visits else {}


def _host_table(hosts: list[tuple[str, int, int, int]]) -> Table:
    table = Table(title="\nHosts", title_justify="left", title_style="bold", box=None, header_style="dim")
    table.add_column("host", style="cyan")
    for name in ("pages", "relevant", "failed", "harvest"):
        table.add_column(name, justify="right")
    for name, visited, relevant, failed in hosts:
        table.add_row(words(name), f"{visited:,}", f"{relevant:,}", f"{failed:,}", percent(relevant / visited))
    return table


def _for_machines(records: Records, lines: int) -> dict[str, object]:
    stats = records.stats()
    hosts = [dict(zip(("host", "visited", "relevant", "failed"), host, strict=True)) for host in records.hosts(lines)]
    return {
        "folder": str(records.folder),
        "running": records.running,
        "reason": records.reason,
        **_setup(records),
        "threshold": records.threshold,
        "harvest": stats.harvest,
        "stats": plain(stats),
        "hosts": hosts,
        "last": [brief(record) for record in last(records, lines)],
    }
