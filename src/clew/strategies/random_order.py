"""Random order: every candidate has the same chance, the least that any other strategy has to beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.strategies._base import Strategy
from clew.types import Candidate


@dataclass
class RandomOrder(Strategy):
    """Visits the candidates in random order: the second baseline.

    Each candidate gets a random number once, from the random seed of the crawl and its URL.

    >>> from clew.testing.tiny_web import order
    >>> sorted(order("random_order", "s -> a b c", seed=7))
    ['a', 'b', 'c', 's']

    Cho, Garcia-Molina and Page, Efficient crawling through URL ordering, WWW 1998 (their baseline).
    """

    shards = True
    inlinks_only = True
    waits = "never"

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return a number in (0, 1) for each URL."""
        # The number of a URL never changes, so the choice is uniform at every step and needs no state.
        chance = self._crawl.chance
        return [chance("random_order", candidate.url) for candidate in candidates]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the candidate's random number."""
        return {"chance": self._crawl.chance("random_order", candidate.url)}
