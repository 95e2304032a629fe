"""Hard focus: links are followed from pages whose best topic is wanted, and from no others."""

from __future__ import annotations

from dataclasses import dataclass, field

from clew.strategies._base import HOLD, Stale, Strategy
from clew.types import Candidate, Page


@dataclass
class HardFocus(Strategy):
    """A page is expanded if its most likely leaf topic, or a topic above that leaf, is wanted.

    That needs a taxonomy (`judge = "hierarchy"`). An interest without one says only whether a page is relevant, and
    then the relevant pages are expanded. When nothing more is left around such pages the crawl ends: the paper's
    hard focus can stagnate.

    >>> from clew.testing.tiny_web import order
    >>> order("hard_focus", "s .9 -> a b; a .9 -> c; b .1 -> d; c .2")
    ['s', 'a', 'b', 'c']

    Chakrabarti, van den Berg and Dom, Focused crawling: a new approach to topic-specific web resource discovery,
    Computer Networks 31, 1999.
    """

    inlinks_only = True

    expanded: dict[str, None] = field(default_factory=dict, init=False, repr=False)  # pages whose links are followed

    def learn(self, page: Page) -> Stale:
        """Decide whether the page is expanded; a start page always is, else no crawl would begin."""
        if page.links and (not page.inlinks or self._wanted(page)):
            self.expanded[page.url] = None
        return ()

    def value(self, candidate: Candidate) -> float:
        """The relevance of the best expanded page that links here."""
        if not candidate.links:
            return 1.0
        known = [link.source for link in candidate.links if link.source in self.expanded]
        return max(map(self._crawl.relevance, known), default=HOLD)

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """What the user says of a page decides."""
        if relevant:
            self.expanded[page.url] = None
        else:
            self.expanded.pop(page.url, None)
        return [link.url for link in page.links]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """R of the best expanded parent, and how many of the pages in evidence are expanded."""
        count = sum(link.source in self.expanded for link in candidate.links)
        return {"relevance": max(self.value(candidate), 0.0), "expanded parents": float(count)}

    def _wanted(self, page: Page) -> bool:
        interest = self._crawl.interest
        by_leaf = getattr(interest, "wants", None)
        if by_leaf is not None:
            return bool(by_leaf(page.topics))
        relevance = self._crawl.relevance(page.url)
        return relevance > 0 and relevance >= interest.threshold
