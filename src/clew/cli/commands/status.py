"""Show the progress and the results of a crawl, even while it runs.

The command lists the state of the crawl, the hosts with the most relevant pages, and the
latest pages. With --next, it lists what will be visited next instead, and why, and what waits
on each host; both are as of a commit a second or so ago.
"""

from __future__ import annotations

import argparse
import shlex
from collections import deque
from contextlib import closing
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from clew.cli import upcoming
from clew.cli.progress import spinner
from clew.cli.summary import brief, expected_quality, facts, judged, numbers, print_pages, threshold
from clew.cli.terminal import counted, dump, out, percent, plain, words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from clew.store import FocusChange, Record, Records
    from clew.types import Stats

EXAMPLES = """
  clew status crawls/baltic
  clew status crawls/baltic --next -n 20
  clew status crawls/baltic --json | jq .stats.relevant
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folder and the length of the lists."""
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder")
    parser.add_argument(
        "-n", "--lines", type=int, default=10, metavar="N", help="hosts and pages to list (default: %(default)s)"
    )
    parser.add_argument("--next", action="store_true", help="list what will be visited next, and what waits on hosts")


def run(args: argparse.Namespace) -> int:
    """Print the state, the hosts and the latest pages."""
    from clew.store import Records

    with closing(Records(args.folder)) as records:
        if args.next:
            upcoming.show(records, args.lines, args.json)
        elif args.json:
            dump(_as_json(records, args.lines))
        else:
            _show(records, args)
    return 0


def _show(records: Records, args: argparse.Namespace) -> None:
    console = out()
    overview = {"crawl": args.folder, "state": state(records)} | _setup(records) | numbers(records.stats())
    overview |= judged(records) | _elsewhere(records)
    console.print(facts(overview | _revisits(records) | _lost(records) | _waiting_orders(records)))
    if not args.quiet:
        if shards := records.stats_by_shard():
            console.print(_shard_table(shards))
        _print_focus(console, records.focus_changes()[-args.lines :])
        console.print(_host_table(records.hosts(args.lines)))
        with spinner("reading the pages"):
            latest = last(records, args.lines)
        print_pages(console, "Latest pages", latest, empty="no pages yet")


def last(records: Records, lines: int) -> list[Record]:
    """Return the latest visits, the newest first."""
    latest = list(deque(records.pages(), maxlen=lines))
    return latest[::-1]


def state(records: Records) -> str:
    """Say whether the crawl is running, has stopped for a reason, or was killed."""
    if records.running:
        return "running, paused" if records.stats().paused else "running"
    if records.reason:
        return f"stopped: {records.reason}"
    # A clean stop always leaves a reason behind.
    return f"killed; to continue: clew resume {shlex.quote(str(records.folder))}"


def _setup(records: Records) -> dict[str, str]:
    from clew.filters.scope_report import understood

    what = records.config.what
    setup = {"interest": what.interest, "strategy": what.strategy, "threshold": threshold(records)}
    if focus := records.stats().focus:
        setup["focus"] = focus
    if patterns := understood(records.config.scope):
        setup["scope"] = "; ".join(patterns)
    return setup


def _revisits(records: Records) -> dict[str, str]:
    """Summarise the visits of `clew recrawl`, if there were any."""
    visits = records.revisits()
    changed = sum(visit.changed is True for visit in visits)
    if not visits:
        return {}
    return {"revisits": f"{len(visits):,}, with {counted(changed, 'change')}"}


def _waiting_orders(records: Records) -> dict[str, str]:
    """Name the orders that the crawl has not taken yet, if there are any."""
    waiting = [str(order) for order in records.orders() if order.is_waiting]
    return {"orders": f"waiting: {'; '.join(waiting)}"} if waiting else {}


def _print_focus(console: Console, changes: list[FocusChange]) -> None:
    """List how the focus has changed, and why."""
    if not changes:
        return
    console.print(Text("\nFocus", style="bold"))
    for change in changes:
        visits = "" if change.visits is None else f"{change.visits:,}"
        text = Text.assemble((f"{visits:>5}  ", "dim"), words(change.detail))
        console.print(text, soft_wrap=True)


def _lost(records: Records) -> dict[str, str]:
    """Count the pages whose archived answers are known to be lost, if there are any."""
    lost = records.lost()
    again = f"to fetch them again: clew recrawl {shlex.quote(str(records.folder))}"
    return {"lost": f"{counted(lost, 'archived answer')}; {again}"} if lost else {}


def _host_table(hosts: list[tuple[str, int, int, int]]) -> Table:
    table = Table(title="\nHosts", title_justify="left", title_style="bold", box=None, header_style="dim")
    table.add_column("host", style="cyan")
    for heading in ("visits", "relevant", "failed", "harvest"):
        table.add_column(heading, justify="right")
    for name, visited, relevant, failed in hosts:
        table.add_row(words(name), f"{visited:,}", f"{relevant:,}", f"{failed:,}", percent(relevant / visited))
    return table


def _elsewhere(records: Records) -> dict[str, str]:
    """The shards whose folders are not here: what is shown is the crawl without them."""
    here = records.stats_by_shard()
    away = [str(shard) for shard in range(records.config.fetch.shards) if shard not in here] if here else []
    if not away:
        return {}
    return {"elsewhere": f"shard{'s' * (len(away) > 1)} {', '.join(away)}: not on this machine, and not counted"}


def _shard_table(shards: Mapping[int, Stats]) -> Table:
    table = Table(title="\nShards", title_justify="left", title_style="bold", box=None, header_style="dim")
    for heading in ("shard", "pages", "visits", "relevant", "harvest", "candidates", "hosts"):
        table.add_column(heading, justify="right")
    for number, stats in shards.items():
        counts = (stats.waiting, stats.hosts)
        row = (number, stats.pages, stats.visited, stats.relevant, percent(stats.harvest), *counts)
        table.add_row(*[each if isinstance(each, str) else f"{each:,}" for each in row])
    return table


def _as_json(records: Records, lines: int) -> dict[str, object]:
    stats = records.stats()
    expected = expected_quality(records)
    columns = ("host", "visited", "relevant", "failed")
    hosts = [dict(zip(columns, host, strict=True)) for host in records.hosts(lines)]
    return {
        "folder": str(records.folder),
        "running": records.running,
        "reason": records.reason,
        **_setup(records),
        "threshold": records.threshold,
        "harvest": stats.harvest,
        "expected_precision": expected.precision if expected else None,
        "expected_recall": expected.recall if expected else None,
        "stats": plain(stats),
        "shards": {str(number): plain(each) for number, each in records.stats_by_shard().items()},
        "focus_changes": [change._asdict() for change in records.focus_changes()],
        "orders": [order._asdict() | {"state": order.state} for order in records.orders()],
        "hosts": hosts,
        "last": [brief(record) for record in last(records, lines)],
    }
