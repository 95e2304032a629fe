"""Random order: every candidate has the same chance; what any idea has to beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.strategies._base import Strategy
from clew.types import Candidate


@dataclass
class RandomOrder(Strategy):
    """Each candidate draws its place once, by the crawl's seed and its URL.

    >>> from clew.testing.tiny_web import order
    >>> sorted(order("random_order", "s -> a b c", seed=7))
    ['a', 'b', 'c', 's']

    Cho, Garcia-Molina and Page, Efficient crawling through URL ordering, WWW 1998 (their baseline).
    """

    inlinks_only = True

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """A number in (0, 1) that stays with the URL, so that the choice is uniform at every step."""
        chance = self._crawl.chance
        return [chance("random_order", candidate.url) for candidate in candidates]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The number that was drawn."""
        return {"chance": self._crawl.chance("random_order", candidate.url)}
