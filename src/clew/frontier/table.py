"""One row of plain numbers for every URL that was ever seen; texts live elsewhere."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import key_of
from clew.frontier.key_index import KeyIndex
from clew.frontier.region import Region
from clew.types import UrlState

# The table holds numbers, and compares millions of them: plain integers instead of enum members.
QUEUED: Final = UrlState.QUEUED.number
IN_FLIGHT: Final = UrlState.IN_FLIGHT.number
OUT_OF_SCOPE: Final = UrlState.OUT_OF_SCOPE.number
OVER_CAPACITY: Final = UrlState.OVER_CAPACITY.number
ELSEWHERE: Final = UrlState.ELSEWHERE.number
VISITED: Final = frozenset(
    state.number
    for state in (
        UrlState.FETCHED,
        UrlState.FAILED,
        UrlState.REDIRECTED,
        UrlState.REFUSED,
        UrlState.DUPLICATE,
        UrlState.SITEMAP,
    )
)
KNOWN: Final = VISITED | {ELSEWHERE}  # pages with a relevance of their own
COLUMNS: Final = {
    "key": "q",
    "score": "d",
    "host": "i",
    "depth": "H",
    "n_links": "I",
    "state": "B",
    "relevance": "d",  # its own once it was visited; before that, the one of its best source so far, or -1
    "hops": "H",  # redirects on the way here
}


GROWTH: Final = 4  # the columns grow by a quarter
FIRST_ROOM: Final = 512  # rows; the page that a system maps at least has as many numbers


class Table:
    """Columns instead of objects: some 40 bytes a URL, and whole columns at once for NumPy.

    A slot is the row's number and so the order of discovery. The columns have room for more rows than there are, and
    whoever reads one must not keep it while rows are appended.
    """

    __slots__ = (*COLUMNS, "_regions", "_room", "_size", "changed", "index", "is_changed")

    key: memoryview[int]
    score: memoryview[float]
    host: memoryview[int]
    depth: memoryview[int]
    n_links: memoryview[int]
    state: memoryview[int]
    relevance: memoryview[float]
    hops: memoryview[int]
    is_changed: memoryview[int]  # by slot

    def __init__(self) -> None:
        self._size = 0
        self._room = FIRST_ROOM
        self._regions = {name: Region(code, FIRST_ROOM) for name, code in {**COLUMNS, "is_changed": "B"}.items()}
        self.index = KeyIndex()
        self._show()
        self.changed = array("I")  # slots, since the last checkpoint

    def __len__(self) -> int:
        return self._size

    def find(self, url: str) -> int | None:
        """The slot of a URL that was seen before."""
        return self.index.find(key_of(url))

    def is_visited(self, url: str) -> bool:
        """Whether the URL was visited."""
        slot = self.index.find(key_of(url))
        return slot is not None and self.state[slot] in VISITED

    def may_speak(self, url: str) -> bool:
        """Whether the links of this page count: it was visited, here or by another shard."""
        slot = self.index.find(key_of(url))
        return slot is not None and self.state[slot] in KNOWN

    def relevance_of(self, url: str) -> float:
        """The relevance of a page that was visited, here or by another shard; 0 for any other URL."""
        slot = self.index.find(key_of(url))
        return self.relevance[slot] if slot is not None and self.state[slot] in KNOWN else 0.0

    def append(self, key: int, host: int, depth: int, score: float, hops: int = 0) -> int:
        """A new row; the next slot."""
        slot = self._size
        if slot == self._room:
            self._extend(slot + max(FIRST_ROOM, slot // GROWTH))
        # A new row is all zeros.
        self.key[slot] = key
        self.index.add(key, slot)
        self.score[slot] = score
        self.host[slot] = host
        self.depth[slot] = min(depth, 65535)
        self.state[slot] = QUEUED
        self.relevance[slot] = -1.0
        self.hops[slot] = hops
        self.changed.append(slot)
        self.is_changed[slot] = 1
        self._size = slot + 1
        return slot

    def mark(self, slot: int) -> None:
        """A row has changed, or will: the next checkpoint writes it."""
        if not self.is_changed[slot]:
            self.is_changed[slot] = 1
            self.changed.append(slot)

    def mark_all(self) -> None:
        """Every row may have changed."""
        self.changed = array("I", range(self._size))
        self.of("is_changed")[:] = 1

    def forget_changes(self) -> None:
        """A checkpoint has everything."""
        self.of("is_changed")[np.frombuffer(self.changed, np.uint32)] = 0
        self.changed = array("I")

    def of(self, name: str) -> NDArray[Any]:
        """A column as an array without a copy; whoever keeps it forbids the table to grow."""
        column: memoryview[Any] = getattr(self, name)
        return np.frombuffer(column, np.dtype(column.format), self._size)

    def column(self, name: str) -> NDArray[Any]:
        """A copy of a column."""
        return self.of(name).copy()

    def queued(self) -> NDArray[np.int64]:
        """The slots of all candidates, in the order of discovery."""
        return np.flatnonzero(self.of("state") == QUEUED)

    def load(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Take over these columns, of which no checkpoint has anything yet."""
        self._size = len(columns["key"])
        self._extend(max(FIRST_ROOM, self._size))
        for name in COLUMNS:
            self.of(name)[:] = columns[name]
        self.index.fill(self._size)
        self.mark_all()

    def _extend(self, room: int) -> None:
        self._room = room
        for region in self._regions.values():
            region.extend(room)
        self._show()

    def _show(self) -> None:
        for name, region in self._regions.items():
            setattr(self, name, region.numbers)
        self.index.keys = self.key
