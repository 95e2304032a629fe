"""Hybrid simulated annealing: genetic search that, while hot, also accepts a worse set of pages."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from clew.strategies._shared.fitness import best_of
from clew.strategies._shared.population import Population


@dataclass
class Annealing(Population):
    """Follows the links that fit pages share, like `genetic`, but may accept a less fit pool while it is hot.

    The pages visited in a generation, filled up with the best old ones, form a new pool. If its mean fitness is
    worse than that of the old pool by delta, it is accepted with probability exp(-delta/T); otherwise it is always
    accepted. Fitness, crossover and mutation, and the parameters `crossover`, `mutation`, `size` and `picks`, are
    those of `genetic`.

    The temperature T starts at `t0` and is multiplied by `cooling` after each generation. Below `cold`, only
    improvements are accepted; with `ends`, the crawl also stops there.

    Yang, Yen and Chen, An intelligent personalized spider agent: hybrid simulated annealing, Decision Support
    Systems 28, 2000.
    """

    t0: float = 0.2
    cooling: float = 0.9
    cold: float = 0.01
    accepted: int = field(default=0, init=False, repr=False)  # generations whose new pool was accepted

    @property
    def temperature(self) -> float:
        """T in this generation."""
        return self.t0 * self.cooling**self.generation

    def acceptance(self, delta: float) -> float:
        """Return the probability of accepting a pool whose mean fitness is worse by delta."""
        if delta <= 0:
            return 1.0
        if self.temperature < self.cold:
            return 0.0
        return math.exp(-delta / self.temperature)

    def survivors(self) -> dict[int, float]:
        """Return the new pool or the old one, by the Metropolis rule."""
        new = best_of(self.fresh, self.size)
        rest = {page: fit for page, fit in self.pool.items() if page not in new}
        proposed = new | best_of(rest, self.size - len(new))
        delta = _mean(self.pool) - _mean(proposed)
        # Chance is keyed by the generation, not drawn from a stream, so that a resumed crawl decides the same.
        accept = not self.pool or self._crawl.chance("accept", self.generation) < self.acceptance(delta)
        self.accepted += accept
        return proposed if accept else self.pool

    def finished(self) -> bool:
        """Return whether the temperature has fallen below `cold`."""
        return self.temperature < self.cold


def _mean(pages: dict[int, float]) -> float:
    return sum(pages.values()) / (len(pages) or 1)
