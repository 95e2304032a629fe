"""Backlink count: what many crawled pages link to comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.strategies._base import Strategy
from clew.types import Candidate


@dataclass
class Backlink(Strategy):
    """IB'(p), the number of crawled pages that link to p.

    >>> from clew.testing.tiny_web import order
    >>> order("backlink", "s -> a b; a -> c d; b -> d")
    ['s', 'a', 'b', 'd', 'c']

    Cho, Garcia-Molina and Page, Efficient crawling through URL ordering, WWW 1998.
    """

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """The count as the frontier keeps it."""
        return [float(candidate.n_links) for candidate in candidates]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The count by the paper's name."""
        return {"backlinks": candidate.n_links}
