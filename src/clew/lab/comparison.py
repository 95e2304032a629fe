"""Results beside each other: a table, a ranking, pairs with their intervals, and how much crawls have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from clew.lab import judges, metrics
from clew.lab.running import JobFailure
from clew.lab.trial import Trial, TrialResult

BASELINE: Final = "breadth_first"
ROUNDING: Final = 1e-9  # differences below this are ties

Key = TypeVar("Key")
Condition = tuple[str, int, int, bool]  # judge, budget, parallel, outside


@dataclass(frozen=True, slots=True)
class Rank:
    """How one strategy did over all topics."""

    strategy: str
    area: float  # share of the oracle's area, mean over topics
    low: float  # ends of the 95 % bootstrap interval over topics
    high: float
    worst: float  # the topic on which it did worst
    share: float
    harvest: float
    recall: float
    cpu: float  # relative to breadth-first


@dataclass(frozen=True, slots=True)
class Pair:
    """One strategy against another, on the tasks that both have done; each topic counts once."""

    strategy: str
    other: str
    difference: float  # of the areas, mean over topics
    low: float  # ends of the 95 % bootstrap interval of that
    high: float
    wins: int  # topics
    ties: int
    losses: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two strategies have in common, mean over their tasks (Jaccard)."""

    strategy: str
    other: str
    pages: float  # visited by both, of those that either visited
    found: float  # relevant ones found by both, of those that either found


@dataclass(frozen=True, eq=False)
class Comparison:
    """The results of an experiment."""

    results: Sequence[TrialResult]
    title: str = ""
    text: str = ""
    failures: Sequence[JobFailure] = ()
    notes: Sequence[str] = ()  # what could not be planned, and warnings about the worlds
    cached: int = 0  # trials that were done already

    @property
    def strategies(self) -> list[str]:
        """In the order of the experiment."""
        return list(dict.fromkeys(result.trial.strategy for result in self.results))

    def parts(self) -> dict[str, Comparison]:
        """One comparison for each judge, budget, parallelism and view: only what is equal in these can be ranked."""
        conditions = _grouped(self.results, condition)
        return {spoken(where): replace(self, results=results) for where, results in conditions.items()}

    def table(self) -> list[dict[str, Any]]:
        """One row for each trial."""
        return [result.row for result in self.results]

    def ranking(self) -> list[Rank]:
        """Best area first; each topic counts once, whatever its number of start sets."""
        by_strategy = _grouped(self.results, lambda trial: trial.strategy)
        cpu = {name: _mean(results, "cpu_ms") for name, results in by_strategy.items()}
        base = cpu.get(BASELINE) or float("nan")
        ranks = [_rank(name, results, cpu[name] / base) for name, results in by_strategy.items()]
        return sorted(ranks, key=lambda rank: (-rank.area, rank.strategy))

    def pairs(self) -> list[Pair]:
        """Every two strategies, the better ranked one first."""
        names = [rank.strategy for rank in self.ranking()]
        done = self._by_task()
        found = [_pair(one, other, done[one], done[other]) for one, other in combinations(names, 2)]
        return [pair for pair in found if pair]

    def overlap(self) -> list[Overlap]:
        """What every two strategies have in common, the better ranked one first."""
        names = [rank.strategy for rank in self.ranking()]
        done = self._by_task()
        found = [_overlap(one, other, done[one], done[other]) for one, other in combinations(names, 2)]
        return [overlap for overlap in found if overlap]

    def spent(self) -> dict[str, dict[str, float]]:
        """Milliseconds of CPU for each page, by strategy and part."""
        return {name: _spent(results) for name, results in _grouped(self.results, lambda t: t.strategy).items()}

    def write(self, folder: str | Path) -> list[Path]:
        """Tables and curves as files: trials.csv, ranking.csv, pairs.csv, curves.npz, and trials.parquet if it can."""
        from clew.lab.text_tables import write

        return write(self, Path(folder))

    def report(self, folder: str | Path) -> Path:
        """Write one HTML page with all plots and tables."""
        from clew.lab import report

        path: Path = report.write(self, Path(folder), self.title, self.text)
        return path

    def _by_task(self) -> dict[str, dict[Trial, TrialResult]]:
        done: dict[str, dict[Trial, TrialResult]] = {}
        for result in self.results:
            task = replace(result.trial.task, parallel=result.trial.parallel, link_source=result.trial.link_source)
            done.setdefault(result.trial.strategy, {})[task] = result
        return done


def condition(trial: Trial) -> Condition:
    """What must be equal for a ranking."""
    return trial.judge, trial.budget, trial.parallel, trial.link_source


def spoken(where: Condition) -> str:
    """A condition in words.

    >>> spoken(("truth", 500, 16, True))
    'guided by the truth, 500 visits, 16 at a time, with back-links and searches'
    """
    judge, budget, parallel, link_source = where
    told = f"guided by the {judges.spoken(judge)}, {budget:,} visits" + (
        f", {parallel} at a time" if parallel > 1 else ""
    )
    return f"{told}, with back-links and searches" if link_source else told


def _rank(strategy: str, results: list[TrialResult], cpu: float) -> Rank:
    topics = list(_grouped(results, _topic).values())
    areas = np.array([_mean(kept, "area") for kept in topics])
    low, mean, high = metrics.bootstrap(areas)
    shares, harvests, recalls = (
        float(np.mean([_mean(kept, name) for kept in topics])) for name in ("share", "harvest", "recall")
    )
    return Rank(strategy, mean, low, high, float(areas.min()), shares, harvests, recalls, cpu)


def _pair(one: str, other: str, first: dict[Trial, TrialResult], second: dict[Trial, TrialResult]) -> Pair | None:
    topics: dict[tuple[str, str], list[float]] = {}
    for task, result in first.items():
        if against := second.get(task):
            topics.setdefault(_topic(task), []).append(result.numbers["area"] - against.numbers["area"])
    if not topics:
        return None
    differences = np.array([np.mean(values) for values in topics.values()])
    low, mean, high = metrics.bootstrap(differences)
    wins, losses = int((differences > ROUNDING).sum()), int((differences < -ROUNDING).sum())
    return Pair(one, other, mean, low, high, wins, len(differences) - wins - losses, losses)


def _overlap(one: str, other: str, first: dict[Trial, TrialResult], second: dict[Trial, TrialResult]) -> Overlap | None:
    both = [(result, second[task]) for task, result in first.items() if task in second]
    if not both:
        return None
    pages = [metrics.overlap(a.visits, b.visits) for a, b in both]
    found = [metrics.overlap(a.hits, b.hits) for a, b in both]
    return Overlap(one, other, float(np.mean(pages)), float(np.mean(found)))


def _spent(results: list[TrialResult]) -> dict[str, float]:
    visits = max(1.0, sum(result.numbers["visits"] for result in results))
    parts = dict.fromkeys((part for result in results for part in result.spent), 0.0)
    return {part: 1000 * sum(result.spent.get(part, 0.0) for result in results) / visits for part in parts}


def _grouped(results: Iterable[TrialResult], key: Callable[[Trial], Key]) -> dict[Key, list[TrialResult]]:
    groups: dict[Key, list[TrialResult]] = {}
    for result in results:
        groups.setdefault(key(result.trial), []).append(result)
    return groups


def _topic(trial: Trial) -> tuple[str, str]:
    return trial.world, trial.topic


def _mean(results: Sequence[TrialResult], name: str) -> float:
    return float(np.mean([result.numbers[name] for result in results]))
