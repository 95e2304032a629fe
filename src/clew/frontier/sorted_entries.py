"""Many candidates in the order of their scores, in blocks of numbers: every step touches one or two blocks."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

Entry = tuple[float, int]  # (-score, slot): the smallest is the best, and the oldest among equals

MAX_ENTRIES: Final = 1024  # entries of a block; then it is cut in two
MIN_ENTRIES: Final = 128  # entries of a block that has neighbours; then it joins one of them
USUAL_ENTRIES: Final = 768  # entries of a block that is filled at once, or that two blocks make together


@dataclass(slots=True)
class SortedEntries:
    """A sorted set of entries, twelve bytes each.

    >>> entries = SortedEntries()
    >>> for score, slot in ((0.5, 7), (0.9, 3), (0.5, 2)):
    ...     is_first = entries.put((-score, slot))
    >>> entries.remove((-0.9, 3))
    True
    >>> list(entries), entries.first, entries.last, len(entries)
    ([(-0.5, 2), (-0.5, 7)], (-0.5, 2), (-0.5, 7), 2)
    """

    negatives: list[array[float]] = field(default_factory=list)  # by block
    slots: list[array[int]] = field(default_factory=list)
    ends: list[Entry] = field(default_factory=list)  # no entry of a block is greater, none of the next one is less

    def __len__(self) -> int:
        return sum(map(len, self.slots))

    def __bool__(self) -> bool:
        return bool(self.slots)

    def __iter__(self) -> Iterator[Entry]:
        """All entries, the best first."""
        for negatives, slots in zip(self.negatives, self.slots, strict=True):
            yield from zip(negatives, slots, strict=True)

    @property
    def first(self) -> Entry | None:
        """The best entry."""
        return (self.negatives[0][0], self.slots[0][0]) if self.slots else None

    @property
    def last(self) -> Entry | None:
        """The worst entry."""
        return (self.negatives[-1][-1], self.slots[-1][-1]) if self.slots else None

    @property
    def second(self) -> Entry | None:
        """The best entry but one."""
        if not self.slots:
            return None
        block, place = (0, 1) if len(self.slots[0]) > 1 else (1, 0)
        return (self.negatives[block][place], self.slots[block][place]) if block < len(self.slots) else None

    def put(self, entry: Entry) -> bool:
        """Add an entry that is not there yet; whether it is the first one now."""
        if not self.slots:
            self._insert_block(0, array("d", [entry[0]]), array("I", [entry[1]]))
            return True
        block = bisect_left(self.ends, entry)
        if block == len(self.ends):
            block -= 1
            self.ends[block] = entry
        place = self._place(block, entry)
        self.negatives[block].insert(place, entry[0])
        self.slots[block].insert(place, entry[1])
        if len(self.slots[block]) > MAX_ENTRIES:
            self._cut(block)
        return not place and not block

    def remove(self, entry: Entry) -> bool:
        """Remove an entry, which must be there; whether it was the first one."""
        block = bisect_left(self.ends, entry)
        place = self._place(block, entry)
        if self.slots[block][place] != entry[1]:
            raise KeyError(entry)
        del self.negatives[block][place]
        del self.slots[block][place]
        if len(self.slots[block]) < MIN_ENTRIES:
            self._join(block)
        return not place and not block

    def fill(self, negatives: NDArray[np.float64], slots: NDArray[np.int64]) -> None:
        """Hold exactly these entries, which are sorted."""
        self.negatives = []
        self.slots = []
        self.ends = []
        for start in range(0, len(slots), USUAL_ENTRIES):
            part = slice(start, start + USUAL_ENTRIES)
            columns = array("d", negatives[part].tobytes()), array("I", slots[part].astype(np.uint32).tobytes())
            self._insert_block(len(self.slots), *columns)

    def _place(self, block: int, entry: Entry) -> int:
        """Where an entry stands in a block, or would."""
        negatives = self.negatives[block]
        first = bisect_left(negatives, entry[0])
        if first == len(negatives) or negatives[first] != entry[0]:
            return first
        return bisect_left(self.slots[block], entry[1], first, bisect_right(negatives, entry[0], first))

    def _insert_block(self, block: int, negatives: array[float], slots: array[int]) -> None:
        self.negatives.insert(block, negatives)
        self.slots.insert(block, slots)
        self.ends.insert(block, (negatives[-1], slots[-1]))

    def _delete_block(self, block: int) -> None:
        del self.negatives[block]
        del self.slots[block]
        del self.ends[block]

    def _cut(self, block: int) -> None:
        half = MAX_ENTRIES // 2
        negatives = self.negatives[block]
        slots = self.slots[block]
        self._insert_block(block, negatives[:half], slots[:half])
        self.negatives[block + 1] = negatives[half:]
        self.slots[block + 1] = slots[half:]

    def _join(self, block: int) -> None:
        """A small block joins the next one, or the last one the one before, if there is room; an empty one goes."""
        if not self.slots[block]:
            self._delete_block(block)
            return
        first = max(0, min(block, len(self.slots) - 2))
        second = first + 1
        if second >= len(self.slots) or len(self.slots[first]) + len(self.slots[second]) > USUAL_ENTRIES:
            return
        self.negatives[second] = self.negatives[first] + self.negatives[second]
        self.slots[second] = self.slots[first] + self.slots[second]
        self._delete_block(first)
