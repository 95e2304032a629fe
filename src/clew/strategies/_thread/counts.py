"""How often something was followed, and how often it paid: plain counts, exact and never unlearnt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

SLOTS: Final = 1 << 20
DOUBT: Final = 2.0  # visits that a key nobody has seen is worth

Keys = NDArray[np.uint32]
Values = NDArray[np.float32]


def _nothing() -> Values:
    return np.zeros(SLOTS, np.float32)


@dataclass
class Counts:
    """Visits and finds for every key; slot 0 is for "no key" and stays empty.

    >>> counts = Counts()
    >>> counts.add(np.array([7], np.uint32), 1.0)
    >>> [round(float(odds), 4) for odds in counts.odds(np.array([7, 0], np.uint32), base=0.1)]
    [1.7918, 0.0]
    """

    seen: Values = field(default_factory=_nothing)
    good: Values = field(default_factory=_nothing)

    def add(self, keys: Keys, worth: float, weight: float = 1.0) -> None:
        """One visit speaks once for each of its keys."""
        slots = np.unique(slots_of(keys))
        slots = slots[slots > 0]
        self.seen[slots] += weight
        self.good[slots] += worth * weight

    def odds(self, keys: Keys, base: float) -> Values:
        """How much a key shifts the log odds of a find away from the base rate."""
        slots = slots_of(keys)
        good, seen = self.good[slots], self.seen[slots]
        shift: Values = np.log((good + DOUBT * base) / (seen - good + DOUBT * (1 - base)))
        shift -= np.float32(np.log(base / (1 - base)))
        return shift

    def sightings(self, keys: Keys) -> Values:
        """How often each key was seen, as 1 + log."""
        return np.log1p(self.seen[slots_of(keys)])

    def fade(self, share: float) -> None:
        """Trust what was learnt elsewhere only in part."""
        self.seen *= share
        self.good *= share

    def save(self) -> tuple[NDArray[np.int32], Values, Values]:
        """Only what is there."""
        used = np.flatnonzero(self.seen).astype(np.int32)
        return used, self.seen[used], self.good[used]

    @classmethod
    def load(cls, saved: tuple[NDArray[np.int32], Values, Values]) -> Counts:
        """What was saved."""
        counts = cls()
        used, seen, good = saved
        counts.seen[used], counts.good[used] = seen, good
        return counts


def slots_of(keys: Keys) -> NDArray[np.intp]:
    """The place of a key, 0 for no key; the multiplication spreads keys that differ little."""
    return ((keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(44)).astype(np.intp)


def strongest(shifts: Values, most: int = 3, limit: float = 4.0) -> Values:
    """The sum of the few largest shifts of each row, whichever way they point."""
    if shifts.shape[1] > most:
        places = np.argpartition(-np.abs(shifts), most - 1, axis=1)[:, :most]
        shifts = np.take_along_axis(shifts, places, axis=1)
    total: Values = shifts.sum(axis=1)
    return total.clip(-limit, limit)
