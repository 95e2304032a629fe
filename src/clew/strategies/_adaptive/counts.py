"""Counts by feature hashing: how often links with a feature were followed, and how often they led to a find.

Counts are only added to, never relearnt. Two features may collide in one slot; with 2**20 slots that is rare.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

SLOTS: Final = 1 << 20
COUNT_PRIOR_VISITS: Final = 2.0  # visits at the base rate that every key starts with

Keys = NDArray[np.uint32]
Slots = NDArray[np.int32]
Values = NDArray[np.float32]


def _nothing() -> Values:
    return np.zeros(SLOTS, np.float32)


@dataclass
class Counts:
    """Visits and finds for every key; slot 0 stands for "no key" and stays empty.

    >>> counts, slots = Counts(), slots_of(np.array([7, 0], np.uint32))
    >>> counts.add(slots[:1], 1.0)
    >>> [round(float(odds), 4) for odds in counts.odds(slots, base=0.1)]
    [1.7918, 0.0]
    """

    seen: Values = field(default_factory=_nothing)
    good: Values = field(default_factory=_nothing)

    def add(self, slots: Slots, good: float, seen: float = 1.0) -> None:
        """Count a visit once for each of its keys, even if a key occurs several times; negative values undo it."""
        # Fancy indexing with += writes each slot once: repeated slots must not count twice.
        self.seen[slots] += np.float32(seen)
        self.good[slots] += np.float32(good)
        if seen < 0:
            # The keys of a page may differ from those it was counted under, so undoing it could fall below zero.
            for counted in (self.seen, self.good):
                counted[slots] = np.maximum(counted[slots], 0)
            # Nothing can pay more often than it was seen: the odds would be the logarithm of a negative number.
            self.good[slots] = np.minimum(self.good[slots], self.seen[slots])
        self.seen[0] = 0
        self.good[0] = 0

    def correct(self, slots: Slots, more: float) -> None:
        """Another outcome of a visit that was counted: so much more, or less, under each of its keys."""
        # The keys of a page may differ from those it was counted under, so the sums are kept within bounds.
        self.good[slots] = np.clip(self.good[slots] + np.float32(more), 0, self.seen[slots])

    def odds(self, slots: Slots, base: float) -> Values:
        """By how much each key shifts the log odds of a find away from the base rate."""
        good = self.good.take(slots)
        seen = self.seen.take(slots)
        # In place, with float32 constants: this runs for every feature of every candidate.
        seen -= good
        seen += np.float32(COUNT_PRIOR_VISITS * (1 - base))
        good += np.float32(COUNT_PRIOR_VISITS * base)
        good /= seen
        shift: Values = np.log(good, out=good)
        shift -= np.float32(np.log(base / (1 - base)))
        return shift

    def excess(self, slots: Slots, mean: float, doubt: float) -> Values:
        """By how much the average value of each key exceeds the mean; `good` holds sums here, not counts of finds.

        Each key is smoothed by `doubt` observations of the mean.
        """
        more: Values = self.good.take(slots) + np.float32(doubt * mean)
        more /= self.seen.take(slots) + np.float32(doubt)
        return np.where(slots > 0, more - np.float32(mean), np.float32(0))

    def sightings(self, slots: Slots) -> Values:
        """How often each key was seen, as log(1 + n)."""
        return np.log1p(self.seen.take(slots))

    def fade(self, share: float) -> None:
        """Scale all counts down: what another crawl has learnt is trusted only in part."""
        self.seen *= share
        self.good *= share

    def save(self) -> tuple[NDArray[np.int32], Values, Values]:
        """The used slots with their counts."""
        # Truth values are searched ten times as fast as floats.
        used = np.flatnonzero(self.seen != 0).astype(np.int32)
        return used, self.seen[used], self.good[used]

    @classmethod
    def load(cls, saved: tuple[NDArray[np.int32], Values, Values]) -> Counts:
        """Restore what `save` returned."""
        counts = cls()
        used, seen, good = saved
        counts.seen[used] = seen
        counts.good[used] = good
        return counts


def slots_of(keys: Keys) -> Slots:
    """The slot of each key; key 0 (no key) has slot 0."""
    # Fibonacci hashing: multiply by 2**64 divided by the golden ratio and keep the top 20 bits,
    # so that keys which differ in a few bits land far apart.
    return ((keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(44)).astype(np.int32)


def strongest(shifts: Values, most: int = 3, limit: float = 4.0) -> Values:
    """The sum of the `most` shifts with the largest magnitude along the last axis, clipped to ±`limit`.

    >>> strongest(np.array([[0.5, -2.0, 0.1, 1.0, -0.2]], np.float32)).tolist()
    [-0.5]
    """
    if shifts.shape[-1] > most:
        shifts = _sorted_by_magnitude(shifts)[..., -most:]
    total: Values = shifts.sum(axis=-1)
    return total.clip(-limit, limit)


def _sorted_by_magnitude(shifts: Values) -> Values:
    """Sort along the last axis by absolute value, signs kept."""
    # Rotated left by one, the sign becomes the lowest bit of a float32, and the order of the
    # integers is the order of the magnitudes. Much faster than an argsort of the absolute values.
    bits = shifts.view(np.uint32)
    rotated = (bits << np.uint32(1)) | (bits >> np.uint32(31))
    rotated.sort(axis=-1)
    return ((rotated >> np.uint32(1)) | (rotated << np.uint32(31))).view(np.float32)
