"""PageRank ordering: what the pages so far make important comes first."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from clew.learning.link_analysis import pagerank
from clew.strategies._base import ALL, Stale, Strategy
from clew.types import Candidate, Link, Page


@dataclass
class PageRank(Strategy):
    """IR'(p) = (1 - d) + d * the sum of IR'(t)/c(t) over the crawled pages t that link to p.

    The ranks are worked out anew every `every` pages; in between, a new page passes on what its own links give it.
    With `hot`, two queues: first the candidates whose anchor or URL rates as relevant or that lie within `near`
    links of a relevant page, each queue by rank.

    >>> from clew.testing.tiny_web import order
    >>> order("pagerank", "A -> B C; B -> C D; C -> A E D")
    ['A', 'B', 'C', 'D', 'E']

    Cho, Garcia-Molina and Page, Efficient crawling through URL ordering, WWW 1998.
    """

    needs_graph = True
    inlinks_only = True

    d: float = 0.9
    every: int = 300
    hot: bool = False
    near: int = 3
    shares: dict[int, float] = field(default_factory=dict, init=False, repr=False)  # d * IR'(t)/c(t) of each page
    away: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # links from the nearest relevant page
    ranked: int = field(default=0, init=False, repr=False)  # pages when the ranks were last worked out

    def learn(self, page: Page) -> Stale:
        """Let the page pass on its rank; from time to time work out all ranks."""
        number = self._crawl.number(page.url)
        if number is None or not page.links:
            return ()
        if self.hot:
            good = self._is_good(self._crawl.relevance(page.url))
            self.away[number] = 0 if good else self._away(number)
        self.shares[number] = self.d * self._rank(number) / max(1, len(self._crawl.graph.out(number)))
        if self._crawl.visited - self.ranked < self.every:
            return ()
        self._rank_all()
        return ALL

    def value(self, candidate: Candidate) -> float:
        """The rank; with two queues, 1 more for a hot candidate."""
        rank = self._rank(candidate.found)
        return rank / (1 + rank) + self._is_hot(candidate) if self.hot else rank

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The rank by the paper's name."""
        parts = {"IR'": self._rank(candidate.found)}
        return parts | {"hot": float(self._is_hot(candidate))} if self.hot else parts

    def _rank(self, number: int) -> float:
        shares = self.shares
        return 1 - self.d + sum([shares.get(source, 0.0) for source in self._crawl.graph.into(number)])

    def _rank_all(self) -> None:
        self.ranked = self._crawl.visited
        sources, targets = self._crawl.graph.edges()
        nodes = 1 + int(max(sources.max(initial=-1), targets.max(initial=-1)))
        links = np.bincount(sources, minlength=nodes)
        start, pages = np.full(nodes, 1 - self.d), list(self.shares)
        start[pages] = np.array([*self.shares.values()]) * links[pages] / self.d
        shares = self.d * pagerank(sources, targets, nodes, self.d, start) / np.maximum(links, 1)
        self.shares = dict(zip(pages, shares[pages].tolist(), strict=True))

    def _is_hot(self, candidate: Candidate) -> bool:
        return self._away(candidate.found) <= self.near or any(map(self._promises, candidate.links))

    def _promises(self, link: Link) -> bool:
        rate = self._crawl.interest.rate
        return self._is_good(rate(link.anchor)) or self._is_good(rate(link.url))

    def _is_good(self, rating: float) -> bool:
        return rating > 0 and rating >= self._crawl.interest.threshold

    def _away(self, number: int) -> int:
        """Links from the nearest relevant page, capped: further away all are alike."""
        found = [self.away[source] for source in self._crawl.graph.into(number) if source in self.away]
        return min([self.near, *found]) + 1
