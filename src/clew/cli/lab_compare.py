"""`clew lab compare` and `clew lab run`: run strategies on worlds, rank them and write a report."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from clew.base.extras import installed, missing, require
from clew.cli import lab_ranks
from clew.cli.logs import add_log_flags
from clew.cli.progress import progress
from clew.cli.terminal import clean, dump, err, out, plain

if TYPE_CHECKING:
    from clew.lab.compare import Comparison
    from clew.lab.experiment import Experiment
    from clew.lab.running import Outcome
    from clew.lab.trial import Trial
    from clew.lab.worlds import World

LOGGER = logging.getLogger("clew.lab")
INTERRUPTED = 130
LOG_NOTE = "With several processes, only the end of each crawl is logged; with --jobs 1, all that happens in it."
COMPARE = """
  clew lab compare shark best_first --world labyrinth:3000
  clew lab compare shark 'shark(gamma=0.1)' --world labyrinth:2000 labyrinth:2000:tunnel --topics 5
  clew lab compare shark best_first --world crawls/baltic --judge classifier -o comparison
"""
RUN = """
  clew lab run experiment.toml
  clew lab run experiment.toml -o reports/first --jobs 1
  clew lab run experiment.toml --json --fresh

an experiment:
  title = "How much inheritance does a shark need?"
  worlds = ["labyrinth:2000", "labyrinth:2000:tunnel"]
  topics = 6                   # a number, from rare to common; or names; or a table per world
  starts = [0, 1, 2]           # links between the start pages and the nearest page on the topic
  sets = 2                     # sets of start pages of each kind
  judges = ["truth", "classifier"]   # also: keywords, examples, noise:10 (10 % wrong labels)
  strategies = ["best_first", "shark", {name = "gentle", spec = "shark(gamma=0.1)"}]
  budgets = [500]              # visits of each crawl
  seeds = [0]
  manners = ["still", "live"]  # live: as polite as on the web, in virtual time
  repeats = 3                  # crawls for each trial, with scores that differ a little
  link_source = [false, true]  # whether strategies may query in-links and a search index
  learn_visits = 1000          # best-first visits from which all learn, then the budget
"""


def compare_flags(parser: argparse.ArgumentParser) -> None:
    """Add the strategies and their tasks."""
    add_task_flags(parser)
    _add_run_flags(parser)


def add_task_flags(parser: argparse.ArgumentParser, repeats: int = 1) -> None:
    """Add the strategies, the worlds, the difficulty of the task and the manners of the crawl."""
    parser.add_argument("strategies", metavar="STRATEGY", nargs="+", help="a name, or a name with parameters")
    parser.add_argument(
        "--world",
        nargs="+",
        default=["labyrinth"],
        metavar="WORLD",
        help="worlds to crawl; see 'clew lab worlds' (default: labyrinth)",
    )
    parser.add_argument(
        "--topics",
        nargs="+",
        default=["8"],
        metavar="N",
        help="number of topics, from rare to common, or their names (default: 8)",
    )
    parser.add_argument(
        "--budget", type=int, default=500, metavar="N", help="visits of each crawl (default: %(default)s)"
    )
    parser.add_argument(
        "--judge",
        nargs="+",
        default=["truth"],
        metavar="JUDGE",
        help="what guides the crawls: truth, classifier, keywords, examples, vocabulary or noise:10 (default: truth)",
    )
    parser.add_argument(
        "--distance",
        type=_distance,
        nargs="+",
        default=[0, 1, 2],
        metavar="N",
        help="links between the start pages and the nearest page on the topic (default: 0 1 2); or hub, portal or far",
    )
    parser.add_argument(
        "--sets", type=int, default=1, metavar="N", help="sets of start pages of each kind (default: %(default)s)"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help="seed for the choice of start pages and examples (default: %(default)s)",
    )
    parser.add_argument(
        "--parallel",
        type=int,
        nargs="+",
        default=[1],
        metavar="N",
        help="simultaneous fetches; several numbers are compared (default: 1)",
    )
    parser.add_argument(
        "--manners",
        nargs="+",
        default=["still"],
        metavar="MANNERS",
        help="still: one page at a time, no waiting; live: as polite as on the web, in virtual time; "
        "settings may follow, as in 'live(patience=0)', and what goes wrong on the web, as shares: "
        "failures, dead_hosts, forbidden, crawl_delays (default: still)",
    )
    parser.add_argument(
        "--repeats",
        type=int,
        default=repeats,
        metavar="N",
        help="crawls for each trial, with scores that differ a little; their mean counts (default: %(default)s)",
    )
    parser.add_argument(
        "--jitter",
        type=float,
        default=1e-4,
        metavar="SHARE",
        help="how much the scores of repeats differ, at most, as a share of a score (default: %(default)s)",
    )


def _distance(text: str) -> int | str:
    """A number of links, or the name of a kind of start pages."""
    return int(text) if text.isdecimal() else text


def run_flags(parser: argparse.ArgumentParser) -> None:
    """Add the file of the experiment."""
    parser.add_argument("experiment", metavar="EXPERIMENT.toml", help="experiment to run; see the example below")
    _add_run_flags(parser)


def _add_run_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FOLDER", help="write tables, curves and the report to this folder")
    add_job_flags(parser)
    add_log_flags(parser, LOG_NOTE)


def add_job_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say how trials are run."""
    parser.add_argument("--jobs", type=int, metavar="N", help="number of processes (default: one per core)")
    parser.add_argument("--fresh", action="store_true", help="ignore cached results and run everything again")


