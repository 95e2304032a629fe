"""Shark search: rank a link by what it inherits from its page and by the words in and around its anchor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from clew.strategies._base import HOLD, Stale, Strategy
from clew.types import Candidate, Link, Page


@dataclass
class Shark(Strategy):
    """Ranks a link by what it inherits from relevant pages and by the words in and around its anchor.

    The potential score of a link is `gamma` times its inherited score plus (1 - `gamma`) times its neighbourhood
    score. A relevant page hands down `delta` times its relevance; another page hands down `delta` times what it
    inherited itself, so the inheritance fades with every irrelevant page on the way. The neighbourhood score is
    `beta` times the rating of the anchor plus (1 - `beta`) times that of the text around it, which counts as 1 if
    the anchor is relevant.

    With `depth`, links behind more than so many irrelevant pages in a row are held back, as in fish search.

    >>> from clew.testing.tiny_web import order
    >>> order("shark", "s .8 -> a [about us] b [.9 boats]; a -> c; b -> d")
    ['s', 'b', 'a', 'd', 'c']

    Hersovici, Jacovi, Maarek, Pelleg, Shtalhaim and Ur, The shark-search algorithm, WWW 1998.
    """

    shards = True
    inlinks_only = True

    delta: float = 0.5
    beta: float = 0.8
    gamma: float = 0.5
    depth: int | None = None
    handed: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # score handed down, by page
    barren: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # irrelevant pages in a row, by page

    def learn(self, page: Page) -> Stale:
        """Record what the page hands down to its links."""
        # A page without links hands down nothing, and is not kept.
        if page.links:
            relevance = self._crawl.relevance(page.url)
            # The paper asks for "sim > 0". Dense similarities are always above 0, so the threshold takes its place.
            relevant = relevance > 0 and relevance >= self._crawl.interest.threshold
            self.handed[page.url] = self.delta * (relevance if relevant else self._inherited(page.inlinks))
            if self.depth is not None:
                self.barren[page.url] = 0 if relevant else self._barren(page.inlinks) + 1
        return ()

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Record again what the page hands down, now that the user has judged it."""
        return self.learn(page)

    def learn_change(self, page: Page, new_links: Sequence[str]) -> Stale:
        """Record again what the page hands down, now that it has changed."""
        self.learn(page)
        return [link.url for link in page.links]

    def value(self, candidate: Candidate) -> float:
        """Return the potential score of the best link; a start page has no links and comes first."""
        if not candidate.links:
            return 1.0
        if self.depth is not None and self._barren(candidate.links) > self.depth:
            return HOLD
        return max([self._potential(link) for link in candidate.links])

    def deciding_link(self, candidate: Candidate) -> Link:
        """Return the best link to the candidate."""
        return max(candidate.links, key=self._potential)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the paper's terms for the best link to the candidate."""
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
        """Return the ratings of the anchor and of its context, and the neighbourhood score."""
        interest = self._crawl.interest
        anchor = interest.rate(link.anchor)
        anchor_relevant = anchor > 0 and anchor >= interest.threshold
        context = 1.0 if anchor_relevant else interest.rate(link.around)
        return anchor, context, self.beta * anchor + (1 - self.beta) * context

    def _inherited(self, links: Iterable[Link]) -> float:
        return max((self.handed.get(link.source, 0.0) for link in links), default=0.0)

    def _barren(self, links: Iterable[Link]) -> int:
        return min((self.barren.get(link.source, 0) for link in links), default=0)
