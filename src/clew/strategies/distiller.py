"""Distiller: soft focus that also favours the links of the topic's best hubs."""

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
    """Visits the links of the most relevant pages, like `soft_focus`, and gives the links of the best hubs priority.

    Hubs and authorities are found by HITS on the links between hosts. Each link is weighted by the relevance of its
    ends; only pages more relevant than `rho` can be authorities; the k links from one host to another share one vote.
    The unvisited targets of the `top` share of the hubs get at least the hub's percentile times the best priority
    among the last `recent` visits.

    Distillation runs every `every` pages, and whenever the number of links has grown by the share `growth`.

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
    hosts: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # host name -> its number
    homes: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # visited page -> its host
    hubs: dict[int, float] = field(default_factory=dict, init=False, repr=False)  # the best ones, with percentiles
    owns: list[float] = field(default_factory=list, init=False, repr=False)  # own priorities of the latest visits
    best: float = field(default=0.0, init=False, repr=False)  # the best of them at the last distillation
    links: int = field(default=0, init=False, repr=False)  # links of all visited pages
    distilled: tuple[int, int] = field(default=(0, 0), init=False, repr=False)  # pages and links at that time

    def learn(self, page: Page) -> Stale:
        """Record the host and the links of the page; distil when it is due."""
        number = self._crawl.number(page.url)
        if number is not None:
            self.homes[number] = self.hosts.setdefault(host(page.url), len(self.hosts))
            self.links += len(self._crawl.graph.out(number))
        if page.inlinks:
            own = self._own(Candidate(page.url, links=page.inlinks))
            self.owns = [*self.owns[1 - self.recent :], own]
        pages, links = self.distilled
        if self._crawl.visited - pages < self.every and self.links <= links * (1 + self.growth):
            return ()
        return self._distill()

    def value(self, candidate: Candidate) -> float:
        """Return the relevance of the best page that links to the candidate, or the lift of a hub if that is more."""
        return max(self._own(candidate), self._lift(candidate))

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the candidate's own priority, and the two factors of its lift."""
        return {"own": self._own(candidate), "hub percentile": self._hub(candidate), "best recent": self.best}

    def _own(self, candidate: Candidate) -> float:
        return max([self._crawl.relevance(link.source) for link in candidate.links], default=1.0)

    def _lift(self, candidate: Candidate) -> float:
        # Before the first hubs there is no need to look up the pages that link to a candidate.
        return self._hub(candidate) * self.best if self.hubs else 0.0

    def _hub(self, candidate: Candidate) -> float:
        # All in-links, because the few that are kept as evidence may not include the hub.
        into = self._crawl.graph.into(candidate.found)
        return max([self.hubs.get(source, 0.0) for source in into], default=0.0)

    def _distill(self) -> Stale:
        self.distilled = (self._crawl.visited, self.links)
        had_hubs = bool(self.hubs)
        self.hubs = self._best_hubs()
        self.best = max(self.owns, default=0.0)
        return ALL if had_hubs or self.hubs else ()

    def _best_hubs(self) -> dict[int, float]:
        """Return the `top` share of the hubs with their percentiles."""
        sources, targets = self._crawl.graph.edges()
        relevance = np.nan_to_num(self._crawl.relevances())
        homes = np.full(len(relevance), -1)
        homes[list(self.homes)] = list(self.homes.values())
        # Links within a host would be nepotism, and a target without a visit has no relevance yet.
        between = (homes[targets] >= 0) & (homes[sources] != homes[targets])
        sources = sources[between]
        targets = targets[between]
        scores, _ = distill(sources, targets, relevance, self.rho, between_hosts(sources, targets, homes))
        hubs = np.flatnonzero(scores > 0) if len(sources) else np.array([], np.int64)
        # A stable sort, so that equal scores rank the same on every machine.
        ranked = hubs[np.argsort(scores[hubs], kind="stable")]
        first = len(ranked) - math.ceil(self.top * len(ranked))
        return {number: (place + 1) / len(ranked) for place, number in enumerate(ranked.tolist()) if place >= first}
