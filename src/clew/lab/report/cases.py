"""What a report is drawn from: the results, parted into cases that may be averaged, and means over topics."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from clew.lab import metrics
from clew.lab.compare import BASELINE, Rank, ranking

if TYPE_CHECKING:
    from clew.lab.trial import Result

Topic = tuple[str, str]  # world and name
Key = TypeVar("Key", bound=Hashable)
Curves = NDArray[np.float64]  # one row for each trial


@dataclass(frozen=True)
class Gap:
    """By how much the leader's area passes another strategy's, each topic counting once."""

    strategy: str
    low: float
    mean: float
    high: float
    won: int  # topics on which the leader is better
    topics: int

    @property
    def is_clear(self) -> bool:
        """The interval is on one side of zero, and there were topics enough to have one."""
        return self.topics > 1 and (self.low > 0 or self.high < 0)


@dataclass(frozen=True)
class Case:
    """Trials under one judge and one budget."""

    name: str
    results: Sequence[Result]

    @property
    def slug(self) -> str:
        """For the names of files."""
        return "-" + re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-") if self.name else ""

    @cached_property
    def ranks(self) -> list[Rank]:
        """Best first."""
        return ranking(self.results)

    @cached_property
    def by_strategy(self) -> dict[str, list[Result]]:
        """Best first."""
        parted = parts(self.results, lambda result: result.trial.strategy)
        return {rank.strategy: parted[rank.strategy] for rank in self.ranks}

    @cached_property
    def areas(self) -> dict[str, dict[Topic, float]]:
        """Of each strategy on each topic, mean over its start sets."""
        return {strategy: _areas(results) for strategy, results in self.by_strategy.items()}

    @cached_property
    def topics(self) -> list[Topic]:
        """World by world, the easiest first."""
        known = {topic: None for areas in self.areas.values() for topic in areas}
        ease = {topic: np.mean([areas[topic] for areas in self.areas.values() if topic in areas]) for topic in known}
        return sorted(known, key=lambda topic: (topic[0], -ease[topic], topic[1]))

    @cached_property
    def gaps(self) -> list[Gap]:
        """The leader against every other."""
        leader, *others = self.areas.items()
        return [gap for name, areas in others if (gap := _gap(name, leader[1], areas))]

    @property
    def budget(self) -> int:
        """Visits of each crawl."""
        return self.results[0].trial.budget

    @property
    def has_baseline(self) -> bool:
        """Computing times are relative to one strategy, if it took part."""
        return BASELINE in self.areas


def cases(results: Sequence[Result]) -> list[Case]:
    """One for each judge and budget, named by what tells them apart."""
    parted = parts(results, lambda result: (result.trial.judge, result.trial.budget))
    judges, budgets = ({key[at] for key in parted} for at in (0, 1))
    found = []
    for (judge, budget), kept in parted.items():
        judged = [f"guided by the {judge}"] if len(judges) > 1 else []
        length = [f"{budget:,} visits"] if len(budgets) > 1 else []
        found.append(Case(", ".join(judged + length), kept))
    return found


def parts(results: Iterable[Result], key: Callable[[Result], Key]) -> dict[Key, list[Result]]:
    """Results that share a key, in their order."""
    parted: dict[Key, list[Result]] = {}
    for result in results:
        parted.setdefault(key(result), []).append(result)
    return parted


def topic_of(result: Result) -> Topic:
    """Topics of different worlds may have the same name."""
    return result.trial.world, result.trial.topic


def shares(results: Sequence[Result]) -> Curves:
    """Found over what the oracle had found by then, trial by trial."""
    return np.array([metrics.oracle_share(_hits(result.found), result.best) for result in results])


def harvests(results: Sequence[Result], width: int, is_oracle: bool = False) -> Curves:
    """Harvest of the latest visits, trial by trial; where a crawl has ended it finds nothing."""
    from clew.plots import windowed

    budget = max(result.trial.budget for result in results)
    curves = (result.best if is_oracle else result.found for result in results)
    return np.array([windowed(np.resize(np.append(_hits(curve), 0), budget) > 0, width) for curve in curves])


def mean_curve(results: Sequence[Result], curves: Curves) -> NDArray[np.float64]:
    """Each topic counts once."""
    places = parts_of([topic_of(result) for result in results])
    return np.asarray(np.mean([curves[rows].mean(axis=0) for rows in places], axis=0), np.float64)


def parts_of(keys: Sequence[Hashable]) -> list[list[int]]:
    """The places of each key.

    >>> parts_of(["a", "b", "a"])
    [[0, 2], [1]]
    """
    places: dict[Hashable, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return list(places.values())


def _hits(found: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.diff(found, prepend=0)


def _areas(results: list[Result]) -> dict[Topic, float]:
    parted = parts(results, topic_of)
    return {topic: float(np.mean([result.numbers["area"] for result in kept])) for topic, kept in parted.items()}


def _gap(name: str, leader: dict[Topic, float], other: dict[Topic, float]) -> Gap | None:
    differences = [leader[topic] - other[topic] for topic in leader if topic in other]
    if not differences:
        return None
    return Gap(name, *metrics.bootstrap(differences), sum(gap > 0 for gap in differences), len(differences))
