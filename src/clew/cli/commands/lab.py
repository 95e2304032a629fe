"""The laboratory: webs that stand still, on which strategies are compared."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.text import Text

from clew.cli import lab_compare, lab_gate
from clew.cli.lab_ranks import grid
from clew.cli.opening import progress
from clew.cli.terminal import clean, dump, err, out, percent

if TYPE_CHECKING:
    from rich.table import Table

    from clew.lab.snapshot import Snapshot

EXAMPLES = """
  clew lab worlds
  clew lab compare shark best_first --world labyrinth:3000
  clew lab run experiment.toml -o report
  clew lab gate tests/eval/gate.toml
"""
WORLDS = """
  clew lab worlds
  clew lab worlds wikischools-hard
  clew lab worlds labyrinth:5000:tunnel crawls/sailing/pages/00001.warc.gz --json
"""
AREA = """area: under the curve of finds, as a share of that of an oracle that knows the web, mean over topics,
with its 95 % interval and the worst topic; found: of what the oracle finds with the same budget.
Results are kept, so that an interrupted run goes on and a second one is done at once."""
NO_TOPICS = "no topics; a NAME.topics.json beside NAME.warc.gz would tell them"
LARGEST = 12  # topics in the list of a single world, unless it is for machines

Act = Callable[[argparse.Namespace], int]


def flags(parser: argparse.ArgumentParser) -> None:
    """One word says what to do."""
    inner = parser.add_subparsers(metavar="worlds|compare|run|gate", required=True)

    def add(name: str, act: Act, help: str, text: str, examples: str) -> argparse.ArgumentParser:
        each = inner.add_parser(name, help=help, description=text, epilog="examples:\n" + examples.strip("\n"))
        for flag in ("--json", "--quiet"):
            each.add_argument(flag, action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        each.set_defaults(parser=each, act=act)
        return each

    listed = "list the worlds that are there: pages, hosts, links, reachable share, topics"
    text = """List the worlds that are there, or describe those that are named. The environment variable
CLEW_WORLDS names the folder of recorded ones. The first look at a world parses all its pages."""
    _worlds_flags(add("worlds", worlds, listed, text, WORLDS))
    told = "run strategies on worlds and rank them beside the oracle"
    text = "Run strategies on worlds and rank them. Every crawl has the same start pages, judge and budget;\n" + AREA
    lab_compare.compare_flags(add("compare", lab_compare.compare, told, text, lab_compare.COMPARE))
    told = "run an experiment that is written down in a TOML file"
    text = "Run every strategy of an experiment on every task, rank them, and write tables and a report;\n" + AREA
    lab_compare.run_flags(add("run", lab_compare.run, told, text, lab_compare.RUN))
    told = "fail if a strategy is worse than it was"
    lab_gate.flags(add("gate", lab_gate.run, told, lab_gate.TEXT, lab_gate.EXAMPLES))


def run(args: argparse.Namespace) -> int:
    """Do what the word says."""
    return int(args.act(args))


def worlds(args: argparse.Namespace) -> int:
    """Print what each world has."""
    from clew.lab.worlds import find, worlds

    names = args.worlds or worlds()
    if args.quiet and not args.json:
        print("\n".join(names))
        return 0
    found = []
    for name in names:
        with progress(name, silent=args.json) as tell:
            found.append(about(find(name, tell)))
        for warning in found[-1]["warnings"]:
            err().print(Text(f"warning: {clean(warning)}"))
    if args.json:
        dump(found)
    else:
        _show(found, with_topics=bool(args.worlds))
    return 0


def about(world: Snapshot) -> dict[str, Any]:
    """The numbers of a world; reachable: from the largest set of pages that all lead to each other."""
    pages, reached = len(world), world.reachable(world.core)
    sizes = sorted(world.topics.items(), key=lambda entry: (-entry[1], entry[0]))
    reachable = {topic: int(reached[world.labels.pages[topic]].sum()) for topic in world.topics}
    return {
        "world": world.name,
        "pages": pages,
        "hosts": len(world.hosts),
        "links": world.graph.links,
        "reachable": float(reached.mean()),
        "unlabelled": len(world.labels.unlabelled),
        "digest": world.digest,
        "warnings": list(world.warnings),
        "topics": [
            {"topic": topic, "pages": size, "share": size / pages, "reachable": reachable[topic]}
            for topic, size in sizes
        ],
    }


def _worlds_flags(parser: argparse.ArgumentParser) -> None:
    told = "a name, labyrinth:PAGES:REGIME:SEED, a WARC file or a folder with some; default: all"
    parser.add_argument("worlds", metavar="WORLD", nargs="*", default=[], help=told)


def _show(found: list[dict[str, Any]], with_topics: bool) -> None:
    table = grid("world", "pages", "hosts", "links", "reachable", "topics")
    for world in found:
        numbers = (f"{world[key]:,}" for key in ("pages", "hosts", "links"))
        name = Text(clean(world["world"]), style="bold cyan")
        table.add_row(name, *numbers, percent(world["reachable"]), f"{len(world['topics'])}")
    out().print(table)
    for world in found if with_topics else ():
        told = f"{world['unlabelled']:,} pages without a label" if world["topics"] else NO_TOPICS
        out().print(Text(f"\n{clean(world['world'])}: {told}", style="bold"))
        if world["topics"]:
            out().print(_topics(world))


def _topics(world: dict[str, Any]) -> Table:
    """The topics of one world, the largest first."""
    table = grid("topic", "pages", "share", "reachable", "of them")
    for topic in world["topics"][:LARGEST]:
        found, pages = topic["reachable"], topic["pages"]
        shares = percent(topic["share"]), f"{found:,}", percent(found / pages)
        table.add_row(Text(clean(topic["topic"])), f"{pages:,}", *shares)
    if more := world["topics"][LARGEST:]:
        table.add_row(Text(f"… and {len(more)} smaller ones (all with --json)", style="dim"))
    return table
