"""Whether a strategy is good from the first page, and never worse than another: finds at the end of short crawls.

    python experiments/cold_start.py [EXPERIMENT.toml ...] [--into experiments/results/adaptive.md] [--jobs N]

For each judge the mean finds of every strategy and of the oracle, and the crawls in which the first strategy of the
experiment has found more than the second, as many, or fewer; then the crawls in which it fell behind, with what the
guide itself took for relevant: a strategy cannot know better. Prints tables, or writes them into a document between
`<!-- NAME -->` and `<!-- end of NAME -->`. Trials that were run before with the same code come from the cache.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from write_up import place, put

from clew.lab.compare import perform
from clew.lab.comparison import Comparison
from clew.lab.experiment import Experiment
from clew.lab.task import task
from clew.lab.trial import TrialResult

FILES = ("experiments/cold_start.toml", "experiments/cold_start_far.toml")
THRESHOLD = 0.5  # as in all trials
Duel = tuple[TrialResult, TrialResult]


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="*", default=FILES)
    parser.add_argument("--into", type=Path, metavar="DOCUMENT")
    parser.add_argument("--jobs", type=int)
    args = parser.parse_args(words)
    for path in args.experiments:
        if args.into:
            place(args.into, Path(path).stem)
        comparison = perform(Experiment.read(Path(path)), jobs=args.jobs)
        if comparison.failures:
            sys.exit(f"{len(comparison.failures)} crawls broke, such as this:\n{comparison.failures[0]}")
        if args.into:
            put(args.into, Path(path).stem, told(comparison))
        else:
            print("\n".join(told(comparison)), flush=True)


def told(comparison: Comparison) -> Iterator[str]:
    """A table, and a list of the worst."""
    first, second, *_ = names = comparison.strategies
    yield f"\n**{comparison.title}**\n"
    yield f"| guide | oracle | {' | '.join(names)} | {first} ahead of {second} | as good | behind |"
    yield "|---|---|" + "---|" * (len(names) + 3)
    behind = list[Duel]()
    for name, part in comparison.parts().items():
        met = duels(part, first, second)
        means = [f"{np.mean(found):.1f}" for found in (finds(part, strategy) for strategy in names)]
        oracle = np.mean([result.numbers["oracle"] for result in part.results])
        counts = [sum(lead(duel) > 0 for duel in met), sum(lead(duel) == 0 for duel in met)]
        yield f"| {name} | {oracle:.1f} | {' | '.join(means)} | {counts[0]} | {counts[1]} | {len(met) - sum(counts)} |"
        behind += [duel for duel in met if lead(duel) < 0]
    yield f"\n{first} behind {second}: {'nowhere' if not behind else ''}"
    yield from (f"- {line(duel)}" for duel in sorted(behind, key=lead))


def duels(part: Comparison, first: str, second: str) -> list[Duel]:
    """What two strategies have made of the same tasks."""
    done = {strategy: {result.trial.task: result for result in results(part, strategy)} for strategy in (first, second)}
    return [(done[first][task], done[second][task]) for task in done[first] if task in done[second]]


def results(part: Comparison, strategy: str) -> list[TrialResult]:
    return [result for result in part.results if result.trial.strategy == strategy]


def finds(part: Comparison, strategy: str) -> list[float]:
    return [result.numbers["found"] for result in results(part, strategy)]


def lead(duel: Duel) -> float:
    """In pages found."""
    return duel[0].numbers["found"] - duel[1].numbers["found"]


def line(duel: Duel) -> str:
    trial, oracle = duel[0].trial, duel[0].numbers["oracle"]
    counts = " against ".join(f"{result.numbers['found']:.0f}" for result in duel)
    believed = " against ".join(str(judged(result)) for result in duel)
    return f"{trial.world}, {trial.topic}, {trial.judge}: {counts} of {oracle:.0f} (by the guide's own word {believed})"


def judged(result: TrialResult) -> int:
    """How many pages the guide took for relevant: all that a strategy can go by."""
    given = task(result.trial.task)
    pages = [given.world.doc(int(page)) for page in result.visits if page >= 0]
    return sum(given.interest.judge(page).relevance >= THRESHOLD for page in pages)


if __name__ == "__main__":
    main(sys.argv[1:])
