"""Which URLs relevant pages link to: of two links that say the same, that with more such witnesses is better."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.strategies._thread.counts import Values
from clew.strategies._thread.memory import Matrix, roomy
from clew.types import Candidate

NAMES: Final = ("praised", "excess")
DOUBT: Final = 2.0  # pages that link there as they would anywhere


@dataclass
class Praise:
    """By the number of a URL: the finds among the pages that link to it.

    >>> praise = Praise()
    >>> praise.add([7], 1.0)
    >>> clues = praise.clues([Candidate("a", 7), Candidate("b", 8)], links=np.array([2.0, 2.0]), base=0.1)
    >>> [[f"{clue:.2f}" for clue in row] for row in clues]
    [['0.69', '0.80'], ['0.00', '-0.20']]
    """

    finds: Matrix = field(default_factory=lambda: np.zeros(1024, np.float32))

    def add(self, numbers: Iterable[int], found: float) -> None:
        """A page is relevant, or less than it seemed, and links to these."""
        targets = sorted(set(numbers))
        if targets:
            self.finds = roomy(self.finds, targets[-1])
            self.finds[targets] = np.maximum(self.finds[targets] + np.float32(found), 0)

    def clues(self, candidates: Sequence[Candidate], links: NDArray[np.float64], base: float) -> Matrix:
        """For each how much praise there is, and how much more than so many links to it bring anywhere."""
        numbers = np.array([candidate.found for candidate in candidates], np.intp)
        finds = self.finds.take(numbers, mode="clip") * (numbers < len(self.finds))
        pages = links.astype(np.float32)
        excess = 4 * (finds - np.float32(base) * pages) / (pages + np.float32(DOUBT))
        return np.column_stack((np.log1p(finds), excess))

    def save(self) -> tuple[NDArray[np.int32], Values]:
        """Only what is there."""
        used = np.flatnonzero(self.finds).astype(np.int32)
        return used, self.finds[used]

    @classmethod
    def load(cls, saved: tuple[NDArray[np.int32], Values]) -> Praise:
        """What was saved."""
        used, finds = saved
        praise = cls(np.zeros(int(used.max(initial=0)) + 1024, np.float32))
        praise.finds[used] = finds
        return praise
