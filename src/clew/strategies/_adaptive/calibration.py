"""Calibration: corrects predicted chances by how often pages with such a chance turned out to be relevant."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

# The bins are narrow near 0, where most candidates are.
EDGES: Final = np.array([0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
BINS: Final = len(EDGES) + 1
FADE: Final = 0.999  # decay of the counts with each visit: about the last thousand visits count
CALIBRATION_PRIOR_VISITS: Final = 5.0  # weight of the model's own prediction, in visits


@dataclass
class Calibration:
    """For each bin of predicted chances: how many pages were visited, and how many of them were relevant.

    >>> table = Calibration()
    >>> for found in (1.0, 0.0, 0.0, 0.0, 0.0):
    ...     table.note(0.95, found)
    >>> round(float(table.corrected(np.array([0.95]))[0]), 2)
    0.58
    """

    seen: Vector = field(default_factory=lambda: np.zeros(BINS))
    came: Vector = field(default_factory=lambda: np.zeros(BINS))

    def note(self, chance: float, found: float) -> None:
        """Record one visit: the chance predicted before it, and whether the page was relevant."""
        place = int(_bins(np.array([chance]))[0])
        self.seen *= FADE
        self.came *= FADE
        self.seen[place] += 1
        self.came[place] += found

    def corrected(self, chances: Vector) -> Vector:
        """The same chances, each pulled towards the share of relevant pages in its bin."""
        places = _bins(chances)
        hits = self.came[places] + CALIBRATION_PRIOR_VISITS * chances
        visits = self.seen[places] + CALIBRATION_PRIOR_VISITS
        return np.asarray(hits / visits)


def _bins(chances: Vector) -> NDArray[np.intp]:
    return np.searchsorted(EDGES, chances, side="right")
