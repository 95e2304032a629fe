"""How much a find counts: a judge can be wrong, and for rare topics most pages just above the threshold are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

BARELY: Final = 0.1  # grade of a page at the threshold; the best page has grade 1
MIN_CHANCE: Final = 0.2  # a page that is less likely to be relevant is no find at all


def soft_find(chance: float) -> float:
    """How much a page counts whose judge knows chances: as much as it is likely to be relevant.

    >>> soft_find(0.7), soft_find(0.1)
    (0.7, 0.0)
    """
    return chance if chance >= MIN_CHANCE else 0.0


@dataclass
class Grades:
    """Grades a find by how far its relevance lies above the threshold, relative to the best page so far.

    >>> grades = Grades()
    >>> for relevance in (0.6, 0.9):
    ...     grades.see(relevance, threshold=0.5)
    >>> [round(grades.of(relevance, threshold=0.5), 2) for relevance in (0.4, 0.5, 0.7, 0.9)]
    [0.0, 0.1, 0.32, 1.0]
    """

    best: float = 0.0  # relevance of the best page so far, at least half-way from the threshold to 1

    def see(self, relevance: float, threshold: float) -> None:
        """Take note of a judged page."""
        # The first pages may all be poor: without the lower limit they would be graded as the best there is.
        self.best = max(self.best, relevance, (1 + threshold) / 2)

    def of(self, relevance: float, threshold: float) -> float:
        """0 below the threshold; above it the grade grows with the square of the distance, up to 1."""
        if relevance <= 0 or relevance < threshold:
            return 0.0
        above = 1.0
        if self.best > threshold:
            above = min(1.0, (relevance - threshold) / (self.best - threshold))
        return BARELY + (1 - BARELY) * above**2
