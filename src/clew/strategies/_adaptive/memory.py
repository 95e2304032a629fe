"""What is remembered of pages that were visited and of links that were looked at; columns grow by doubling."""

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
from clew.strategies._adaptive.embedding_model import MEANT, InterestEmbedding
from clew.types import Candidate, Link

Matrix = NDArray[np.float32]
Table = TypeVar("Table", NDArray[np.float32], NDArray[np.int32])

WORDS: Final = 10  # of a page that are remembered
ROLES: Final = WORDS + hashing.CALLED  # those that are counted for its links
ROOM: Final = 1_000_000  # links that are remembered; they can be read again
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
    *MEANT,
)


@dataclass
class PageMemory:
    """A few numbers and words of every visited page: as slots, first in their roles as a source, then bare."""

    index: dict[str, int] = field(default_factory=dict)
    facts: Matrix = field(default_factory=lambda: np.zeros((64, len(FACTS)), np.float32))
    words: Slots = field(default_factory=lambda: np.zeros((64, ROLES + WORDS), np.int32))

    def add(self, url: str, facts: Sequence[float] | Matrix, words: Slots) -> None:
        """A visited page."""
        place = self.index.setdefault(url, len(self.index))
        self.facts, self.words = roomy(self.facts, place + 1), roomy(self.words, place + 1)
        self.facts[place], self.words[place] = facts, words

    def place(self, url: str) -> int:
        """Its row; the empty one if it was not visited."""
        return self.index.get(url, -1)

    def fact(self, url: str) -> Matrix:
        """The numbers of a page; zeros for one that was not visited."""
        row: Matrix = self.facts[self.place(url)]
        return row

    def save(self) -> tuple[list[str], Matrix, Slots]:
        """Without the spare room."""
        size = len(self.index)
        return list(self.index), self.facts[:size].copy(), self.words[:size].copy()

    @classmethod
    def load(cls, saved: tuple[list[str], Matrix, Slots]) -> PageMemory:
        """What was saved."""
        urls, facts, words = saved
        index, size = {url: place for place, url in enumerate(urls)}, max(64, len(urls))
        return cls(index, roomy(facts, size), roomy(words, size))


@dataclass
class Links:
    """Where a link's words are counted, its fixed numbers and its page; a cache, a candidate is scored many times."""

    rate: Callable[[str], float]
    slots: Slots = field(default_factory=lambda: np.zeros((4096, hashing.WIDTH), np.int32))
    fixed: Matrix = field(default_factory=lambda: np.zeros((4096, len(FIXED)), np.float32))
    sources: NDArray[np.int32] = field(default_factory=lambda: np.zeros(4096, np.int32))
    size: int = 0
    rows: dict[int, list[int]] = field(default_factory=dict)  # candidate -> the rows of its links

    @cached_property
    def _meant(self) -> InterestEmbedding:
        return InterestEmbedding(self.rate)

    def of(self, candidates: Sequence[Candidate], pages: PageMemory) -> tuple[list[int], list[int]]:
        """A row for each link of each candidate, and whose it is."""
        if self.size > ROOM:
            self.rows, self.size = {}, 0
        rows, owners, fresh = list[int](), list[int](), list[Link]()
        for owner, candidate in enumerate(candidates):
            known = self.rows.setdefault(candidate.found, [])
            for link in candidate.links[len(known) :]:
                known.append(self.size + len(fresh))
                fresh.append(link)
            mine = known[: len(candidate.links)]  # in a replay some are known that came while it was in the air
            rows += mine
            owners += [owner] * len(mine)
        if fresh:
            self._add(fresh, pages)
        return rows, owners

    def forget(self, number: int) -> None:
        """A candidate was visited."""
        self.rows.pop(number, None)

    def _add(self, links: list[Link], pages: PageMemory) -> None:
        first, last = self.size, self.size + len(links)
        self.slots, self.fixed = roomy(self.slots, last), roomy(self.fixed, last)
        self.sources = roomy(self.sources, last)
        self.slots[first:last] = hashing.slots(links)
        self.fixed[first:last, : -len(MEANT)] = [self._fixed(link) for link in links]
        self.fixed[first:last, -len(MEANT) :] = self._meant.features(self.slots[first:last])
        self.sources[first:last] = [pages.place(link.source) for link in links]
        self.size = last

    def _fixed(self, link: Link) -> tuple[float, ...]:
        rate, url = self.rate, link.url
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


def roomy(table: Table, size: int) -> Table:
    """The same with room for more than so many rows: the last one always stays empty, for what is not there."""
    if len(table) > size:
        return table
    more = np.zeros((size + 64, *table.shape[1:]), table.dtype)
    return cast(Table, np.concatenate((table, more)))


@lru_cache(maxsize=1 << 15)
def _path(url: str) -> str:
    return " ".join(hashing.path_names(url))
