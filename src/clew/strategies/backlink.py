"""Backlink count: visit the URLs with the most in-links first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.strategies._base import Strategy
from clew.types import Candidate


@dataclass
class Backlink(Strategy):
    """Visits the candidate with the most in-links from visited pages.

    The score is the paper's IB'(p): the number of links to p from the pages crawled so far. Relevance plays no part.

    >>> from clew.testing.tiny_web import order
    >>> order("backlink", "s -> a b; a -> c d; b -> d")
    ['s', 'a', 'b', 'd', 'c']

    Cho, Garcia-Molina and Page, Efficient crawling through URL ordering, WWW 1998.
    """

    shards = True

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return the number of pages that link to each candidate."""
        # The frontier counts every in-link; `links` holds only the few that it keeps as evidence.
        return [float(candidate.n_links) for candidate in candidates]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the backlink count."""
        return {"backlinks": candidate.n_links}
