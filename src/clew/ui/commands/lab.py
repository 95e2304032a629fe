"""The laboratory: webs that stand still, on which strategies are compared."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from clew.ui import comparing
from clew.ui.terminal import clean, dump, err, out, percent

if TYPE_CHECKING:
    from clew.lab.recording import Progress as Tell
    from clew.lab.snapshot import Snapshot

EXAMPLES = """
  clew lab worlds
  clew lab compare shark best_first --world labyrinth:3000
  clew lab worlds wikischools-hard
  clew lab worlds labyrinth:5000:tunnel crawls/sailing/pages/00001.warc.gz --json
"""
PATIENCE = 2.0  # seconds before progress is shown
LARGEST = 12  # topics in the list of a single world, unless it is for machines


def flags(parser: argparse.ArgumentParser) -> None:
    """The word `worlds`, and perhaps names of some."""
    inner = parser.add_subparsers(metavar="worlds|compare", required=True)
    listed = inner.add_parser(
        "worlds",
        help="list the worlds that are there: pages, hosts, links, reachable share, topics",
        description="List the worlds that are there, or describe those that are named. The environment variable\n"
        "CLEW_WORLDS names the folder of recorded ones. The first look at a world parses all its pages.",
        epilog="examples:\n" + EXAMPLES.strip("\n"),
    )
    listed.add_argument(
        "worlds",
        metavar="WORLD",
        nargs="*",
        default=[],
        help="a name, labyrinth:PAGES:REGIME:SEED, a WARC file or a folder with some; default: all",
    )
    listed.set_defaults(parser=listed)
    compared = inner.add_parser(
        "compare",
        help="run strategies on worlds and rank them beside the oracle",
        description="Run strategies on worlds and rank them. Every crawl has the same start pages, judge and budget;\n"
        "area: under the curve of finds, as a share of that of an oracle that knows the web, mean over topics,\n"
        "with its 95 % interval and the worst topic; found: of what the oracle finds with the same budget.",
        epilog="examples:\n" + comparing.EXAMPLES.strip("\n"),
    )
    comparing.flags(compared)
    compared.set_defaults(parser=compared)
    for each in (listed, compared):
        for flag in ("--json", "--quiet"):
            each.add_argument(flag, action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Print what each world has, or how strategies compare."""
    if hasattr(args, "strategies"):
        return comparing.run(args)
    from clew.lab.worlds import find, worlds

    names = args.worlds or worlds()
    if args.quiet and not args.json:
        print("\n".join(names))
        return 0
    found = []
    for name in names:
        with progress(name, silent=args.json) as tell:
            found.append(about(find(name, tell)))
    if args.json:
        dump(found)
    else:
        _show(found, with_topics=bool(args.worlds))
    return 0


def about(world: Snapshot) -> dict[str, Any]:
    """The numbers of a world; reachable: from the largest set of pages that all lead to each other."""
    pages = len(world)
    sizes = sorted(world.topics.items(), key=lambda entry: (-entry[1], entry[0]))
    return {
        "world": world.name,
        "pages": pages,
        "hosts": len(world.hosts),
        "links": world.graph.links,
        "reachable": float(world.reachable(world.core).mean()),
        "unlabelled": len(world.labels.unlabelled),
        "topics": [{"topic": topic, "pages": size, "share": size / pages} for topic, size in sizes],
    }


@contextmanager
def progress(name: str, silent: bool = False) -> Iterator[Tell | None]:
    """A bar on the terminal, once parsing has taken a while."""
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    bar, began = Progress(*columns, console=err(), transient=True), time.monotonic()
    task = bar.add_task(f"reading {clean(name)} for the first time")

    def tell(done: int, total: int) -> None:
        if not bar.live.is_started and time.monotonic() - began > PATIENCE:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield tell if bar.console.is_terminal and not silent else None
    finally:
        if bar.live.is_started:
            bar.stop()


def _show(found: list[dict[str, Any]], with_topics: bool) -> None:
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for column in ("world", "pages", "hosts", "links", "reachable", "topics"):
        table.add_column(column, justify="left" if column == "world" else "right")
    for world in found:
        numbers = (f"{world[key]:,}" for key in ("pages", "hosts", "links"))
        name = Text(clean(world["world"]), style="bold cyan")
        table.add_row(name, *numbers, percent(world["reachable"]), f"{len(world['topics'])}")
    out().print(table)
    for world in found if with_topics else ():
        title = f"\n{clean(world['world'])}: {world['unlabelled']:,} pages without a label"
        out().print(Text(title, style="bold"), _topics(world), sep="\n")


def _topics(world: dict[str, Any]) -> Table:
    """The topics of one world, the largest first."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for column in ("topic", "pages", "share"):
        table.add_column(column, justify="left" if column == "topic" else "right")
    for topic in world["topics"][:LARGEST]:
        table.add_row(Text(clean(topic["topic"])), f"{topic['pages']:,}", percent(topic["share"]))
    if more := world["topics"][LARGEST:]:
        table.add_row(Text(f"… and {len(more)} smaller ones (all with --json)", style="dim"))
    return table
