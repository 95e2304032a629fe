"""What a chance is worth: of those that were said to be so likely, how many were found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

EDGES: Final = np.array([0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])  # most of what waits is small
BINS: Final = len(EDGES) + 1
FADE: Final = 0.999  # of what was noted before, with each visit: about the last thousand count
CALIBRATION_PRIOR_VISITS: Final = 5.0  # visits that the model's own word is worth


@dataclass
class Calibration:
    """Chances as they were said before a visit, beside what came of it.

    >>> table = Calibration()
    >>> for found in (1.0, 0.0, 0.0, 0.0, 0.0):
    ...     table.note(0.95, found)
    >>> round(float(table.corrected(np.array([0.95]))[0]), 2)
    0.58
    """

    seen: Vector = field(default_factory=lambda: np.zeros(BINS))
    came: Vector = field(default_factory=lambda: np.zeros(BINS))

    def note(self, chance: float, found: float) -> None:
        """One visit."""
        place = int(_bins(np.array([chance]))[0])
        self.seen *= FADE
        self.came *= FADE
        self.seen[place] += 1
        self.came[place] += found

    def corrected(self, chances: Vector) -> Vector:
        """The same chances in the light of experience."""
        places = _bins(chances)
        told: Vector = (self.came[places] + CALIBRATION_PRIOR_VISITS * chances) / (
            self.seen[places] + CALIBRATION_PRIOR_VISITS
        )
        return told


def _bins(chances: Vector) -> NDArray[np.intp]:
    return np.searchsorted(EDGES, chances, side="right")
