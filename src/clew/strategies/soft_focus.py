"""Soft focus: every page is expanded, and its links wait with the relevance of their best page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from clew.strategies._base import Stale, Strategy
from clew.types import Candidate, Page

TIE: Final = 1e-6  # what the load of a host can weigh at most: it only decides between equals


@dataclass
class SoftFocus(Strategy):
    """The radius-1 rule: a link is worth R(u), the relevance of the best page u that holds it.

    Of equally good links those of the host with the fewest visits come first, the lightest server load. Use it
    with `judge = "hierarchy"` for R as in the paper: the sum of the chances of the good topics.

    >>> from clew.testing.tiny_web import order
    >>> order("soft_focus", "s .9 -> a b; a .4 -> c; b .8 -> d; c .9")
    ['s', 'a', 'b', 'd', 'c']

    Chakrabarti, van den Berg and Dom, Focused crawling: a new approach to topic-specific web resource discovery,
    Computer Networks 31, 1999.
    """

    rescore_top = 16
    inlinks_only = True

    visits: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # visits by host

    def learn(self, page: Page) -> Stale:
        """Count the visits of each host."""
        host = urlsplit(page.url).netloc
        self.visits[host] = self.visits.get(host, 0) + 1
        return ()

    def value(self, candidate: Candidate) -> float:
        """The best page that links here; of equals the least visited host."""
        return self._relevance(candidate) - TIE * self._burden(candidate)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """R of the best parent, and the visits of the host."""
        visits = self.visits.get(urlsplit(candidate.url).netloc, 0)
        return {"relevance": self._relevance(candidate), "server load": float(visits)}

    def _relevance(self, candidate: Candidate) -> float:
        return max((self._crawl.relevance(link.source) for link in candidate.links), default=1.0)

    def _burden(self, candidate: Candidate) -> float:
        visits = self.visits.get(urlsplit(candidate.url).netloc, 0)
        return visits / (visits + 100.0)
