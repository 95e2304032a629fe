"""Soft focus: follow the links of every page, in the order of the relevance of the pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from clew.strategies._base import Stale, Strategy
from clew.types import Candidate, Page

MAX_LOAD_PENALTY: Final = 1e-6  # upper bound of what a host's load subtracts: it only decides between equal scores
HALF_LOAD_VISITS: Final = 100.0  # visits of a host at which the penalty is half of its maximum


@dataclass
class SoftFocus(Strategy):
    """Visits first the links of the pages that are most likely on a wanted topic.

    This is the paper's radius-1 rule: the score of a link is R(u), the relevance of the best page u that contains
    it. Among equally good links, those to the host with the fewest visits come first, to keep the server load low.
    Use it with `judge = "hierarchy"` for R as in the paper: the sum of the probabilities of the good topics.

    >>> from clew.testing.tiny_web import order
    >>> order("soft_focus", "s .9 -> a b; a .4 -> c; b .8 -> d; c .9")
    ['s', 'a', 'b', 'd', 'c']

    Chakrabarti, van den Berg and Dom, Focused crawling: a new approach to topic-specific web resource discovery,
    Computer Networks 31, 1999.
    """

    shards = True
    # Visits change the load of a host without a new link: the best candidates need a fresh look before each choice.
    rescore_top = 16
    inlinks_only = True

    visits: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # visits by host

    def learn(self, page: Page) -> Stale:
        """Count the visits of each host."""
        host = urlsplit(page.url).netloc
        self.visits[host] = self.visits.get(host, 0) + 1
        return ()

    def value(self, candidate: Candidate) -> float:
        """Return the relevance of the best page that links to the candidate, less a tiny penalty for host load."""
        return self._relevance(candidate) - MAX_LOAD_PENALTY * self._load(candidate)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the relevance of the best parent, and the visits of the candidate's host."""
        visits = self.visits.get(urlsplit(candidate.url).netloc, 0)
        return {"relevance": self._relevance(candidate), "server load": float(visits)}

    def _relevance(self, candidate: Candidate) -> float:
        return max((self._crawl.relevance(link.source) for link in candidate.links), default=1.0)

    def _load(self, candidate: Candidate) -> float:
        # Bounded by 1, however many visits a host has had.
        visits = self.visits.get(urlsplit(candidate.url).netloc, 0)
        return visits / (visits + HALF_LOAD_VISITS)
