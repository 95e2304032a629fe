"""One row of plain numbers for every URL that was ever seen; texts live elsewhere."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import key_of
from clew.frontier.key_index import KeyIndex
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
COLUMNS = {
    "key": "q",
    "score": "d",
    "host": "i",
    "depth": "H",
    "n_links": "I",
    "state": "B",
    "relevance": "d",
    "strongest": "d",  # relevance of the best source so far
    "hops": "H",  # redirects on the way here
}


@dataclass(slots=True)
class Table:
    """Columns instead of objects: some 50 bytes a URL, and whole columns at once for NumPy.

    A slot is the row's number and so the order of discovery.
    """

    key: array[int] = field(default_factory=lambda: array("q"))
    score: array[float] = field(default_factory=lambda: array("d"))
    host: array[int] = field(default_factory=lambda: array("i"))
    depth: array[int] = field(default_factory=lambda: array("H"))
    n_links: array[int] = field(default_factory=lambda: array("I"))
    state: array[int] = field(default_factory=lambda: array("B"))
    relevance: array[float] = field(default_factory=lambda: array("d"))
    strongest: array[float] = field(default_factory=lambda: array("d"))
    hops: array[int] = field(default_factory=lambda: array("H"))
    index: KeyIndex = field(init=False)
    changed: array[int] = field(default_factory=lambda: array("I"))  # slots, since the last checkpoint
    is_changed: bytearray = field(default_factory=bytearray)  # by slot

    def __post_init__(self) -> None:
        self.index = KeyIndex(self.key)

    def __len__(self) -> int:
        return len(self.key)

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
        return slot is not None and (self.state[slot] in VISITED or self.state[slot] == ELSEWHERE)

    def append(self, key: int, host: int, depth: int, score: float, hops: int = 0) -> int:
        """A new row; the next slot."""
        slot = len(self.key)
        self.key.append(key)
        self.index.add(key, slot)
        self.score.append(score)
        self.host.append(host)
        self.depth.append(min(depth, 65535))
        self.n_links.append(0)
        self.state.append(QUEUED)
        self.relevance.append(0.0)
        self.strongest.append(-1.0)
        self.hops.append(hops)
        self.changed.append(slot)
        self.is_changed.append(1)
        return slot

    def mark(self, slot: int) -> None:
        """A row has changed, or will: the next checkpoint writes it."""
        if not self.is_changed[slot]:
            self.is_changed[slot] = 1
            self.changed.append(slot)

    def mark_all(self) -> None:
        """Every row may have changed."""
        self.changed = array("I", range(len(self)))
        self.is_changed = bytearray(b"\1") * len(self)

    def forget_changes(self) -> None:
        """A checkpoint has everything."""
        if len(self.changed) == len(self):
            self.is_changed = bytearray(len(self))
        else:
            for slot in self.changed:
                self.is_changed[slot] = 0
        self.changed = array("I")

    def column(self, name: str) -> NDArray[Any]:
        """A column as an array; a copy, because a live view would forbid the column to grow."""
        column: array[Any] = getattr(self, name)
        return np.array(column)

    def queued(self) -> NDArray[np.int64]:
        """The slots of all candidates, in the order of discovery."""
        return np.flatnonzero(np.frombuffer(self.state, np.uint8) == QUEUED)

    def save(self) -> dict[str, bytes]:
        """All columns as bytes."""
        return {name: getattr(self, name).tobytes() for name in COLUMNS}

    def load(self, columns: Mapping[str, array[Any]]) -> None:
        """Take over these columns, of which no checkpoint has anything yet."""
        for name in COLUMNS:
            setattr(self, name, columns[name])
        self.index = KeyIndex(self.key)
        self.index.fill()
        self.mark_all()
