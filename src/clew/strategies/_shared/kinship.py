"""The parents and siblings of candidates among the visited pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from clew.strategies._base import Crawl
from clew.types import Candidate, Page

PARENTS: Final = 8  # the latest in-linking pages, whose words and children count
MAX_NEIGHBOURS: Final = 16  # siblings on each side of a visited page that are rescored
MAX_CACHED_CANDIDATES: Final = 50_000  # whose parents are cached
MAX_CACHED_FAMILIES: Final = 5000  # parents whose children are cached

Numbers = tuple[int, ...]


@dataclass
class Kinship:
    """A cache over the link graph, which is read again only where the crawl has changed it.

    A set of pages is an integer with a bit for each page: unions of many sets, and their sizes, cost next to nothing.
    """

    crawl: Crawl
    pages: Mapping[int, bool]  # by number: whether the page is a hit
    rows: dict[int, int] = field(default_factory=dict)  # by number: the place of the page in the order of visits
    _hits: int = 0
    _children: dict[int, int] = field(default_factory=dict)
    _parents: dict[int, tuple[int, Numbers]] = field(default_factory=dict)
    _moment: tuple[int, int] = (-1, -1)
    _order: int = -1

    def __post_init__(self) -> None:
        self.rows = {number: row for row, number in enumerate(self.pages)}
        self._hits = sum(1 << self.rows[number] for number, hit in self.pages.items() if hit)

    @property
    def hits(self) -> int:
        """How many pages are hits."""
        return self._hits.bit_count()

    def parents(self, number: int) -> Numbers:
        """The visited pages that link here, in the order of their visits."""
        return tuple([n for n in self.crawl.graph.into(number) if n in self.pages and n != number])

    def parents_of(self, candidate: Candidate) -> Numbers:
        """The parents of a candidate; they change only with its number of links."""
        links, known = self._parents.get(candidate.found, (-1, ()))
        if links != candidate.n_links:
            known = self.parents(candidate.found)
            self._parents[candidate.found] = (candidate.n_links, known)
        return known

    def siblings(self, parents: Numbers) -> tuple[int, int]:
        """How many visited children of these pages are hits, and how many there are."""
        union = 0
        for parent in parents[-PARENTS:]:
            union |= self._children[parent] if parent in self._children else self._family(parent)
        return (union & self._hits).bit_count(), union.bit_count()

    def born(self, page: Page, number: int) -> None:
        """Add a visited page to the children of its parents."""
        bit = 1 << self.rows.setdefault(number, len(self.rows))
        if self.pages[number]:
            self._hits |= bit
        # A gap in the order of the pages is a redirect, which may have moved links.
        if page.order != self._order + 1 or len(self._children) > MAX_CACHED_FAMILIES:
            self._forget()
        for parent in self.parents(number):
            if parent in self._children:
                self._children[parent] |= bit
        self._order = page.order
        self._moment = (self.crawl.visited, self.crawl.waiting)

    def beside(self, number: int) -> list[str]:
        """The unvisited URLs near a page in the lists of links that led to it."""
        found: dict[int, None] = {}
        for parent in self.parents(number)[-2:]:
            children = list(self.crawl.graph.out(parent))
            place = children.index(number) if number in children else 0
            found |= dict.fromkeys(children[max(0, place - MAX_NEIGHBOURS) : place + MAX_NEIGHBOURS + 1])
        return [self.crawl.url(n) for n in found if n not in self.pages]

    def _family(self, parent: int) -> int:
        """The visited children of a page, read from the graph."""
        found = 0
        for child in self.crawl.graph.out(parent):
            if child in self.rows:
                found |= 1 << self.rows[child]
        self._children[parent] = found
        return found

    def keep_up(self) -> None:
        """Drop what may no longer hold; call it before any question about candidates."""
        # A redirect moves links without a visit. It shows in the number of candidates, or in a gap in the order.
        if self._moment != (self.crawl.visited, self.crawl.waiting) or len(self._parents) > MAX_CACHED_CANDIDATES:
            self._forget()
            self._moment = (self.crawl.visited, self.crawl.waiting)

    def _forget(self) -> None:
        self._children.clear()
        self._parents.clear()
