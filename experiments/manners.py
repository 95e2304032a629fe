"""Writes what politeness costs: the share of the ideal order that crawls with live manners reach, and their time.

    python experiments/manners.py [--into experiments/results/manners.md] [--budgets 300] [--repeats 3] [--jobs N]

The ideal order is that of a crawl with the manners "still": the best page is always fetched next. With the same number
of visits, a polite crawl finds a share of what this one finds. Times are virtual. `--worlds`, `--budgets`, `--repeats`,
`--topics`, `--strategies` and `--manners` replace those of manners.toml, or of another experiment that `--experiment`
names, for a smaller table or another one. Tables are printed, or written into a document between `<!-- manners -->` and
`<!-- end of manners -->`, or other marks that `--mark` names.
Trials that have been run with the same code come from the cache.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from write_up import place, put

from clew.lab.compare import perform
from clew.lab.comparison import Comparison
from clew.lab.experiment import Experiment
from clew.lab.order_share import OrderShare, found_by, order_shares
from clew.lab.trial import TrialResult

FILE = Path(__file__).with_suffix(".toml")
IMPATIENT = "live(patience=0)"
EQUAL_TIMES = (120, 300)  # virtual seconds
HEADINGS = (
    *("strategy", "visits", "manners", "tasks", "share of the ideal order", "worst task"),
    *("virtual time", *(f"found by {seconds} s" for seconds in EQUAL_TIMES)),
)


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiment", type=Path, default=FILE, metavar="FILE")
    parser.add_argument("--into", type=Path, metavar="DOCUMENT")
    parser.add_argument("--mark", default="manners")
    parser.add_argument("--worlds", nargs="+")
    parser.add_argument("--budgets", type=int, nargs="+")
    parser.add_argument("--repeats", type=int)
    parser.add_argument("--topics", type=int)
    parser.add_argument("--strategies", nargs="+")
    parser.add_argument("--manners", nargs="+")
    parser.add_argument("--jobs", type=int)
    args = parser.parse_args(words)
    if args.into:
        place(args.into, args.mark)
    comparison = perform(_experiment(args), jobs=args.jobs)
    if comparison.failures:
        sys.exit(f"{len(comparison.failures)} crawls failed; the first one:\n{comparison.failures[0]}")
    if args.into:
        put(args.into, args.mark, report(comparison))
    else:
        print("\n".join(report(comparison)))


def report(comparison: Comparison) -> Iterator[str]:
    """A table of all strategies, budgets and manners, then one with the tasks of the first strategy."""
    shares = order_shares(comparison.results)
    groups: dict[tuple[str, int, str], list[OrderShare]] = {}
    for each in shares:
        trial = each.trial
        groups.setdefault((trial.strategy, trial.budget, trial.manners), []).append(each)
    yield f"\n| {' | '.join(HEADINGS)} |"
    yield "|" + "---|" * len(HEADINGS)
    for (strategy, budget, manners), mine in groups.items():
        base = groups.get((strategy, budget, IMPATIENT), mine)
        times = [each.seconds for each in mine]
        multiple = sum(times) / sum(each.seconds for each in base)
        found = [_found(comparison, strategy, budget, manners, seconds) for seconds in EQUAL_TIMES]
        cells = [strategy, f"{budget}", f"`{manners}`", f"{len(mine)}", f"{np.mean([e.share for e in mine]):.1%}"]
        cells += [f"{min(each.share for each in mine):.0%}", f"{np.mean(times):.0f} s, {multiple:.1f}x"]
        yield f"| {' | '.join([*cells, *(f'{number:.0f}' for number in found)])} |"
    yield from _tasks([each for each in shares if each.trial.strategy == comparison.strategies[0]])


def _tasks(shares: Sequence[OrderShare]) -> Iterator[str]:
    strategy = shares[0].trial.strategy
    yield f"\nRelevant pages found by {strategy}, task by task (mean of the repeats), and the virtual time:\n"
    columns = list(dict.fromkeys(each.trial.manners for each in shares))
    yield f"| world | topic | start | visits | ideal order | {' | '.join(f'`{name}`' for name in columns)} |"
    yield "|---|---|---|---|---|" + "---|" * len(columns)
    rows: dict[object, list[OrderShare]] = {}
    for each in shares:
        rows.setdefault(replace(each.trial, manners=""), []).append(each)
    for mine in rows.values():
        trial = mine[0].trial
        cells = [trial.world, trial.topic, f"{trial.distance}", f"{trial.budget}", f"{mine[0].ideal:.0f}"]
        cells += [f"{each.found:.0f} in {each.seconds:.0f} s" for each in mine]
        yield f"| {' | '.join(cells)} |"


def _found(comparison: Comparison, strategy: str, budget: int, manners: str, seconds: float) -> float:
    """Relevant pages found by then, mean over tasks; a crawl that has spent its visits finds no more."""
    wanted = strategy, budget, manners
    return float(np.mean([found_by(each, seconds) for each in comparison.results if _kind(each) == wanted]))


def _kind(result: TrialResult) -> tuple[str, int, str]:
    trial = result.trial
    return trial.strategy, trial.budget, trial.manners


def _experiment(args: argparse.Namespace) -> Experiment:
    experiment = Experiment.read(args.experiment)
    changes: dict[str, Any] = {
        name: tuple(value) for name in ("worlds", "budgets", "manners") if (value := getattr(args, name))
    }
    numbers: dict[str, Any] = {name: value for name in ("repeats", "topics") if (value := getattr(args, name))}
    recipes = [recipe for recipe in experiment.strategies if recipe.name in (args.strategies or [recipe.name])]
    experiment = replace(experiment, strategies=tuple(recipes), **changes, **numbers)
    if isinstance(experiment.topics, Mapping):
        # Topics by world must name these worlds and no others.
        topics = {world: experiment.topics[world] for world in experiment.worlds}
        return replace(experiment, topics=topics)
    return experiment


if __name__ == "__main__":
    main(sys.argv[1:])
