"""Parents and siblings of candidates among the visited pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from clew.strategies._base import Crawl
from clew.types import Candidate, Page

PARENTS: Final = 8  # in-linking pages whose words and children are looked at: the latest ones
NEAR: Final = 16  # siblings on each side of a page that are worth a second look when it has been read
MEMO: Final = 50_000  # candidates whose parents are remembered
FAMILIES: Final = 5000  # parents whose children are

Numbers = tuple[int, ...]


@dataclass
class Kinship:
    """What the graph of links says of relations; it is asked anew only where the crawl has changed it.

    A set of pages is a whole number with a bit for each: unions of many sets, and their sizes, cost next to nothing.
    """

    crawl: Crawl
    pages: Mapping[int, bool]  # by number: whether the page is a hit
    rows: dict[int, int] = field(default_factory=dict)  # by number: the how manieth page it is
    _hits: int = 0
    _children: dict[int, int] = field(default_factory=dict)
    _parents: dict[int, tuple[int, Numbers]] = field(default_factory=dict)
    _moment: tuple[int, int] = (-1, -1)
    _order: int = -1

    def __post_init__(self) -> None:
        self.rows = {number: row for row, number in enumerate(self.pages)}
        self._hits = sum(1 << self.rows[number] for number, hit in self.pages.items() if hit)

    def parents(self, number: int) -> Numbers:
        """The visited pages that link here, in the order of their visits."""
        return tuple([n for n in self.crawl.graph.into(number) if n in self.pages and n != number])

    def parents_of(self, candidate: Candidate) -> Numbers:
        """The same; they change only with the number of links."""
        links, known = self._parents.get(candidate.found, (-1, ()))
        if links != candidate.n_links:
            known = self.parents(candidate.found)
            self._parents[candidate.found] = candidate.n_links, known
        return known

    def siblings(self, parents: Numbers) -> tuple[int, int]:
        """How many of the visited children of these pages are hits, and how many there are."""
        union = 0
        for parent in parents[-PARENTS:]:
            union |= self._children[parent] if parent in self._children else self._family(parent)
        return (union & self._hits).bit_count(), union.bit_count()

    def born(self, page: Page, number: int) -> None:
        """A page has been read: its parents have one child more."""
        bit = 1 << self.rows.setdefault(number, len(self.rows))
        self._hits |= bit if self.pages[number] else 0
        if page.order != self._order + 1 or len(self._children) > FAMILIES:
            self._forget()
        for parent in self.parents(number):
            if parent in self._children:
                self._children[parent] |= bit
        self._order, self._moment = page.order, (self.crawl.visited, self.crawl.waiting)

    def beside(self, number: int) -> list[str]:
        """The URLs that stand near a page in the lists that led to it, and are not visited."""
        found: dict[int, None] = {}
        for parent in self.parents(number)[-2:]:
            children = list(self.crawl.graph.out(parent))
            place = children.index(number) if number in children else 0
            found |= dict.fromkeys(children[max(0, place - NEAR) : place + NEAR + 1])
        return [self.crawl.url(n) for n in found if n not in self.pages]

    def _family(self, parent: int) -> int:
        found = 0
        for child in self.crawl.graph.out(parent):
            if child in self.rows:
                found |= 1 << self.rows[child]
        self._children[parent] = found
        return found

    def keep_up(self) -> None:
        """Forget what may no longer hold; to be called before anything is asked about candidates."""
        # A redirect moves links without a visit. It shows in what waits now, or in a gap in the order of the pages.
        if self._moment != (self.crawl.visited, self.crawl.waiting) or len(self._parents) > MEMO:
            self._forget()
            self._moment = self.crawl.visited, self.crawl.waiting

    def _forget(self) -> None:
        self._children.clear()
        self._parents.clear()
