"""`clew lab compare` and `clew lab run`: strategies beside each other and beside the oracle."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from clew.base.extras import installed, missing, require
from clew.cli import lab_ranks
from clew.cli.opening import progress
from clew.cli.terminal import clean, dump, err, out, plain

if TYPE_CHECKING:
    from clew.lab.compare import Comparison
    from clew.lab.experiment import Experiment
    from clew.lab.worlds import World

INTERRUPTED = 130
COMPARE = """
  clew lab compare shark best_first --world labyrinth:3000
  clew lab compare shark 'shark(gamma=0.1)' best_first --world wikischools-hard webkb --topics 10 --budget 500
  clew lab compare shark best_first --world pydocs --judge classifier -o comparison
"""
RUN = """
  clew lab run experiment.toml
  clew lab run experiment.toml -o reports/first --jobs 1
  clew lab run experiment.toml --json --fresh

an experiment:
  title = "How much inheritance does a shark need?"
  worlds = ["labyrinth:2000", "wikischools-hard"]
  topics = 6                   # rare to common; or names, formulas, a table of these for each world
  starts = [0, 1, 2]           # links from the start pages to the topic
  sets = 2                     # start sets at each distance
  judges = ["truth", "classifier"]   # also keywords, examples, noise:10 (so many wrong labels in a hundred)
  strategies = ["best_first", "shark", {name = "gentle", spec = "shark(gamma=0.1)"}]
  budgets = [500]
  seeds = [0]
  link_source = [false, true]  # whether strategies may ask for back-links and searches; the oracle never does
"""


def compare_flags(parser: argparse.ArgumentParser) -> None:
    """Strategies, worlds, and how hard the task is."""
    parser.add_argument("strategies", metavar="STRATEGY", nargs="+", help="a name, or a name with parameters")
    parser.add_argument("--world", nargs="+", default=["labyrinth"], metavar="WORLD", help="see 'clew lab worlds'")
    parser.add_argument(
        "--topics", nargs="+", default=["8"], metavar="N", help="a number, rare to common; or names (8)"
    )
    parser.add_argument("--budget", type=int, default=500, metavar="N", help="visits of each crawl (500)")
    told = "truth, classifier, keywords, examples, noise:10 or several (truth)"
    parser.add_argument("--judge", nargs="+", default=["truth"], metavar="JUDGE", help=told)
    told = "links from the start pages to the topic (0 1 2)"
    parser.add_argument("--distance", type=int, nargs="+", default=[0, 1, 2], metavar="N", help=told)
    parser.add_argument("--sets", type=int, default=1, metavar="N", help="start sets at each distance (1)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of start sets and examples (0)")
    told = "fetches at the same time; several are compared (1)"
    parser.add_argument("--parallel", type=int, nargs="+", default=[1], metavar="N", help=told)
    _common(parser)


def run_flags(parser: argparse.ArgumentParser) -> None:
    """The file."""
    parser.add_argument("experiment", metavar="EXPERIMENT.toml", help="what to run; see the example below")
    _common(parser)


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FOLDER", help="tables, curves and the report go there")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (as many as cores)")
    parser.add_argument("--fresh", action="store_true", help="run again what was run before")


def compare(args: argparse.Namespace) -> int:
    """Strategies named on the command line; breadth-first is the yardstick."""
    from clew.lab.compare import BASELINE
    from clew.lab.experiment import Experiment

    named = list(dict.fromkeys([*args.strategies, BASELINE]))
    topics = int(args.topics[0]) if len(args.topics) == 1 and args.topics[0].isdecimal() else args.topics
    experiment = Experiment.of(
        {
            "title": f"{', '.join(dict.fromkeys(args.strategies))} on {', '.join(args.world)}",
            "worlds": args.world,
            "strategies": named,
            "topics": topics,
            "judges": args.judge,
            "starts": args.distance,
            "sets": args.sets,
            "budgets": args.budget,
            "seeds": args.seed,
            "parallel": args.parallel,
        }
    )
    return _show(experiment, args)


def run(args: argparse.Namespace) -> int:
    """An experiment from its file; its report goes beside it unless told otherwise."""
    from clew.lab.experiment import Experiment

    experiment = Experiment.read(args.experiment)
    args.output = args.output or str(Path(args.experiment).with_suffix(""))
    return _show(experiment, args)


def performed(experiment: Experiment, args: argparse.Namespace) -> Comparison | None:
    """Run it with a bar; None when the user has seen enough."""
    from clew.lab.compare import perform
    from clew.lab.task import opened

    def find(name: str) -> World:
        with progress(name, silent=args.json) as tell:
            return opened(name, tell)

    silent = args.quiet or args.json or not err().is_terminal
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=err(), transient=True)
    task = bar.add_task("crawls", total=None, visible=False)
    try:
        with nullcontext() if silent else bar:
            return perform(
                experiment,
                jobs=args.jobs,
                fresh=args.fresh,
                find=find,
                planned=lambda trials: bar.update(task, total=len(trials), visible=True),
                watch=lambda outcome: bar.advance(task),
            )
    except KeyboardInterrupt:
        err().print(Text("\nInterrupted. What is done is kept: the same command goes on from here."))
        return None


def complain(comparison: Comparison) -> None:
    """On stderr: what could not be planned, what is amiss with worlds, and what broke."""
    for note in comparison.notes:
        err().print(Text(clean(note), style="dim"))
    for failure in comparison.failures:
        trial = failure.trial
        told = f"failed: {trial.strategy} on {trial.world}, {trial.topic!r}, distance {trial.distance}: {failure.error}"
        err().print(Text(f"{clean(told)}\n{failure.trace}".rstrip(), style="red"))


def _show(experiment: Experiment, args: argparse.Namespace) -> int:
    if args.output:
        # Before hours of crawls, not after them.
        require("matplotlib", "reports", "leave out --output")
    comparison = performed(experiment, args)
    if comparison is None:
        return INTERRUPTED
    complain(comparison)
    report = _write(comparison, args) if args.output and comparison.results else None
    if args.json:
        dump(lab_ranks.told(comparison) | {"report": plain(report)})
    elif comparison.results:
        lab_ranks.show(comparison, brief=args.quiet)
        if report:
            out().print(Text(f"\nreport: {report}"), soft_wrap=True)  # a path that can be copied
    return 1 if comparison.failures else 0


def _write(comparison: Comparison, args: argparse.Namespace) -> Path:
    comparison.write(args.output)
    if not installed("pyarrow") and not args.quiet:
        err().print(Text(f"no trials.parquet: {missing('pyarrow', 'Parquet files')}", style="dim"), soft_wrap=True)
    return comparison.report(args.output)
