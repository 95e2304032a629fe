"""In-link votes: relevant pages vote for the URLs they link to.

Of two candidates with similar links, the one with more relevant pages behind it is the better bet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.strategies._adaptive.memory import Matrix, with_room
from clew.types import Candidate

NAMES: Final = ("inlink_votes", "inlink_excess")
VOTE_PRIOR_PAGES: Final = 2.0  # in-linking pages at the base rate that every candidate starts with
EXCESS_SCALE: Final = 4  # slope of the log odds at a chance of 1/2: turns a share into log odds


@dataclass
class InlinkVotes:
    """For each URL, by its number: the sum of the grades of the finds that link to it.

    >>> inlink_votes = InlinkVotes()
    >>> inlink_votes.set(3, [7], 1.0)
    >>> features = inlink_votes.features([Candidate("a", 7), Candidate("b", 8)], links=np.array([2.0, 2.0]), base=0.1)
    >>> [[f"{value:.2f}" for value in row] for row in features]
    [['0.69', '0.80'], ['0.00', '-0.20']]
    """

    finds: Matrix = field(default_factory=lambda: np.zeros(1024, np.float32))
    given: dict[int, float] = field(default_factory=dict)  # by the number of a page: the vote it has cast

    def set(self, page: int, links: Iterable[int], found: float) -> None:
        """Cast the vote of a page for its links, in place of any earlier one."""
        more = found - self.given.get(page, 0.0)
        targets = sorted(set(links))
        self.given[page] = found
        if targets:
            self.finds = with_room(self.finds, targets[-1])
            # Rounding must not leave a vote that was taken back slightly below zero.
            self.finds[targets] = np.maximum(self.finds[targets] + np.float32(more), 0)

    def features(self, candidates: Sequence[Candidate], links: NDArray[np.float64], base: float) -> Matrix:
        """For each candidate: its votes, and how far they exceed what as many in-links bring on average."""
        numbers = np.array([candidate.found for candidate in candidates], np.intp)
        # URLs that nobody voted for may lie beyond the end of the table.
        finds = self.finds.take(numbers, mode="clip") * (numbers < len(self.finds))
        pages = links.astype(np.float32)
        excess = EXCESS_SCALE * (finds - np.float32(base) * pages) / (pages + np.float32(VOTE_PRIOR_PAGES))
        return np.column_stack((np.log1p(finds), excess))

    def save(self) -> tuple[NDArray[Any], ...]:
        """The URLs that have votes with their sums, and the pages with the votes they cast."""
        used = np.flatnonzero(self.finds != 0).astype(np.int32)
        return used, self.finds[used], np.array([*self.given], np.int32), np.array([*self.given.values()])

    @classmethod
    def load(cls, saved: Sequence[NDArray[Any]]) -> InlinkVotes:
        """Restore what `save` returned; an earlier version did not save the vote of each page."""
        used, finds, *given = saved
        inlink_votes = cls(np.zeros(int(used.max(initial=0)) + 1024, np.float32))
        inlink_votes.finds[used] = finds
        if given:
            pages, votes = given
            inlink_votes.given = dict(zip(pages.tolist(), votes.tolist(), strict=True))
        return inlink_votes
