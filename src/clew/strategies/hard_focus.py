"""Hard focus: follow the links of pages whose most likely topic is wanted, and no others."""

from __future__ import annotations

from dataclasses import dataclass, field

from clew.strategies._base import HOLD, Stale, Strategy
from clew.types import Candidate, Page


@dataclass
class HardFocus(Strategy):
    """Follows links only from pages whose most likely topic is wanted, the most relevant page first.

    A page is expanded if its most likely leaf topic, or an ancestor of that leaf, is wanted. That needs a taxonomy
    (`judge = "hierarchy"`). Without one, the interest only says whether a page is relevant, and the relevant pages
    are expanded. The crawl ends when no expanded page has unvisited links: hard focus can stagnate, as the paper
    reports.

    >>> from clew.testing.tiny_web import order
    >>> order("hard_focus", "s .9 -> a b; a .9 -> c; b .1 -> d; c .2")
    ['s', 'a', 'b', 'c']

    Chakrabarti, van den Berg and Dom, Focused crawling: a new approach to topic-specific web resource discovery,
    Computer Networks 31, 1999.
    """

    shards = True
    inlinks_only = True

    expanded: dict[str, None] = field(default_factory=dict, init=False, repr=False)  # pages whose links are followed

    def learn(self, page: Page) -> Stale:
        """Decide whether to expand the page."""
        # A start page is always expanded; otherwise the crawl could end before it has begun.
        if page.links and (not page.inlinks or self._wanted(page)):
            self.expanded[page.url] = None
        return ()

    def value(self, candidate: Candidate) -> float:
        """Return the relevance of the best expanded page that links to the candidate; HOLD if there is none."""
        if not candidate.links:
            return 1.0
        parents = [link.source for link in candidate.links if link.source in self.expanded]
        return max(map(self._crawl.relevance, parents), default=HOLD)

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Expand the page if the user calls it relevant, and stop following its links otherwise."""
        if relevant:
            self.expanded[page.url] = None
        else:
            self.expanded.pop(page.url, None)
        return [link.url for link in page.links]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the relevance of the best expanded parent, and the number of expanded parents."""
        count = sum(link.source in self.expanded for link in candidate.links)
        return {"relevance": max(self.value(candidate), 0.0), "expanded parents": float(count)}

    def _wanted(self, page: Page) -> bool:
        interest = self._crawl.interest
        # Only interests with a taxonomy know which leaf topics are wanted.
        wants_leaf = getattr(interest, "wants", None)
        if wants_leaf is not None:
            return bool(wants_leaf(page.topics))
        relevance = self._crawl.relevance(page.url)
        return relevance > 0 and relevance >= interest.threshold
