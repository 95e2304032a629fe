"""Shark search: a link is worth what its page hands down and what its own words promise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from clew.strategies._base import HOLD, Stale, Strategy
from clew.types import Candidate, Link, Page


class _Parts(NamedTuple):
    potential: float
    inherited: float
    neighbourhood: float
    anchor: float
    context: float


@dataclass
class Shark(Strategy):
    """Relevant pages feed their links; behind the others the inheritance shrinks by `delta` a step.

    `beta` weighs the anchor against the text around it, `gamma` the inheritance against both. With `depth`,
    links are held back behind more than so many irrelevant pages in a row, as in fish search.

    >>> from clew.lab.sketch import order
    >>> order("shark", "s .8 -> a [about us] b [.9 boats]; a -> c; b -> d")
    ['s', 'b', 'a', 'd', 'c']

    Hersovici, Jacovi, Maarek, Pelleg, Shtalhaim and Ur, The shark-search algorithm, WWW 1998.
    """

    delta: float = 0.5
    beta: float = 0.8
    gamma: float = 0.5
    depth: int | None = None
    handed: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # by pages to their links
    barren: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # irrelevant pages in a row

    def learn(self, page: Page) -> Stale:
        """Note what the page hands down; a page without links hands down nothing."""
        if page.links:
            # "sim > 0" in the paper: always true of dense similarities, so the threshold takes its place.
            worth = page.relevance if page.relevant else self._inherited(page.inlinks)
            self.handed[page.url] = self.delta * worth
            if self.depth is not None:
                self.barren[page.url] = 0 if page.relevant else self._barren(page.inlinks) + 1
        return ()

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """The larger potential where several pages link to a candidate."""
        rate = self._rater()
        return [self._value(candidate, rate) for candidate in candidates]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The paper's terms for the best link to the candidate."""
        if not candidate.links:
            return {"potential": 1.0}
        return self._best(candidate.links, self._rater())._asdict()

    def _value(self, candidate: Candidate, rate: Callable[[str], float]) -> float:
        if not candidate.links:
            return 1.0
        if self.depth is not None and self._barren(candidate.links) > self.depth:
            return HOLD
        return self._best(candidate.links, rate).potential

    def _best(self, links: Iterable[Link], rate: Callable[[str], float]) -> _Parts:
        return max(self._parts(link, rate) for link in links)

    def _parts(self, link: Link, rate: Callable[[str], float]) -> _Parts:
        inherited = self.handed.get(link.source, 0.0)
        anchor = rate(link.anchor)
        hit = anchor > 0 and anchor >= self._crawl.interest.threshold
        context = 1.0 if hit else rate(link.around)
        neighbourhood = self.beta * anchor + (1 - self.beta) * context
        potential = self.gamma * inherited + (1 - self.gamma) * neighbourhood
        return _Parts(potential, inherited, neighbourhood, anchor, context)

    def _inherited(self, links: Iterable[Link]) -> float:
        return max((self.handed.get(link.source, 0.0) for link in links), default=0.0)

    def _barren(self, links: Iterable[Link]) -> int:
        return min((self.barren.get(link.source, 0) for link in links), default=0)

    def _rater(self) -> Callable[[str], float]:
        """Rates each text once per call of `score`: menus repeat, but a longer memory would grow for ever."""
        known: dict[str, float] = {}

        def rate(text: str) -> float:
            if text not in known:
                known[text] = self._crawl.interest.rate(text) if text else 0.0
            return known[text]

        return rate
