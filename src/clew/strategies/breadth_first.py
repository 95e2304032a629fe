"""Breadth-first: visit the pages nearest to the start pages first, whatever is on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.strategies._base import Strategy
from clew.types import Candidate


@dataclass
class BreadthFirst(Strategy):
    """Visits pages level by level from the start pages: the baseline of every comparison.

    The level of a page is the number of links on the path by which it was found. Relevance plays no part.

    >>> from clew.testing.tiny_web import order
    >>> order("breadth_first", "s -> a b; a -> c; b -> d")
    ['s', 'a', 'b', 'c', 'd']

    Najork and Wiener, Breadth-first search crawling yields high-quality pages, WWW 2001.
    """

    shards = True
    inlinks_only = True
    waits = "never"

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return a score that falls with the level; the frontier breaks ties by the order of discovery."""
        return [1.0 / (1 + candidate.depth) for candidate in candidates]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the level of the candidate."""
        return {"depth": candidate.depth}
