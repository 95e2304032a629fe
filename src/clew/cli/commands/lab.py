"""Compare strategies on recorded and synthetic webs.

A world is a web that does not change: a recorded one (WARC files, your own crawls included) or a
labyrinth. Each strategy gets the same start pages, the same judge and the same number of visits, and
is measured against an oracle that knows the whole world.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.text import Text

from clew.cli import lab_change, lab_compare, lab_gate, lab_locality, lab_noise
from clew.cli.flags import add_output_flags
from clew.cli.lab_ranks import grid
from clew.cli.progress import progress
from clew.cli.terminal import clean, counted, dump, err, out, percent, say

if TYPE_CHECKING:
    from rich.table import Table

    from clew.lab.snapshot import Snapshot

EXAMPLES = """
  clew lab worlds
  clew lab compare shark best_first --world labyrinth:3000
  clew lab run experiment.toml -o report
  clew lab gate tests/eval/gate.toml
  clew lab locality labyrinth:2000 -o locality.png
  clew lab change adaptive shark --world labyrinth:2000 -o change.png
"""
WORLDS = """
  clew lab worlds
  clew lab worlds labyrinth:2000:tunnel
  clew lab worlds labyrinth:5000:tunnel crawls/sailing/pages/00001.warc.gz --json
"""
MEASURES = """The tables show, as means over topics:

  area      area under the curve of relevant pages over visits, as a share of the oracle's,
            with its 95 % confidence interval and its value for the worst topic
  found     relevant pages found, as a share of what the oracle finds with as many visits
  harvest   relevant pages found, as a share of all visits
  recall    relevant pages found, as a share of all that can be reached
  CPU       CPU time per page, relative to breadth_first

Results are cached: an interrupted run continues, and a repeated one is done at once."""
WORLDS_TEXT = """List the worlds that are available, or describe those that are named. Recorded worlds are searched in
the folder that the environment variable CLEW_WORLDS names. Opening a world for the first time parses
all its pages."""
COMPARE_TEXT = f"""Run strategies on worlds and rank them; breadth_first always takes part as the baseline.

{MEASURES}"""
RUN_TEXT = f"""Run every strategy of an experiment on every task, rank them, and write tables and a report.

{MEASURES}"""
NO_TOPICS = "no topics; to add some, put a file NAME.topics.json beside the WARC file or the crawl folder"
MAX_TOPICS = 12  # listed for a single world; --json lists all

Action = Callable[[argparse.Namespace], int]


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands."""
    subcommands = parser.add_subparsers(
        title="commands", metavar="worlds|compare|run|noise|gate|locality|change", required=True
    )

    def add(name: str, action: Action, help: str, text: str, examples: str) -> argparse.ArgumentParser:
        each = subcommands.add_parser(name, help=help, description=text, epilog="examples:\n" + examples.strip("\n"))
        add_output_flags(each)
        each.set_defaults(parser=each, action=action)
        return each

    summary = "list the available worlds: pages, hosts, links, topics"
    _add_world_flags(add("worlds", worlds, summary, WORLDS_TEXT, WORLDS))
    summary = "run strategies on worlds and rank them"
    lab_compare.compare_flags(add("compare", lab_compare.compare, summary, COMPARE_TEXT, lab_compare.COMPARE))
    summary = "run an experiment described in a TOML file"
    lab_compare.run_flags(add("run", lab_compare.run, summary, RUN_TEXT, lab_compare.RUN))
    summary = "repeat crawls, and show how far they differ by chance"
    lab_noise.flags(add("noise", lab_noise.run, summary, lab_noise.TEXT, lab_noise.EXAMPLES))
    summary = "run an experiment, and fail if a strategy is worse than before"
    lab_gate.flags(add("gate", lab_gate.run, summary, lab_gate.TEXT, lab_gate.EXAMPLES))
    summary = "measure whether relevant pages lie near each other, and the shape of a web"
    lab_locality.flags(add("locality", lab_locality.run, summary, lab_locality.TEXT, lab_locality.EXAMPLES))
    summary = "show how strategies react when the web, the interest or their knowledge changes"
    lab_change.flags(add("change", lab_change.run, summary, lab_change.TEXT, lab_change.EXAMPLES))


def run(args: argparse.Namespace) -> int:
    """Run the subcommand."""
    return int(args.action(args))


def worlds(args: argparse.Namespace) -> int:
    """Print the size of each world and, for those that are named, its topics."""
    from clew.lab.worlds import find, worlds

    names = args.worlds or worlds()
    if args.quiet and not args.json:
        say("\n".join(names))
        return 0
    descriptions = []
    for name in names:
        with progress(f"reading {name} for the first time", silent=args.json) as advance:
            descriptions.append(about(find(name, advance)))
        # At once, not after all worlds: reading them can take minutes.
        for warning in descriptions[-1]["warnings"]:
            err().print(Text(f"warning: {clean(warning)}"))
    if args.json:
        dump(descriptions)
    else:
        _show(descriptions, with_topics=bool(args.worlds))
    return 0


def about(world: Snapshot) -> dict[str, Any]:
    """Return the numbers of a world; reachable pages are those that its largest connected core leads to."""
    pages = len(world)
    reached = world.reachable(world.core)
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


def _add_world_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "worlds",
        metavar="WORLD",
        nargs="*",
        default=[],
        help="a name, labyrinth:PAGES:REGIME:SEED, a WARC file, or a folder with WARC files (default: all worlds)",
    )


def _show(descriptions: list[dict[str, Any]], with_topics: bool) -> None:
    table = grid("world", "pages", "hosts", "links", "reachable", "topics")
    for world in descriptions:
        counts = [f"{world[key]:,}" for key in ("pages", "hosts", "links")]
        name = Text(clean(world["world"]), style="bold cyan")
        table.add_row(name, *counts, percent(world["reachable"]), f"{len(world['topics'])}")
    out().print(table)
    for world in descriptions if with_topics else ():
        labels = f"{counted(world['unlabelled'], 'page')} without a label" if world["topics"] else NO_TOPICS
        out().print(Text(f"\n{clean(world['world'])}: {labels}", style="bold"))
        if world["topics"]:
            out().print(_topics(world))


def _topics(world: dict[str, Any]) -> Table:
    """List the topics of one world, the largest first."""
    table = grid("topic", "pages", "of all pages", "reachable", "of the topic")
    for topic in world["topics"][:MAX_TOPICS]:
        pages = topic["pages"]
        reachable = topic["reachable"]
        shares = percent(topic["share"]), f"{reachable:,}", percent(reachable / pages)
        table.add_row(Text(clean(topic["topic"])), f"{pages:,}", *shares)
    if more := world["topics"][MAX_TOPICS:]:
        table.add_row(Text(f"… and {len(more)} smaller ones (all with --json)", style="dim"))
    return table
