"""Scores of candidates, kept up to date as the strategy asks for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from clew.core.faults import Faults, Part
from clew.core.rescoring import Rescoring
from clew.core.stats import Tally
from clew.core.steering import Steering
from clew.errors import StrategyError
from clew.filters.sitemaps import Sitemaps
from clew.frontier import Frontier
from clew.strategies import ALL, HOLD, Stale, Strategy, _optional
from clew.types import Candidate

SCORING: Final[tuple[Part, str]] = ("strategy", "score")


@dataclass
class Scoring:
    """Asks the strategy for scores, and puts them into the frontier."""

    frontier: Frontier
    strategy: Strategy
    sitemaps: Sitemaps
    steering: Steering
    tally: Tally
    slot_for: Callable[[str], int]  # the slot of a URL that the strategy names, known or not
    faults: Faults
    rescored_at: int = 0  # visits when everything was last scored
    woken: int = 0  # times that hosts had become ready when the best were last scored

    def __post_init__(self) -> None:
        self.wishes = _optional.rescoring(self.strategy)
        self.rescoring = Rescoring(self.frontier)

    def after_page(self, touched: list[int], stale: Stale) -> None:
        """Score what a page touched, what the strategy names, the best few, and at times everything, slice by slice.

        The strategy is asked once: a call costs as much as some hundred candidates.
        """
        slots = touched if stale is ALL else [*touched, *map(self.slot_for, stale)]
        every = self.wishes.rescore_all_every
        if stale is ALL or (every and self.tally.visited - self.rescored_at >= every):
            self.rescored_at = self.tally.visited
            slots = [*slots, *self.rescoring.begin()]
        self.score_slots([*dict.fromkeys((*slots, *self.rescoring.slice(), *self._best()))])

    def score_urls(self, urls: Iterable[str]) -> None:
        """Score these URLs, known or not."""
        self.score_slots([*dict.fromkeys(map(self.slot_for, urls))])

    def score_slots(self, slots: list[int]) -> None:
        """Score those of the slots that are still candidates."""
        queued = [slot for slot in slots if self.frontier.is_queued(slot)]
        if queued:
            self.frontier.set(queued, self._scores(self.frontier.candidates(queued)))

    def score_best(self) -> None:
        """Before a choice: score the best few again, if others are ready now than after the last visit."""
        if self.woken != self.frontier.woken:
            self.score_slots(self._best())

    def score_all(self) -> bool:
        """Score every candidate in one go, whatever it takes; whether one can be fetched now."""
        self.frontier.set_all(self._scores)
        return self.frontier.best() > HOLD

    def _best(self) -> list[int]:
        """The best few among the hosts that are ready, if the strategy wants them to be scored before each choice."""
        self.woken = self.frontier.woken
        return self.frontier.best_ready(self.wishes.rescore_top) if self.wishes.rescore_top else []

    def _scores(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        scores = self.faults.attempt(*SCORING, f"scores of {len(candidates)} candidates", self._ask, candidates)
        if scores is None:
            scores = self._one_by_one(candidates)
        return self.steering.first(candidates, self.sitemaps.first(candidates, scores))

    def _ask(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        scores = self.strategy.score(candidates)
        if len(scores) != len(candidates):
            raise StrategyError(f"{len(candidates)} candidates got {len(scores)} scores")
        for score in scores:
            # NaN is the one value that differs from itself.
            if score != score or score == math.inf:
                raise StrategyError(f"a score must be finite or HOLD, not {score}")
        return scores

    def _one_by_one(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """After a fault: only the candidates that cause it keep their old scores; new ones are on hold."""
        if self.faults.verdict:
            return [candidate.score for candidate in candidates]
        alone = [self._alone(candidate) for candidate in candidates]
        if any(score is not None for score in alone):
            self.faults.forget_run(*SCORING)
        return [c.score if score is None else score for c, score in zip(candidates, alone, strict=True)]

    def _alone(self, candidate: Candidate) -> float | None:
        try:
            return self._ask([candidate])[0]
        except (Exception, SystemExit):
            return None
