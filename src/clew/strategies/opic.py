"""OPIC: every page holds cash, and spends it on its links when it is fetched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from clew.strategies._base import Stale, Strategy
from clew.types import Candidate, Page

UNIT: Final = 1 << 200
"""The cash of a start page. Whole numbers, because their sums are exact in any order."""
FINE: Final = 1 << 30
"""How finely relevance is counted."""
MANY: Final = 16
"""In-links from which a candidate's cash is remembered instead of summed up again."""
ROOM: Final = 100_000
"""Candidates whose cash is remembered at most."""


@dataclass
class Opic(Strategy):
    """The candidate with the most cash comes first; a start page begins with 1.

    A page divides its cash evenly among its links; with `topic` it hands on only as much of it as it is relevant.
    The rest goes to the paper's virtual page, which gives every page an equal share when it is fetched, so that a
    relevant page behind irrelevant ones has something to hand on. What flows to pages that were fetched already
    stays there, as nothing is fetched twice.

    >>> from clew.testing.tiny_web import order
    >>> order("opic", "s .9 -> a b; a .1 -> c; b .9 -> d")
    ['s', 'a', 'b', 'd', 'c']

    Abiteboul, Preda and Cobena, Adaptive on-line page importance computation, WWW 2003.
    """

    needs_graph = True

    topic: bool = True
    spent: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # what each link of a page was given
    virtual: int = field(default=0, init=False, repr=False)  # cash of the virtual page
    known: int = field(default=1, init=False, repr=False)  # URLs so far
    last: int = field(default=-1, init=False, repr=False)  # ordinal of the latest visit
    _sums: dict[int, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def learn(self, page: Page) -> Stale:
        """Spend the page's cash."""
        if page.order != self.last + 1:  # a redirect came between: links to it count for where it leads
            self._sums.clear()
        self.last = page.order
        number = self._crawl.number(page.url)
        if number is None:
            return ()
        links = self._crawl.graph.out(number)
        self.known = max(self.known, number + 1, *(link + 1 for link in links))
        gift = self.virtual // self.known
        cash = self._cash(number) + gift + (0 if page.depth else UNIT)
        spent = self._share(page) * cash // FINE if links else 0
        self.virtual += cash - gift - spent
        self._sums.pop(number, None)
        self._give(number, links, spent // len(links) if links else 0)
        return ()

    def value(self, candidate: Candidate) -> float:
        """Its cash in units of a start page's."""
        return (self._cash(candidate.found) + (0 if candidate.depth else UNIT)) / UNIT

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The cash by the paper's name."""
        return {"cash": self.value(candidate)}

    def _share(self, page: Page) -> int:
        return round(self._crawl.relevance(page.url) * FINE) if self.topic else FINE

    def _give(self, number: int, links: Sequence[int], each: int) -> None:
        if each:
            self.spent[number] = each
        for target in links:
            if target in self._sums:
                self._sums[target] += each

    def _cash(self, number: int) -> int:
        """All that was spent on it: the sum over the pages that link to it."""
        if number in self._sums:
            return self._sums[number]
        givers = self._crawl.graph.into(number)
        cash = sum([self.spent.get(giver, 0) for giver in givers])
        if len(givers) >= MANY and len(self._sums) < ROOM:
            self._sums[number] = cash
        return cash
