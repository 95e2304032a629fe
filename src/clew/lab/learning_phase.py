"""All strategies learn from one and the same crawl before they are compared, as in Xu and Zuo, WWW 2007, table 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clew.core.engine import Engine
from clew.strategies import ALL, Stale, make
from clew.types import Candidate, Page

GUIDE: Final = "best_first"  # the strategy of the paper's learning phase


@dataclass(frozen=True)
class LearningPhase:
    """For the first `visits` visits the best-first strategy chooses, and the strategy of the trial only looks on.

    It learns from every page that is visited meanwhile. Then it takes over with the candidates that are left.
    """

    visits: int

    def attach(self, engine: Engine) -> None:
        """Take the choice from an engine's strategy until the phase is over."""
        if not self.visits:
            return
        view = engine.state.view
        strategy = engine.state.strategy
        guide = make(GUIDE)
        guide.start(view)
        own_score = strategy.score
        own_learn = strategy.learn

        def score(candidates: Sequence[Candidate]) -> Sequence[float]:
            chooser = guide.score if view.visited < self.visits else own_score
            return chooser(candidates)

        def learn(page: Page) -> Stale:
            guide.learn(page)
            stale = own_learn(page)
            # From now on the strategy's own scores count, so that all of the guide's are stale.
            return ALL if view.visited == self.visits else stale

        # The instance's own attributes hide the methods.
        vars(strategy).update(score=score, learn=learn)
