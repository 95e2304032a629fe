"""How often something was followed, and how often it paid: plain counts, never unlearnt; strange keys may share one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

SLOTS: Final = 1 << 20
COUNT_PRIOR_VISITS: Final = 2.0  # visits that a key nobody has seen is worth

Keys = NDArray[np.uint32]
Slots = NDArray[np.int32]
Values = NDArray[np.float32]


def _nothing() -> Values:
    return np.zeros(SLOTS, np.float32)


@dataclass
class Counts:
    """Visits and finds for every key; slot 0 is for "no key" and stays empty.

    >>> counts, slots = Counts(), slots_of(np.array([7, 0], np.uint32))
    >>> counts.add(slots[:1], 1.0)
    >>> [round(float(odds), 4) for odds in counts.odds(slots, base=0.1)]
    [1.7918, 0.0]
    """

    seen: Values = field(default_factory=_nothing)
    good: Values = field(default_factory=_nothing)

    def add(self, slots: Slots, good: float, seen: float = 1.0) -> None:
        """One visit speaks once for each of its keys, however often it has them; negative numbers take it back."""
        self.seen[slots] += np.float32(seen)
        self.good[slots] += np.float32(good)
        if seen < 0:  # what was said by other keys then must not become less than nothing
            for counted in (self.seen, self.good):
                counted[slots] = np.maximum(counted[slots], 0)
        self.seen[0] = self.good[0] = 0

    def odds(self, slots: Slots, base: float) -> Values:
        """How much a key shifts the log odds of a find away from the base rate."""
        good, seen = self.good.take(slots), self.seen.take(slots)
        seen -= good
        seen += np.float32(COUNT_PRIOR_VISITS * (1 - base))
        good += np.float32(COUNT_PRIOR_VISITS * base)
        good /= seen
        shift: Values = np.log(good, out=good)
        shift -= np.float32(np.log(base / (1 - base)))
        return shift

    def excess(self, slots: Slots, mean: float, doubt: float) -> Values:
        """How much better than the mean what has a key was, where `good` is not a share but a sum."""
        more: Values = self.good.take(slots) + np.float32(doubt * mean)
        more /= self.seen.take(slots) + np.float32(doubt)
        return np.where(slots > 0, more - np.float32(mean), np.float32(0))

    def sightings(self, slots: Slots) -> Values:
        """How often each key was seen, as the logarithm of 1 + n."""
        return np.log1p(self.seen.take(slots))

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


def slots_of(keys: Keys) -> Slots:
    """The place of a key, 0 for no key; the multiplication spreads keys that differ little."""
    return ((keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(44)).astype(np.int32)


def strongest(shifts: Values, most: int = 3, limit: float = 4.0) -> Values:
    """The sum of the few largest shifts along the last axis, whichever way they point.

    >>> strongest(np.array([[0.5, -2.0, 0.1, 1.0, -0.2]], np.float32)).tolist()
    [-0.5]
    """
    if shifts.shape[-1] > most:
        shifts = _by_size(shifts)[..., -most:]
    total: Values = shifts.sum(axis=-1)
    return total.clip(-limit, limit)


def _by_size(shifts: Values) -> Values:
    """Sorted along the last axis, whatever their signs: these become the lowest bits of what is sorted."""
    bits = shifts.view(np.uint32)
    turned = (bits << np.uint32(1)) | (bits >> np.uint32(31))
    turned.sort(axis=-1)
    return ((turned >> np.uint32(1)) | (turned << np.uint32(31))).view(np.float32)
