"""How many candidates come before one, without sorting them all each time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.frontier.table import Table

FRESH_SHARE: Final = 20_000  # candidates for each visit that may pass before they are ranked again


@dataclass(slots=True)
class Ranks:
    """The scores of the best candidates, best first, as they were a few visits ago.

    `top` gives the slots of the n best candidates, of equals the oldest first.
    """

    table: Table
    top: Callable[[int], NDArray[np.int64]]
    _slots: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64), init=False)
    _negatives: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0), init=False)  # scores, sign changed
    _due: int = field(default=0, init=False)  # visits at which they are ranked again

    def before(self, slot: int, most: int, visited: int) -> int:
        """How many candidates come before this one; at most `most`, beyond which nobody counts."""
        if visited >= self._due or most > len(self._slots):
            self._rank(most, visited)
        negative = -self.table.score[slot]
        first = int(np.searchsorted(self._negatives, negative, "left"))
        last = int(np.searchsorted(self._negatives, negative, "right"))
        older = int(np.searchsorted(self._slots[first:last], slot))
        return min(first + older, most)

    def _rank(self, most: int, visited: int) -> None:
        # Some more than needed now: the number that counts changes with every visit.
        self._slots = self.top(most + most // 2 + 16)
        self._negatives = -self.table.of("score")[self._slots]
        self._due = visited + 1 + len(self.table) // FRESH_SHARE
