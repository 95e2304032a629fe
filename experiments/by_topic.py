"""Writes what strategies find, topic by topic: relevant pages, and the F1 of the collection that is handed over.

    python experiments/by_topic.py experiments/hubs.toml experiments/results/judge.md [--jobs N]

Each number is the mean of the repeats of an experiment, with their standard deviation. The table stands between
`<!-- NAME -->` and `<!-- end of NAME -->`, NAME being the experiment's file name.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from write_up import place, put

from clew.lab.compare import perform
from clew.lab.experiment import Experiment
from clew.lab.trial import Trial, TrialResult


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiment", type=Path)
    parser.add_argument("document", type=Path)
    parser.add_argument("--jobs", type=int)
    args = parser.parse_args(words)
    place(args.document, args.experiment.stem)
    comparison = perform(Experiment.read(args.experiment), jobs=args.jobs)
    if comparison.failures:
        sys.exit(f"{len(comparison.failures)} crawls failed; the first one:\n{comparison.failures[0]}")
    put(args.document, args.experiment.stem, report(comparison.results))


def report(results: Sequence[TrialResult]) -> Iterator[str]:
    """A row for each task, a column for each strategy, and their means in the last row."""
    strategies = list(dict.fromkeys(result.trial.strategy for result in results))
    tasks: dict[Trial, list[TrialResult]] = {}
    for result in results:
        tasks.setdefault(replace(result.trial.task, budget=0), []).append(result)
    yield f"| web | topic | judge | start | {' | '.join(f'{name}: found, F1' for name in strategies)} |"
    yield "|---|---|---|---|" + "---|" * len(strategies)
    for task, mine in tasks.items():
        cells = [task.world, task.topic, task.judge, f"{task.where}"]
        yield f"| {' | '.join([*cells, *_cells(mine, strategies)])} |"
    yield f"| all | {len(tasks)} tasks | | | {' | '.join(_cells(results, strategies, with_deviation=False))} |"


def _cells(results: Sequence[TrialResult], strategies: Sequence[str], with_deviation: bool = True) -> Iterator[str]:
    for strategy in strategies:
        mine = [result.numbers for result in results if result.trial.strategy == strategy]
        found = np.array([numbers["found"] for numbers in mine])
        f1 = np.array([numbers["f1"] for numbers in mine])
        if with_deviation:
            yield f"{found.mean():.0f} ± {found.std():.0f}, {f1.mean():.2f} ± {f1.std():.2f}"
        else:
            yield f"{found.mean():.1f}, {f1.mean():.3f}"


if __name__ == "__main__":
    main(sys.argv[1:])
