"""How far crawls differ by chance: crawls whose scores are changed by less than anybody could mean.

A crawl is a chain of choices, and each choice changes what is known at the next one. Two candidates with almost the
same score, taken in the other order, can lead to another crawl and to another result. A difference between two
strategies means something only if it is larger than that, or if both are means of several repeats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from clew.base.chance import chance
from clew.core.engine import Engine
from clew.lab.trial_result import JITTER, TrialResult
from clew.types import Candidate

__all__ = ["JITTER", "Jitter", "Spread", "spreads"]


@dataclass(frozen=True)
class Jitter:
    """Changes scores a little, in another way for each repeat; repeat 0 is the crawl as it is.

    Equal scores stay equal: among them the oldest candidate comes first, which is part of many strategies. Strategies
    with few scores, which lie further apart, are not changed at all.

    >>> Jitter(0).of(0.5), abs(Jitter(1).of(0.5) - 0.5) <= 0.5 * JITTER, Jitter(1).of(0.5) != Jitter(2).of(0.5)
    (0.5, True, True)
    """

    repeat: int
    most: float = JITTER  # of a score

    def of(self, score: float) -> float:
        """The changed score."""
        if not self.repeat:
            return score
        return score * (1.0 + self.most * (2.0 * chance(self.repeat, "jitter", score) - 1.0))

    def attach(self, engine: Engine) -> None:
        """Change the scores of an engine's strategy."""
        strategy = engine.state.strategy
        score = strategy.score

        def changed(candidates: Sequence[Candidate]) -> list[float]:
            return [self.of(each) for each in score(candidates)]

        if self.repeat:
            # The instance's own attribute hides the method.
            vars(strategy)["score"] = changed


@dataclass(frozen=True, slots=True)
class Spread:
    """How far the repeats of one crawl differ in area, as a share of the oracle's, and in pages found."""

    world: str
    topic: str
    distance: int | str  # links from the topic, or the kind of start pages
    strategy: str
    repeats: int
    area: float  # mean
    deviation: float  # standard deviation of the area
    least: float  # area
    most: float
    found: float  # mean
    least_found: int
    most_found: int


def spreads(results: Iterable[TrialResult]) -> list[Spread]:
    """The spread of each crawl over its repeats, in the order of the results."""
    groups: dict[object, list[TrialResult]] = {}
    for result in results:
        groups.setdefault(result.trial.unrepeated, []).append(result)
    return [_spread(repeats) for repeats in groups.values()]


def _spread(repeats: list[TrialResult]) -> Spread:
    trial = repeats[0].trial
    areas = np.array([result.numbers["area"] for result in repeats])
    found = np.array([result.numbers["found"] for result in repeats])
    return Spread(
        trial.world,
        trial.topic,
        trial.where,
        trial.strategy,
        repeats=len(repeats),
        area=float(areas.mean()),
        deviation=float(areas.std(ddof=1)) if len(repeats) > 1 else 0.0,
        least=float(areas.min()),
        most=float(areas.max()),
        found=float(found.mean()),
        least_found=int(found.min()),
        most_found=int(found.max()),
    )
