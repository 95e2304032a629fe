"""What is remembered of pages that were visited and of links that were looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log1p
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.parse import depth, host, tokens
from clew.strategies._thread import keys
from clew.types import Candidate, Link

Matrix = NDArray[np.float32]
Keys = NDArray[np.uint32]

WORDS: Final = 10  # of a page that are remembered
ROOM: Final = 1_000_000  # links that are remembered; they can be read again
FACTS: Final = ("source_worth", "handed", "run", "out_links", "source_depth")
FIXED: Final = (
    "rate_anchor",
    "rate_around",
    "rate_heading",
    "rate_path",
    "same_host",
    "path_depth",
    "position",
    "anchor_words",
)


@dataclass
class Pages:
    """A few numbers and the telling words of every visited page; the columns grow by doubling."""

    index: dict[str, int] = field(default_factory=dict)
    facts: Matrix = field(default_factory=lambda: np.zeros((64, len(FACTS)), np.float32))
    words: Keys = field(default_factory=lambda: np.zeros((64, WORDS), np.uint32))

    def add(self, url: str, facts: Sequence[float], words: Sequence[int]) -> None:
        """A visited page."""
        place = self.index.setdefault(url, len(self.index))
        if place >= len(self.facts):
            self.facts = np.vstack((self.facts, np.zeros_like(self.facts)))
            self.words = np.vstack((self.words, np.zeros_like(self.words)))
        self.facts[place] = facts
        self.words[place, : len(words)] = words

    def fact(self, url: str) -> Matrix:
        """The numbers of a page; zeros for one that was not visited."""
        place = self.index.get(url)
        return np.zeros(len(FACTS), np.float32) if place is None else self.facts[place]

    def save(self) -> tuple[list[str], Matrix, Keys]:
        """Without the spare room."""
        size = len(self.index)
        return list(self.index), self.facts[:size].copy(), self.words[:size].copy()

    @classmethod
    def load(cls, saved: tuple[list[str], Matrix, Keys]) -> Pages:
        """What was saved."""
        pages = cls()
        for url, facts, words in zip(*saved, strict=True):
            pages.add(url, facts, words)
        return pages


@dataclass
class Links:
    """The keys and the fixed numbers of links; a cache, because a candidate is scored many times."""

    rate: Callable[[str], float]
    keys: Keys = field(default_factory=lambda: np.zeros((4096, keys.WIDTH), np.uint32))
    fixed: Matrix = field(default_factory=lambda: np.zeros((4096, len(FIXED)), np.float32))
    sources: list[str] = field(default_factory=list)
    rows: dict[int, list[int]] = field(default_factory=dict)  # candidate -> the rows of its links

    def of(self, candidates: Sequence[Candidate]) -> tuple[list[int], list[int]]:
        """A row for each link of each candidate, and whose it is."""
        if len(self.sources) > ROOM:
            self.rows, self.sources = {}, []
        rows, owners, fresh = list[int](), list[int](), list[Link]()
        first = len(self.sources)
        for owner, candidate in enumerate(candidates):
            known = self.rows.setdefault(candidate.found, [])
            for link in candidate.links[len(known) :]:
                known.append(first + len(fresh))
                fresh.append(link)
            rows += known
            owners += [owner] * len(known)
        if fresh:
            self._add(fresh)
        return rows, owners

    def forget(self, number: int) -> None:
        """A candidate was visited."""
        self.rows.pop(number, None)

    def _add(self, links: list[Link]) -> None:
        first = len(self.sources)
        self.sources += [link.source for link in links]
        last = len(self.sources)
        while last > len(self.keys):
            self.keys = np.vstack((self.keys, np.zeros_like(self.keys)))
            self.fixed = np.vstack((self.fixed, np.zeros_like(self.fixed)))
        self.keys[first:last] = [keys.row_of(link) for link in links]
        self.fixed[first:last] = [self._fixed(link) for link in links]

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


@lru_cache(maxsize=1 << 15)
def _path(url: str) -> str:
    """The words of an address behind its host."""
    return " ".join(tokens(url)[len(tokens(keys.home(url))) :])
