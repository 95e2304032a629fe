"""Distiller: what the best hubs of the topic link to comes sooner."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from clew.learning.link_analysis import between_hosts, distill
from clew.parse.url import host
from clew.strategies._base import ALL, Stale, Strategy
from clew.types import Candidate, Page


@dataclass
class Distiller(Strategy):
    """Soft focus, with a lift for the links of the best hubs.

    Hubs and authorities are found by HITS on the links between hosts, each link weighted by the relevance of its
    ends, authorities only among pages more relevant than `rho`; k links from one host to another share one vote.
    The unvisited targets of the `top` share of the hubs get at least the hub's percentile times the best priority
    of the last `recent` visits. Worked out every `every` pages, and when the links have grown by the share `growth`.

    >>> from clew.testing.tiny_web import order
    >>> web = "h/ .6 -> a/ b/ h/new; a/ .9 -> a/x; b/ .9; a/x .8; o/ .7 -> o/x"
    >>> order("distiller(every=1)", web, start="h/ a/ b/ o/")[4:]
    ['a/x', 'h/new', 'o/x']

    Chakrabarti, van den Berg and Dom, Focused crawling: a new approach to topic-specific web resource discovery,
    Computer Networks 31, 1999.
    """

    needs_graph = True
    inlinks_only = True

    rho: float = 0.1
    top: float = 0.1
    every: int = 500
    growth: float = 0.1
    recent: int = 100
    hosts: dict[str, int] = field(default_factory=dict, init=False, repr=False)
    homes: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # visited page -> its host
    hubs: dict[int, float] = field(default_factory=dict, init=False, repr=False)  # the best ones, with percentiles
    owns: list[float] = field(default_factory=list, init=False, repr=False)  # priorities of the latest visits
    best: float = field(default=0.0, init=False, repr=False)
    links: int = field(default=0, init=False, repr=False)
    distilled: tuple[int, int] = field(default=(0, 0), init=False, repr=False)  # pages and links at the last time

    def learn(self, page: Page) -> Stale:
        """Note where the page lives; distil when it is time."""
        number = self._crawl.number(page.url)
        if number is not None:
            self.homes[number] = self.hosts.setdefault(host(page.url), len(self.hosts))
            self.links += len(self._crawl.graph.out(number))
        if page.inlinks:
            self.owns = [*self.owns[1 - self.recent :], self._own(Candidate(page.url, links=page.inlinks))]
        pages, links = self.distilled
        if self._crawl.visited - pages < self.every and self.links <= links * (1 + self.growth):
            return ()
        return self._distill()

    def value(self, candidate: Candidate) -> float:
        """The relevance of the best page that links here, or the lift of a hub."""
        return max(self._own(candidate), self._lift(candidate))

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The page's own priority and what the best hub makes of it."""
        return {"own": self._own(candidate), "hub percentile": self._hub(candidate), "best recent": self.best}

    def _own(self, candidate: Candidate) -> float:
        return max([self._crawl.relevance(link.source) for link in candidate.links], default=1.0)

    def _lift(self, candidate: Candidate) -> float:
        return self._hub(candidate) * self.best if self.hubs else 0.0

    def _hub(self, candidate: Candidate) -> float:
        into = self._crawl.graph.into(candidate.found)
        return max([self.hubs.get(source, 0.0) for source in into], default=0.0)

    def _distill(self) -> Stale:
        self.distilled = self._crawl.visited, self.links
        before, self.hubs = self.hubs, self._best_hubs()
        self.best = max(self.owns, default=0.0)
        return ALL if before or self.hubs else ()

    def _best_hubs(self) -> dict[int, float]:
        sources, targets = self._crawl.graph.edges()
        relevance = np.nan_to_num(self._crawl.relevances())
        homes = np.full(len(relevance), -1)
        homes[list(self.homes)] = list(self.homes.values())
        kept = (homes[targets] >= 0) & (homes[sources] != homes[targets])
        sources, targets = sources[kept], targets[kept]
        scores, _ = distill(sources, targets, relevance, self.rho, between_hosts(sources, targets, homes))
        found = np.flatnonzero(scores > 0) if len(sources) else np.array([], np.int64)
        ranked = found[np.argsort(scores[found], kind="stable")]
        first = len(ranked) - math.ceil(self.top * len(ranked))
        return {number: (place + 1) / len(ranked) for place, number in enumerate(ranked.tolist()) if place >= first}
