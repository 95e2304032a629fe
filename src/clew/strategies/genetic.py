"""Itsy Bitsy spider: genetic search in which pages are the individuals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from clew.strategies._shared.fitness import best_of
from clew.strategies._shared.population import Population

CONVERGED_GENERATIONS: Final = 3
"""The search has converged when the mean fitness has not changed for so many generations."""
SAME_FITNESS: Final = 1e-9
"""Mean fitness values that differ by less count as equal."""


@dataclass
class Genetic(Population):
    """Visits the pages that two fit pages both link to, generation after generation.

    The fitness of a page is its similarity to the start pages, in links and in terms. The `size` fittest pages form
    the pool. For each generation `picks` parents are drawn from it, in proportion to fitness. With probability
    `crossover` a pair of parents contributes all URLs that both link to (and, if back-links are available, all that
    link to both). With probability `mutation` a generation also receives pages from a search for the terms of the
    start pages; without a search provider, random links. With `ends`, the crawl stops when the mean fitness has not
    changed for three generations.

    >>> from clew.testing.tiny_web import order
    >>> order("genetic(crossover=1.0)", "a {boats} -> x y; b {boats} -> y z", start="a b")
    ['a', 'b', 'y', 'x', 'z']

    Chen, Chung, Ramsey and Yang, An intelligent personal spider (agent) for dynamic internet/intranet searching,
    Decision Support Systems 23, 1998.
    """

    means: list[float] = field(default_factory=list, init=False, repr=False)  # mean fitness of recent generations

    def survivors(self) -> dict[int, float]:
        """Return the fittest of the old and new pages."""
        return best_of(self.pool | self.fresh, self.size)

    def finished(self) -> bool:
        """Return whether the mean fitness has stopped changing."""
        mean = sum(self.pool.values()) / (len(self.pool) or 1)
        # No change over three generations takes four values to see.
        self.means = [*self.means[-CONVERGED_GENERATIONS:], mean]
        return len(self.means) > CONVERGED_GENERATIONS and max(self.means) - min(self.means) < SAME_FITNESS
