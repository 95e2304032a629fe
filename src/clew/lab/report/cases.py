"""What a report is drawn from: comparisons under one condition each, and means over their topics."""

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
    """Results under the same condition; the name is empty if there is only one."""

    name: str
    comparison: Comparison

    @property
    def slug(self) -> str:
        """For the names of files."""
        return "-" + re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-") if self.name else ""

    @property
    def results(self) -> Sequence[TrialResult]:
        """Of all strategies."""
        return self.comparison.results

    @property
    def budget(self) -> int:
        """Visits of each crawl."""
        return self.results[0].trial.budget

    @cached_property
    def ranks(self) -> list[Rank]:
        """Best first."""
        return self.comparison.ranking()

    @cached_property
    def by_strategy(self) -> dict[str, list[TrialResult]]:
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
    def gaps(self) -> list[Pair]:
        """The leader against every other."""
        leader = self.ranks[0].strategy
        return [pair for pair in self.comparison.pairs() if pair.strategy == leader]

    @property
    def has_baseline(self) -> bool:
        """Computing times are relative to one strategy, if it took part and its time was measured."""
        return not math.isnan(self.ranks[0].cpu)


def cases(comparison: Comparison) -> list[Case]:
    """One for each condition."""
    conditions = comparison.parts()
    return [Case(name if len(conditions) > 1 else "", part) for name, part in conditions.items()]


def is_clear(pair: Pair) -> bool:
    """The interval is on one side of zero, and there were topics enough to have one."""
    return topics_of(pair) > 1 and (pair.low > 0 or pair.high < 0)


def topics_of(pair: Pair) -> int:
    """On so many topics the two met."""
    return pair.wins + pair.ties + pair.losses


def parts(results: Iterable[TrialResult], key: Callable[[TrialResult], Key]) -> dict[Key, list[TrialResult]]:
    """Results that share a key, in their order."""
    parted: dict[Key, list[TrialResult]] = {}
    for result in results:
        parted.setdefault(key(result), []).append(result)
    return parted


def topic_of(result: TrialResult) -> Topic:
    """Topics of different worlds may have the same name."""
    return result.trial.world, result.trial.topic


def shares(results: Sequence[TrialResult]) -> Table:
    """Found over what the oracle had found by then; a row for each trial."""
    length = max(result.trial.budget for result in results)
    return np.array([metrics.oracle_share(_hits(result.found), _reaching(result.best, length)) for result in results])


def harvests(results: Sequence[TrialResult], width: int, is_oracle: bool = False) -> Table:
    """Harvest of the latest visits, a row for each trial; a crawl that has ended finds nothing more."""
    length = max(result.trial.budget for result in results)
    curves = (_reaching(result.best if is_oracle else result.found, length) for result in results)
    return np.array([windowed(_hits(curve) > 0, width) for curve in curves])


def mean_curve(results: Sequence[TrialResult], curves: Table) -> Table:
    """Each topic counts once."""
    rows: dict[Topic, list[int]] = {}
    for row, result in enumerate(results):
        rows.setdefault(topic_of(result), []).append(row)
    return np.asarray(np.mean([curves[kept].mean(axis=0) for kept in rows.values()], axis=0), np.float64)


def _reaching(found: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """A crawl that ended early stays where it was."""
    kept = found[:length] if len(found) else np.zeros(1, np.int64)
    return np.pad(kept, (0, max(0, length - len(kept))), mode="edge")


def _hits(found: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.diff(found, prepend=0)


def _areas(results: list[TrialResult]) -> dict[Topic, float]:
    parted = parts(results, topic_of)
    return {topic: float(np.mean([result.numbers["area"] for result in kept])) for topic, kept in parted.items()}
