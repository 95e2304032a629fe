"""The data of a report: one case for each condition, and means over its topics."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from clew.lab import metrics
from clew.lab.comparison import Comparison, Pair, Rank
from clew.lab.plots import windowed

if TYPE_CHECKING:
    from clew.lab.trial import TrialResult

Topic = tuple[str, str]  # world and name
Key = TypeVar("Key", bound=Hashable)
Table = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """The results under one condition; the name is empty if there is only one condition."""

    name: str
    comparison: Comparison

    @property
    def slug(self) -> str:
        """The name in a form for file names, with a hyphen before it."""
        return "-" + re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-") if self.name else ""

    @property
    def results(self) -> Sequence[TrialResult]:
        """The results of all strategies."""
        return self.comparison.results

    @property
    def budget(self) -> int:
        """The number of visits of each crawl."""
        return self.results[0].trial.budget

    @cached_property
    def ranks(self) -> list[Rank]:
        """The ranking, best first."""
        return self.comparison.ranking()

    @cached_property
    def by_strategy(self) -> dict[str, list[TrialResult]]:
        """The results of each strategy, best first."""
        results = parts(self.results, lambda result: result.trial.strategy)
        return {rank.strategy: results[rank.strategy] for rank in self.ranks}

    @cached_property
    def areas(self) -> dict[str, dict[Topic, float]]:
        """The area of each strategy on each topic, mean over start sets."""
        return {strategy: _areas(results) for strategy, results in self.by_strategy.items()}

    @cached_property
    def topics(self) -> list[Topic]:
        """The topics world by world, the easiest first."""
        # Strategies may have different topics: some of their trials may have failed.
        by_topic: dict[Topic, list[float]] = {}
        for areas in self.areas.values():
            for topic, area in areas.items():
                by_topic.setdefault(topic, []).append(area)
        ease = {topic: np.mean(areas) for topic, areas in by_topic.items()}
        return sorted(ease, key=lambda topic: (topic[0], -ease[topic], topic[1]))

    @cached_property
    def gaps(self) -> list[Pair]:
        """The leader paired with every other strategy."""
        leader = self.ranks[0].strategy
        return [pair for pair in self.comparison.pairs() if pair.strategy == leader]

    @property
    def has_baseline(self) -> bool:
        """Whether the baseline took part and was timed, so that CPU times can be given relative to it."""
        return not math.isnan(self.ranks[0].cpu)


def cases(comparison: Comparison) -> list[Case]:
    """One case for each condition."""
    conditions = comparison.parts()
    return [Case(name if len(conditions) > 1 else "", part) for name, part in conditions.items()]


def is_clear(pair: Pair) -> bool:
    """Whether the difference is clear: the interval excludes zero, and comes from more than one topic."""
    return topics_of(pair) > 1 and (pair.low > 0 or pair.high < 0)


def topics_of(pair: Pair) -> int:
    """The number of topics on which both strategies were run."""
    return pair.wins + pair.ties + pair.losses


def parts(results: Iterable[TrialResult], key: Callable[[TrialResult], Key]) -> dict[Key, list[TrialResult]]:
    """The results grouped by a key, in their order."""
    groups: dict[Key, list[TrialResult]] = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return groups


def topic_of(result: TrialResult) -> Topic:
    """The world and the topic of a result."""
    # Topics of different worlds may have the same name.
    return result.trial.world, result.trial.topic


def shares(results: Sequence[TrialResult]) -> Table:
    """The pages found divided by those the oracle had found by then; one row for each trial."""
    length = max(result.trial.budget for result in results)
    rows = [metrics.oracle_share(_hits(result.found), _extended(result.best, length)) for result in results]
    return np.array(rows)


def harvests(results: Sequence[TrialResult], width: int, is_oracle: bool = False) -> Table:
    """The harvest of the last visits, one row for each trial; a crawl that has ended finds nothing more."""
    length = max(result.trial.budget for result in results)
    curves = (_extended(result.best if is_oracle else result.found, length) for result in results)
    return np.array([windowed(_hits(curve) > 0, width) for curve in curves])


def mean_curve(results: Sequence[TrialResult], curves: Table) -> Table:
    """The mean of curves; each topic counts once, however many start sets it has."""
    rows: dict[Topic, list[int]] = {}
    for row, result in enumerate(results):
        rows.setdefault(topic_of(result), []).append(row)
    return np.asarray(np.mean([curves[same_topic].mean(axis=0) for same_topic in rows.values()], axis=0), np.float64)


def _extended(found: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """The curve with this length; a crawl that ended early keeps its last value."""
    start = found[:length] if len(found) else np.zeros(1, np.int64)
    return np.pad(start, (0, max(0, length - len(start))), mode="edge")


def _hits(found: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.diff(found, prepend=0)


def _areas(results: list[TrialResult]) -> dict[Topic, float]:
    areas: dict[Topic, list[float]] = {}
    for result in results:
        areas.setdefault(topic_of(result), []).append(result.numbers["area"])
    return {topic: float(np.mean(values)) for topic, values in areas.items()}
