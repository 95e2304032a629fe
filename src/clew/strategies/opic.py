"""OPIC: every page holds cash and spends it on its links when it is visited; the richest candidate comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from clew.strategies._base import Stale, Strategy
from clew.types import Candidate, Page

UNIT: Final = 1 << 200
"""The cash of a start page. Cash is a whole number, because sums of whole numbers are exact in any order."""
RELEVANCE_STEPS: Final = 1 << 30
"""A relevance of 1 as a whole number."""
CACHE_MIN_INLINKS: Final = 16
"""From so many in-links on, a candidate's cash is cached instead of summed up again."""
CACHE_MAX_CANDIDATES: Final = 100_000
"""How many candidates have their cash cached at most."""


@dataclass
class Opic(Strategy):
    """Visits the candidate that has received the most cash from visited, relevant pages.

    Each start page begins with a cash of 1. A visited page divides its cash evenly among its links. With `topic`, it
    hands on only the share given by its relevance, and the rest goes to the paper's virtual page. That page gives
    every page an equal share at its visit, so that a relevant page behind irrelevant ones has something to hand on.
    Cash that flows to pages already visited stays there, because no page is visited twice.

    >>> from clew.testing.tiny_web import order
    >>> order("opic", "s .9 -> a b; a .1 -> c; b .9 -> d")
    ['s', 'a', 'b', 'd', 'c']

    Abiteboul, Preda and Cobena, Adaptive on-line page importance computation, WWW 2003.
    """

    needs_graph = True

    topic: bool = True
    spent: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # cash given to each link, by page
    virtual: int = field(default=0, init=False, repr=False)  # cash of the virtual page
    known: int = field(default=1, init=False, repr=False)  # URLs known so far
    last: int = field(default=-1, init=False, repr=False)  # order of the latest visit
    _sums: dict[int, int] = field(default_factory=dict, init=False, repr=False, compare=False)  # cached cash

    def learn(self, page: Page) -> Stale:
        """Spend the page's cash."""
        # A gap in the order means a redirect: links to it now count for its target, so the cached sums are wrong.
        if page.order != self.last + 1:
            self._sums.clear()
        self.last = page.order
        number = self._crawl.number(page.url)
        if number is None:
            return ()
        links = self._crawl.graph.out(number)
        self.known = max(self.known, number + 1, *(link + 1 for link in links))
        gift = self.virtual // self.known
        cash = self._cash(number) + gift + _start_cash(page.depth)
        spent = self._share(page) * cash // RELEVANCE_STEPS if links else 0
        self.virtual += cash - gift - spent
        self._sums.pop(number, None)
        self._give(number, links, spent // len(links) if links else 0)
        # The targets of the page's links are scored again after every visit, and no other score has changed.
        return ()

    def value(self, candidate: Candidate) -> float:
        """Return the candidate's cash, in units of a start page's cash."""
        return (self._cash(candidate.found) + _start_cash(candidate.depth)) / UNIT

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the candidate's cash."""
        return {"cash": self.value(candidate)}

    def _share(self, page: Page) -> int:
        return round(self._crawl.relevance(page.url) * RELEVANCE_STEPS) if self.topic else RELEVANCE_STEPS

    def _give(self, number: int, links: Sequence[int], each: int) -> None:
        if each:
            self.spent[number] = each
        for target in links:
            if target in self._sums:
                self._sums[target] += each

    def _cash(self, number: int) -> int:
        """Return all that was given to a URL: the sum over the pages that link to it."""
        # Cash is not stored by candidate: state may grow with pages, never with links.
        if number in self._sums:
            return self._sums[number]
        givers = self._crawl.graph.into(number)
        cash = sum([self.spent.get(giver, 0) for giver in givers])
        if len(givers) >= CACHE_MIN_INLINKS and len(self._sums) < CACHE_MAX_CANDIDATES:
            self._sums[number] = cash
        return cash


def _start_cash(depth: int) -> int:
    return 0 if depth else UNIT