def compare(args: argparse.Namespace) -> int:
    """Compare the strategies named on the command line."""
    from clew.lab.compare import BASELINE

    title = f"{', '.join(dict.fromkeys(args.strategies))} on {', '.join(args.world)}"
    return _show(experiment_of(args, [*args.strategies, BASELINE], title), args)


def experiment_of(args: argparse.Namespace, strategies: Sequence[str], title: str) -> Experiment:
    """Return the experiment that the flags of the task describe."""
    from clew.lab.experiment import Experiment

    topics = int(args.topics[0]) if len(args.topics) == 1 and args.topics[0].isdecimal() else args.topics
    return Experiment.of(
        {
            "title": title,
            "worlds": args.world,
            # A dict keeps the order and drops repetitions.
            "strategies": list(dict.fromkeys(strategies)),
            "topics": topics,
            "judges": args.judge,
            "starts": args.distance,
            "sets": args.sets,
            "budgets": args.budget,
            "seeds": args.seed,
            "parallel": args.parallel,
            "manners": args.manners,
            "repeats": args.repeats,
            "jitter": args.jitter,
        }
    )


def run(args: argparse.Namespace) -> int:
    """Run an experiment; its report goes into a folder beside its file, unless --output names another."""
    from clew.lab.experiment import Experiment

    experiment = Experiment.read(args.experiment)
    args.output = args.output or str(Path(args.experiment).with_suffix(""))
    return _show(experiment, args)


def performed(experiment: Experiment, args: argparse.Namespace) -> Comparison | None:
    """Run an experiment with a progress bar; return None if the user interrupts it."""
    from clew.lab.compare import perform
    from clew.lab.task import opened

    def find(name: str) -> World:
        with progress(f"reading {name} for the first time", silent=args.json) as advance:
            return opened(name, advance)

    silent = args.quiet or args.json or not err().is_terminal
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=err(), transient=True)
    task = bar.add_task("crawls", total=None, visible=False)

    def watch(outcome: Outcome) -> None:
        _log(outcome)
        bar.advance(task)

    try:
        with nullcontext() if silent else bar:
            return perform(
                experiment,
                jobs=args.jobs,
                fresh=args.fresh,
                find=find,
                planned=lambda trials: bar.update(task, total=len(trials), visible=True),
                watch=watch,
            )
    except KeyboardInterrupt:
        # Every finished crawl is in the cache already, so nothing has to be saved here.
        err().print(Text("\nInterrupted. Finished crawls are kept: run the same command again to continue."))
        return None


def _log(outcome: Outcome) -> None:
    from clew.lab.running import JobFailure

    # Crawls run in processes of their own, whose log messages do not arrive here; this line does.
    if isinstance(outcome, JobFailure):
        # No warning: `complain` reports all failures at the end.
        LOGGER.info("failed: %s: %s", _describe(outcome.trial), outcome.error)
    else:
        LOGGER.info("done: %s", _describe(outcome.trial))


def _describe(trial: Trial) -> str:
    return f"{trial.strategy} on {trial.world}, topic {trial.topic!r}, distance {trial.where}"


def complain(comparison: Comparison) -> None:
    """Print on stderr what was left out, what is wrong with worlds, and which crawls failed."""
    for note in comparison.notes:
        err().print(Text(clean(note), style="dim"))
    for failure in comparison.failures:
        message = clean(f"failed: {_describe(failure.trial)}: {failure.error}")
        err().print(Text(f"{message}\n{failure.trace}".rstrip(), style="red"))


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
        dump(lab_ranks.as_json(comparison) | {"report": plain(report)})
    elif comparison.results:
        lab_ranks.show(comparison, brief=args.quiet)
        if report:
            # Not wrapped, so that the path can be copied.
            out().print(Text(f"\nreport: {report}"), soft_wrap=True)
    return 1 if comparison.failures else 0


def _write(comparison: Comparison, args: argparse.Namespace) -> Path:
    comparison.write(args.output)
    if not installed("pyarrow") and not args.quiet:
        message = f"trials.parquet was not written: {missing('pyarrow', 'Parquet files')}"
        err().print(Text(message, style="dim"), soft_wrap=True)
    return comparison.report(args.output)
