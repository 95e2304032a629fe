"""Prints what a crawl will visit next, and what waits on each host."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from clew.cli.terminal import clean, dump, err, number, out, words

if TYPE_CHECKING:
    from clew.store import HostNow, Records, Waiting

EMPTY = "Nothing waits, or the crawl was made by an earlier version; 'clew resume FOLDER' writes the list."
MAX_PLAIN_SCORE = 1e5


def show(records: Records, lines: int, as_json: bool) -> None:
    """Print the head of the frontier and the hosts, as tables or as JSON."""
    head = records.head(lines)
    hosts = [host for host in records.hosts_now() if host.waiting][:lines]
    if as_json:
        dump({"next": [entry._asdict() | {"reason": entry.reason} for entry in head], "hosts": _plain(hosts)})
    elif not head:
        err().print(EMPTY, markup=False)
    else:
        out().print(_head_table(head))
        out().print(_host_table(hosts))


def _plain(hosts: list[HostNow]) -> list[dict[str, object]]:
    return [host._asdict() | {"harvest": host.harvest} for host in hosts]


def _head_table(head: list[Waiting]) -> Table:
    table = Table(title="Next", title_justify="left", title_style="bold", box=None, header_style="dim")
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("page, and why", overflow="fold")
    for entry in head:
        score = "first" if entry.score > MAX_PLAIN_SCORE else number(entry.score)
        table.add_row(score, Text.assemble(words(entry.url, "cyan"), "\n", (clean(entry.reason, 200), "dim")))
    return table


def _host_table(hosts: list[HostNow]) -> Table:
    table = Table(title="\nHosts", title_justify="left", title_style="bold", box=None, header_style="dim")
    table.add_column("host", style="cyan", overflow="fold")
    for heading in ("visits", "relevant", "waiting", "best", "may be asked"):
        table.add_column(heading, justify="right")
    for host in hosts:
        best = "" if host.best is None else "first" if host.best > MAX_PLAIN_SCORE else number(host.best)
        counts = (f"{host.visited:,}", f"{host.relevant:,}", f"{host.waiting:,}")
        table.add_row(words(host.host), *counts, best, _when(host.ready_at))
    return table


def _when(ready_at: float) -> str:
    seconds = ready_at - time.time()
    return "now" if seconds <= 0 else f"in {seconds:,.0f} s"
