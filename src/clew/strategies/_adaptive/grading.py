"""How much a find counts. A judge may err, and with rare topics most of what it barely accepts is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

BARELY: Final = 0.1  # what a page at the threshold counts, beside 1 for the best one


@dataclass
class Grades:
    """Finds are graded by how far they are above the threshold, beside the best page so far.

    >>> grades = Grades()
    >>> for relevance in (0.6, 0.9):
    ...     grades.see(relevance, threshold=0.5)
    >>> [round(grades.of(relevance, threshold=0.5), 2) for relevance in (0.4, 0.5, 0.7, 0.9)]
    [0.0, 0.1, 0.32, 1.0]
    """

    best: float = 0.0  # relevance of the best page so far, or what may be hoped of it: the first ones may all be poor

    def see(self, relevance: float, threshold: float) -> None:
        """A page was judged."""
        self.best = max(self.best, relevance, (1 + threshold) / 2)

    def of(self, relevance: float, threshold: float) -> float:
        """0 below the threshold; from there it counts ever more, up to the best page."""
        if relevance <= 0 or relevance < threshold:
            return 0.0
        above = min(1.0, (relevance - threshold) / (self.best - threshold)) if self.best > threshold else 1.0
        return BARELY + (1 - BARELY) * above**2
