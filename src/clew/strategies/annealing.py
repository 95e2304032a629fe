"""Hybrid simulated annealing: genetic search that also takes worse pools while it is hot."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from clew.strategies._shared.fitness import best_of
from clew.strategies._shared.population import Population


@dataclass
class Annealing(Population):
    """Each generation's pages make a new pool; it replaces the old one if it is fitter, or by chance.

    New pages and then the best old ones fill the pool. If their mean fitness is worse by delta, it is accepted
    with probability exp(-delta/T). The temperature T begins at `t0` and falls by the factor `cooling` a generation;
    below `cold` only improvements count, and with `ends` the crawl is over. Fitness, crossover and mutation are
    those of the genetic spider.

    Yang, Yen and Chen, An intelligent personalized spider agent: hybrid simulated annealing, Decision Support
    Systems 28, 2000.
    """

    t0: float = 0.2
    cooling: float = 0.9
    cold: float = 0.01
    accepted: int = field(default=0, init=False, repr=False)

    @property
    def temperature(self) -> float:
        """T in this generation."""
        return self.t0 * self.cooling**self.generation

    def acceptance(self, delta: float) -> float:
        """The probability of a pool that is worse by delta."""
        if delta <= 0:
            return 1.0
        return math.exp(-delta / self.temperature) if self.temperature >= self.cold else 0.0

    def survivors(self) -> dict[int, float]:
        """The new pool or the old one (Metropolis)."""
        new = best_of(self.fresh, self.size)
        old = best_of({page: fit for page, fit in self.pool.items() if page not in new}, self.size - len(new))
        delta = _mean(self.pool) - _mean(new | old)
        taken = not self.pool or self._crawl.chance("accept", self.generation) < self.acceptance(delta)
        self.accepted += taken
        return new | old if taken else self.pool

    def finished(self) -> bool:
        """Cold."""
        return self.temperature < self.cold


def _mean(pages: dict[int, float]) -> float:
    return sum(pages.values()) / (len(pages) or 1)
