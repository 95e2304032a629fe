"""The row of each key: open addressing over arrays of numbers, some seven bytes a key instead of a dict's hundred."""

from __future__ import annotations

from array import array
from typing import Final

import numpy as np
from numpy.typing import NDArray

PARTS: Final = 4096  # that grow one by one, so that no growth moves more than a few thousand keys
PART_BITS: Final = 12
FEWEST_PLACES: Final = 4
FULL: Final = 3 / 4  # of the places of a part, before it grows
_NONE: Final = array("q")


class KeyIndex:
    """Finds the row of a 63-bit key in a column of keys; the keys themselves stand in the column alone.

    >>> index = KeyIndex(array("q", [70, 71]))
    >>> index.add(70, 0), index.add(71, 1)
    (None, None)
    >>> index.find(71), index.find(72)
    (1, None)
    """

    __slots__ = ("_counts", "_parts", "keys")

    def __init__(self, keys: array[int] | memoryview[int] = _NONE) -> None:
        self.keys = keys  # the column; whoever replaces it keeps the rows
        self._parts: list[array[int]] = [_EMPTY] * PARTS  # of row + 1; 0 is free
        self._counts = array("I", bytes(4 * PARTS))

    def find(self, key: int) -> int | None:
        """The row of a key."""
        part = self._parts[key & (PARTS - 1)]
        mask = len(part) - 1
        place = key >> PART_BITS & mask
        keys = self.keys
        while found := part[place]:
            if keys[found - 1] == key:
                return found - 1
            place = place + 1 & mask
        return None

    def add(self, key: int, row: int) -> None:
        """Note the row of a new key."""
        number = key & (PARTS - 1)
        self._counts[number] += 1
        if self._counts[number] > FULL * len(self._parts[number]):
            self._grow(number)
        _put(self._parts[number], key, row + 1)

    def fill(self, size: int) -> None:
        """Note so many rows of the column at once."""
        keys = np.frombuffer(self.keys, np.int64, size)
        numbers = (keys & (PARTS - 1)).astype(np.int16)
        order = np.argsort(numbers, kind="stable")
        counts = np.bincount(numbers, minlength=PARTS)
        ends = np.cumsum(counts)
        for number, (end, count) in enumerate(zip(ends.tolist(), counts.tolist(), strict=True)):
            rows = order[end - count : end]
            self._parts[number] = _filled(keys[rows] >> PART_BITS, rows + 1) if count else _EMPTY
        self._counts = array("I", counts.astype(np.uint32).tobytes())

    def _grow(self, number: int) -> None:
        old = self._parts[number]
        part = array("I", bytes(4 * max(FEWEST_PLACES, 2 * len(old))))
        for found in filter(None, old):
            _put(part, self.keys[found - 1], found)
        self._parts[number] = part


_EMPTY: Final = array("I", [0])
"""The part without keys; it is full already, so that nobody writes to it."""


def _put(part: array[int], key: int, value: int) -> None:
    mask = len(part) - 1
    place = key >> PART_BITS & mask
    while part[place]:
        place = place + 1 & mask
    part[place] = value


def _filled(hashes: NDArray[np.int64], values: NDArray[np.int64]) -> array[int]:
    """A part with these values, as if they had been added in their order."""
    size = FEWEST_PLACES
    while len(hashes) > FULL * size:
        size *= 2
    part = np.zeros(size, np.uint32)
    places = hashes & (size - 1)
    while len(places):
        # Of several that want a free place, the first gets it; the others try the next one.
        first = np.zeros(len(places), bool)
        first[np.unique(places, return_index=True)[1]] = True
        first &= part[places] == 0
        part[places[first]] = values[first]
        places = (places[~first] + 1) & (size - 1)
        values = values[~first]
    return array("I", part.tobytes())
