"""Itsy Bitsy spider: genetic search with pages as individuals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from clew.strategies._shared.fitness import best_of
from clew.strategies._shared.population import Population

STILL: Final = 3
"""Generations without a change of the mean fitness that end the search."""


@dataclass
class Genetic(Population):
    """Pages that two fit pages link to are fetched next; the `size` fittest pages breed on.

    The fitness of a page is its likeness to the start pages, in links and terms. For each generation `picks`
    parents are drawn in proportion to it. With probability `crossover` a pair brings all that both link to (or,
    where back-links are known, what links to both); with probability `mutation` a generation takes in pages from a
    search for the start pages' terms, without a search provider from links at random. With `ends`, the crawl is
    over when the mean fitness has not changed in three generations.

    >>> from clew.testing.tiny_web import order
    >>> order("genetic(crossover=1.0)", "a {boats} -> x y; b {boats} -> y z", start="a b")
    ['a', 'b', 'y', 'x', 'z']

    Chen, Chung, Ramsey and Yang, An intelligent personal spider (agent) for dynamic internet/intranet searching,
    Decision Support Systems 23, 1998.
    """

    means: list[float] = field(default_factory=list, init=False, repr=False)  # of the latest generations

    def survivors(self) -> dict[int, float]:
        """The fittest of old and new."""
        return best_of(self.pool | self.fresh, self.size)

    def finished(self) -> bool:
        """No change of the mean fitness for some generations."""
        mean = sum(self.pool.values()) / (len(self.pool) or 1)
        self.means = [*self.means[-STILL:], mean]
        return len(self.means) > STILL and max(self.means) - min(self.means) < 1e-9
