"""Tables of visited pages and of links that have been scored; they grow by doubling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import log1p
from typing import Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from clew.parse import depth, host
from clew.strategies._adaptive import hashed_features as hashing
from clew.strategies._adaptive.counts import Slots
from clew.strategies._adaptive.embedding_model import INTEREST_NAMES, InterestEmbedding
from clew.types import Candidate, Link

Matrix = NDArray[np.float32]
Table = TypeVar("Table", NDArray[np.float32], NDArray[np.int32])

WORDS: Final = 10  # telling words of a page that are kept
ROLES: Final = WORDS + hashing.CALLED  # slots of a page that count by role: its telling words and its names
MAX_CACHED_LINKS: Final = 750_000  # then the cache is emptied; links can be hashed again
ROOM: Final = MAX_CACHED_LINKS + 50_000  # for the links of the last call
FACTS: Final = ("source_relevance", "handed", "run", "out_links", "source_depth")
FIXED: Final = (
    "rate_anchor",
    "rate_around",
    "rate_heading",
    "rate_path",
    "same_host",
    "path_depth",
    "position",
    "anchor_words",
    *INTEREST_NAMES,
)


@dataclass
class PageMemory:
    """A few facts about every visited page, and the slots of its words: first by role as a source, then bare."""

    index: dict[str, int] = field(default_factory=dict)
    facts: Matrix = field(default_factory=lambda: np.zeros((64, len(FACTS)), np.float32))
    words: Slots = field(default_factory=lambda: np.zeros((64, ROLES + WORDS), np.int32))

    def add(self, url: str, facts: Sequence[float] | Matrix, words: Slots) -> None:
        """Store a visited page."""
        place = self.index.setdefault(url, len(self.index))
        self.facts = with_room(self.facts, place + 1)
        self.words = with_room(self.words, place + 1)
        self.facts[place] = facts
        self.words[place] = words

    def place(self, url: str) -> int:
        """The row of a page; -1, the empty row at the end, if it was not visited."""
        return self.index.get(url, -1)

    def fact(self, url: str) -> Matrix:
        """The facts about a page; zeros if it was not visited."""
        row: Matrix = self.facts[self.place(url)]
        return row

    def save(self) -> tuple[list[str], Matrix, Slots]:
        """URLs, facts and words, without the spare rows."""
        size = len(self.index)
        return list(self.index), self.facts[:size].copy(), self.words[:size].copy()

    @classmethod
    def load(cls, saved: tuple[list[str], Matrix, Slots]) -> PageMemory:
        """Restore what `save` returned."""
        urls, facts, words = saved
        index = {url: place for place, url in enumerate(urls)}
        size = max(64, len(urls))
        return cls(index, with_room(facts, size), with_room(words, size))


@dataclass
class Links:
    """A cache of what never changes about a link: its slots, its fixed features and its source.

    It saves hashing: a candidate is scored many times. There is room for all of them from the beginning, because the
    system gives memory to rows only when they are written, and to copy a long table would be a pause.
    """

    rate: Callable[[str], float]
    slots: Slots = field(default_factory=lambda: np.zeros((ROOM, hashing.WIDTH), np.int32))
    fixed: Matrix = field(default_factory=lambda: np.zeros((ROOM, len(FIXED)), np.float32))
    sources: NDArray[np.int32] = field(default_factory=lambda: np.zeros(ROOM, np.int32))
    size: int = 0
    rows: dict[int, list[int]] = field(default_factory=dict)  # by candidate number: the rows of its links

    @cached_property
    def _interest(self) -> InterestEmbedding:
        # Asks the interest about 20,000 words: only when it is needed.
        return InterestEmbedding(self.rate)

    def of(self, candidates: Sequence[Candidate], pages: PageMemory) -> tuple[list[int], list[int]]:
        """A row for each link of each candidate, and the place of that candidate."""
        if self.size > MAX_CACHED_LINKS:
            self.rows = {}
            self.size = 0
        rows: list[int] = []
        owners: list[int] = []
        fresh: list[Link] = []
        for owner, candidate in enumerate(candidates):
            known = self.rows.setdefault(candidate.found, [])
            for link in candidate.links[len(known) :]:
                known.append(self.size + len(fresh))
                fresh.append(link)
            # In a replay the cache may hold links that were found while the candidate was in flight.
            mine = known[: len(candidate.links)]
            rows += mine
            owners += [owner] * len(mine)
        if fresh:
            self._add(fresh, pages)
        return rows, owners

    def forget(self, number: int) -> None:
        """Drop a candidate that was visited."""
        self.rows.pop(number, None)

    def _add(self, links: list[Link], pages: PageMemory) -> None:
        first = self.size
        last = first + len(links)
        self.slots = with_room(self.slots, last)
        self.fixed = with_room(self.fixed, last)
        self.sources = with_room(self.sources, last)
        self.slots[first:last] = hashing.slots(links)
        self.fixed[first:last, : -len(INTEREST_NAMES)] = [self._fixed(link) for link in links]
        self.fixed[first:last, -len(INTEREST_NAMES) :] = self._interest.features(self.slots[first:last])
        self.sources[first:last] = [pages.place(link.source) for link in links]
        self.size = last

    def _fixed(self, link: Link) -> tuple[float, ...]:
        """The features in the order of `FIXED`, without those of the interest embedding."""
        rate = self.rate
        url = link.url
        return (
            rate(link.anchor) if link.anchor else 0.0,
            rate(link.around) if link.around else 0.0,
            rate(link.heading) if link.heading else 0.0,
            rate(_path(url)),
            host(link.source) == host(url),
            depth(url),
            log1p(link.position),
            min(8, link.anchor.count(" ") + 1 if link.anchor else 0),
        )


def with_room(table: Table, size: int) -> Table:
    """The table with more than `size` rows; its last row stays empty, so that index -1 means "not there"."""
    if len(table) > size:
        return table
    # At least as many rows again, so that n additions copy O(n) rows in all.
    more = np.zeros((size + 64, *table.shape[1:]), table.dtype)
    return cast(Table, np.concatenate((table, more)))


@lru_cache(maxsize=1 << 15)
def _path(url: str) -> str:
    return " ".join(hashing.path_names(url))
