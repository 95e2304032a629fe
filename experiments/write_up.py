"""Runs experiments and writes their tables into a document, between the marks that name them.

    python experiments/write_up.py experiments/strategies.toml experiments/results/strategies.md
    python experiments/write_up.py experiments/papers/*.toml experiments/results/papers.md
    python experiments/write_up.py --jobs 1 experiments/papers/hybrid.toml experiments/results/papers.md

Experiments with tables of their own (`paper_tables.py`) get those. A document marks the place of a table with
`<!-- NAME -->` and `<!-- end of NAME -->`, NAME being the experiment's file name. With `<!-- paths of NAME -->` it also
gets the table of paths (`paths.py`). Trials that have been run with the same code come from the cache.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import paths
from paper_tables import TABLES

from clew.lab.compare import perform
from clew.lab.comparison import Comparison, Rank
from clew.lab.experiment import Experiment
from clew.lab.trial import TrialResult


def main(arguments: list[str]) -> None:
    jobs = None
    if arguments[0] == "--jobs":
        jobs = int(arguments[1])
        arguments = arguments[2:]
    *experiments, document = map(Path, arguments)
    for path in experiments:
        fill(document, path.stem, path, TABLES.get(path.stem, report), jobs)
        if f"<!-- paths of {path.stem} -->" in document.read_text("utf-8"):
            fill(document, f"paths of {path.stem}", path, paths.report, jobs)


def fill(
    document: Path,
    name: str,
    path: Path,
    report: Callable[[Comparison], Iterable[str]],
    jobs: int | None = None,
) -> None:
    """Run an experiment and write the lines of a report on it into their place."""
    place(document, name)
    comparison = perform(Experiment.read(path), jobs=jobs, watch=_dot)
    # A table over the crawls that happened to succeed would look like a result.
    for failure in comparison.failures:
        sys.exit(f"{failure.trial}: {failure.error}")
    put(document, name, report(comparison))


def place(document: Path, name: str) -> re.Pattern[str]:
    """Where a table belongs; a missing place is better reported before an hour of crawls than after."""
    mark = f"<!-- {name} -->"
    end = f"<!-- end of {name} -->"
    if mark not in document.read_text("utf-8"):
        sys.exit(f"{document} has no place for {name}: add the lines {mark} and {end}")
    return re.compile(f"({mark}).*?({end})", re.S)


def put(document: Path, name: str, lines: Iterable[str]) -> None:
    """Write a table into its place."""
    table = "\n".join(lines)
    text = document.read_text("utf-8")
    document.write_text(place(document, name).sub(lambda marks: f"{marks[1]}\n{table}\n{marks[2]}", text), "utf-8")
    print(f"\nwrote {name} into {document}")


def report(comparison: Comparison) -> Iterator[str]:
    """A table for each judge and budget."""
    if any(result.trial.learn_visits for result in comparison.results):
        yield from after_learning(comparison)
        return
    for name, part in comparison.parts().items():
        crawls = len(part.results)
        worlds = list(dict.fromkeys(result.trial.world for result in part.results))
        yield f"\n**{name}** ({crawls:,} crawls, {part.results[0].trial.budget:,} visits each)\n"
        yield f"| strategy | area | 95 % | worst topic | {' | '.join(worlds)} | harvest | recall | CPU |"
        yield "|---|---|---|---|" + "---|" * (len(worlds) + 3)
        for rank in part.ranking():
            yield _row(rank, part, worlds)


def after_learning(comparison: Comparison) -> Iterator[str]:
    """The harvest ratios after a learning phase, as in table 1 of Xu and Zuo: by the judge, and by the truth."""
    for name, part in comparison.parts().items():
        trial = part.results[0].trial
        yield f"\n**{name}**, after {trial.learn_visits:,} visits from which all learn (by the judge / by the truth)\n"
        yield f"| web | topic | {' | '.join(part.strategies)} |"
        yield "|---|---|" + "---|" * len(part.strategies)
        topics = dict.fromkeys((result.trial.world, result.trial.topic) for result in part.results)
        for world, topic in topics:
            cells = [_harvests(part, world, topic, strategy) for strategy in part.strategies]
            yield f"| {world} | {topic} | {' | '.join(cells)} |"


def _harvests(part: Comparison, world: str, topic: str, strategy: str) -> str:
    """The mean harvest ratios over start sets and seeds."""
    mine = [
        result.numbers
        for result in part.results
        if (result.trial.world, result.trial.topic, result.trial.strategy) == (world, topic, strategy)
    ]
    means = [np.mean([numbers[measure] for numbers in mine]) for measure in ("judged_harvest", "harvest")]
    return " / ".join(f"{mean:.1%}" for mean in means)


def _row(rank: Rank, part: Comparison, worlds: list[str]) -> str:
    mine = [result for result in part.results if result.trial.strategy == rank.strategy]
    of_worlds = [area([result for result in mine if result.trial.world == world]) for world in worlds]
    cells = [rank.strategy, _short(rank.area), f"{_short(rank.low)} to {_short(rank.high)}", _short(rank.worst)]
    cells += [*map(_short, of_worlds), f"{rank.harvest:.0%}", f"{rank.recall:.0%}"]
    # CPU time is relative to breadth-first; without it in the experiment there is none.
    cells.append(f"{rank.cpu:.1f}" if np.isfinite(rank.cpu) else "–")
    return f"| {' | '.join(cells)} |"


def area(results: Iterable[TrialResult]) -> float:
    """The mean area over topics, each of which counts once."""
    topics: dict[tuple[str, str], list[float]] = {}
    for result in results:
        topics.setdefault((result.trial.world, result.trial.topic), []).append(result.numbers["area"])
    return float(np.mean([np.mean(areas) for areas in topics.values()]))


def _short(number: float) -> str:
    return f"{number:.3f}".replace("0.", ".", 1)


def _dot(_: object) -> None:
    print(".", end="", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1:])
