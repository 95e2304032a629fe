"""Breadth-first: the pages near the start pages first, whatever is on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.strategies._base import Strategy
from clew.types import Candidate


@dataclass
class BreadthFirst(Strategy):
    """Level by level from the start pages; the baseline of every comparison.

    >>> from clew.testing.tiny_web import order
    >>> order("breadth_first", "s -> a b; a -> c; b -> d")
    ['s', 'a', 'b', 'c', 'd']

    Najork and Wiener, Breadth-first search crawling yields high-quality pages, WWW 2001.
    """

    inlinks_only = True

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """Fewer links from a start page is sooner; of equals, the one that was found first."""
        return [1.0 / (1 + candidate.depth) for candidate in candidates]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The level of the page."""
        return {"depth": candidate.depth}
