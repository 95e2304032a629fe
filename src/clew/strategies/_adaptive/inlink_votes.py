"""Which URLs relevant pages link to: of two links that say the same, that with more such witnesses is better."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.strategies._adaptive.memory import Matrix, roomy
from clew.types import Candidate

NAMES: Final = ("inlink_votes", "inlink_excess")
VOTE_PRIOR_PAGES: Final = 2.0  # pages that link there as they would anywhere


@dataclass
class InlinkVotes:
    """By the number of a URL: the finds among the pages that link to it.

    >>> inlink_votes = InlinkVotes()
    >>> inlink_votes.set(3, [7], 1.0)
    >>> features = inlink_votes.features([Candidate("a", 7), Candidate("b", 8)], links=np.array([2.0, 2.0]), base=0.1)
    >>> [[f"{clue:.2f}" for clue in row] for row in features]
    [['0.69', '0.80'], ['0.00', '-0.20']]
    """

    finds: Matrix = field(default_factory=lambda: np.zeros(1024, np.float32))
    given: dict[int, float] = field(default_factory=dict)  # by the number of a page: what it counts

    def set(self, page: int, links: Iterable[int], found: float) -> None:
        """A page counts so much now, whatever it did before, and links to these."""
        more, targets = found - self.given.get(page, 0.0), sorted(set(links))
        self.given[page] = found
        if targets:
            self.finds = roomy(self.finds, targets[-1])
            self.finds[targets] = np.maximum(self.finds[targets] + np.float32(more), 0)

    def features(self, candidates: Sequence[Candidate], links: NDArray[np.float64], base: float) -> Matrix:
        """For each how much praise there is, and how much more than so many links to it bring anywhere."""
        numbers = np.array([candidate.found for candidate in candidates], np.intp)
        finds = self.finds.take(numbers, mode="clip") * (numbers < len(self.finds))
        pages = links.astype(np.float32)
        excess = 4 * (finds - np.float32(base) * pages) / (pages + np.float32(VOTE_PRIOR_PAGES))
        return np.column_stack((np.log1p(finds), excess))

    def save(self) -> tuple[NDArray[Any], ...]:
        """Only what is there."""
        used = np.flatnonzero(self.finds).astype(np.int32)
        return used, self.finds[used], np.array([*self.given], np.int32), np.array([*self.given.values()])

    @classmethod
    def load(cls, saved: Sequence[NDArray[Any]]) -> InlinkVotes:
        """What was saved; an earlier version did not know what each page gave."""
        used, finds, *given = saved
        inlink_votes = cls(np.zeros(int(used.max(initial=0)) + 1024, np.float32))
        inlink_votes.finds[used] = finds
        if given:
            inlink_votes.given = dict(zip(*(column.tolist() for column in given), strict=True))
        return inlink_votes
