"""Shark search: a link is worth what its page hands down and what its own words promise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from clew.strategies._base import HOLD, Stale, Strategy
from clew.types import Candidate, Link, Page


@dataclass
class Shark(Strategy):
    """Relevant pages feed their links; behind the others the inheritance shrinks by `delta` a step.

    `beta` weighs the anchor against the text around it, `gamma` the inheritance against both. With `depth`,
    links are held back behind more than so many irrelevant pages in a row, as in fish search.

    >>> from clew.testing.tiny_web import order
    >>> order("shark", "s .8 -> a [about us] b [.9 boats]; a -> c; b -> d")
    ['s', 'b', 'a', 'd', 'c']

    Hersovici, Jacovi, Maarek, Pelleg, Shtalhaim and Ur, The shark-search algorithm, WWW 1998.
    """

    inlinks_only = True

    delta: float = 0.5
    beta: float = 0.8
    gamma: float = 0.5
    depth: int | None = None
    handed: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # by pages to their links
    barren: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # irrelevant pages in a row

    def learn(self, page: Page) -> Stale:
        """Note what the page hands down; a page without links hands down nothing."""
        if page.links:
            relevance = self._crawl.relevance(page.url)
            # "sim > 0" in the paper: always true of dense similarities, so the threshold takes its place.
            good = relevance > 0 and relevance >= self._crawl.interest.threshold
            self.handed[page.url] = self.delta * (relevance if good else self._inherited(page.inlinks))
            if self.depth is not None:
                self.barren[page.url] = 0 if good else self._barren(page.inlinks) + 1
        return ()

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """A page that the user calls relevant hands down more from now on."""
        return self.learn(page)

    def value(self, candidate: Candidate) -> float:
        """The potential of the best link; a start page has none and comes first."""
        if not candidate.links:
            return 1.0
        if self.depth is not None and self._barren(candidate.links) > self.depth:
            return HOLD
        return max([self._potential(link) for link in candidate.links])

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The paper's terms for the best link to the candidate."""
        if not candidate.links:
            return {"potential": 1.0}
        link = max(candidate.links, key=self._potential)
        anchor, context, neighbourhood = self._neighbourhood(link)
        return {
            "potential": self._potential(link),
            "inherited": self.handed.get(link.source, 0.0),
            "neighbourhood": neighbourhood,
            "anchor": anchor,
            "context": context,
        }

    def _potential(self, link: Link) -> float:
        inherited = self.handed.get(link.source, 0.0)
        return self.gamma * inherited + (1 - self.gamma) * self._neighbourhood(link)[2]

    def _neighbourhood(self, link: Link) -> tuple[float, float, float]:
        interest = self._crawl.interest
        anchor = interest.rate(link.anchor)
        hit = anchor > 0 and anchor >= interest.threshold
        context = 1.0 if hit else interest.rate(link.around)
        return anchor, context, self.beta * anchor + (1 - self.beta) * context

    def _inherited(self, links: Iterable[Link]) -> float:
        return max((self.handed.get(link.source, 0.0) for link in links), default=0.0)

    def _barren(self, links: Iterable[Link]) -> int:
        return min((self.barren.get(link.source, 0) for link in links), default=0)
