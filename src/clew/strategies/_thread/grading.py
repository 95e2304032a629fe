"""How much a find counts. A judge may err, and with rare topics most of what it barely accepts is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Final

BARELY: Final = 0.1  # what a page at the threshold counts, beside 1 for the best one
HOPED: Final = 4.6  # by how much the log odds of the best page are hoped to be above the threshold: 0.99 over 0.5
PATIENCE: Final = 20  # finds after which half of that hope is given up: some judges are never so sure
SUREST: Final = 0.998  # no judge can be believed to be surer


@dataclass
class Grades:
    """Finds are graded by their log odds: 0.99 is as far above 0.9 as 0.9 is above 0.5.

    >>> grades = Grades()
    >>> [round(grades.of(relevance, threshold=0.5), 2) for relevance in (0.4, 0.5, 0.8, 0.95, 0.99)]
    [0.0, 0.1, 0.18, 0.47, 1.0]
    >>> for _ in range(20):
    ...     grades.see(0.8, threshold=0.5)
    >>> round(grades.of(0.8, threshold=0.5), 2)
    0.43
    """

    best: float = 0.0  # relevance of the best page so far
    finds: int = 0

    def see(self, relevance: float, threshold: float) -> None:
        """A page was judged."""
        self.best = max(self.best, relevance)
        self.finds += 0 < relevance >= threshold

    def of(self, relevance: float, threshold: float) -> float:
        """0 below the threshold; from there it counts ever more, up to the best page."""
        if relevance <= 0 or relevance < threshold:
            return 0.0
        low, sure = _odds(threshold), _odds(1.0)
        top = min(sure, max(_odds(self.best), low + HOPED * PATIENCE / (PATIENCE + self.finds)))
        above = min(1.0, (_odds(relevance) - low) / (top - low)) if top > low else 1.0
        return BARELY + (1 - BARELY) * above**2


def _odds(relevance: float) -> float:
    within = min(max(relevance, 1 - SUREST), SUREST)
    return log(within / (1 - within))
