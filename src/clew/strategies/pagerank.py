"""PageRank ordering: visit the URLs first that important visited pages link to."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from clew.learning.link_analysis import pagerank
from clew.strategies._base import ALL, Stale, Strategy
from clew.types import Candidate, Link, Page


@dataclass
class PageRank(Strategy):
    """Visits the candidate with the highest PageRank on the links found so far.

    The rank is the paper's IR'(p) = (1 - `d`) + `d` * the sum of IR'(t)/c(t) over the visited pages t that link to p,
    where c(t) is the number of links on t. All ranks are computed anew every `every` pages; in between, a new page
    passes on the rank that its own in-links give it.

    With `hot` there are two queues, each ordered by rank. The hot queue comes first. It holds the candidates whose
    anchor or URL rates as relevant, and those within `near` links of a relevant page.

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
    ranked: int = field(default=0, init=False, repr=False)  # visits when all ranks were last computed

    def learn(self, page: Page) -> Stale:
        """Let the page pass on its rank; compute all ranks anew when it is due."""
        number = self._crawl.number(page.url)
        if number is None or not page.links:
            return ()
        if self.hot:
            relevant = self._is_relevant(self._crawl.relevance(page.url))
            self.away[number] = 0 if relevant else self._away(number)
        self.shares[number] = self.d * self._rank(number) / max(1, len(self._crawl.graph.out(number)))
        if self._crawl.visited - self.ranked < self.every:
            return ()
        self._rank_all()
        return ALL

    def value(self, candidate: Candidate) -> float:
        """Return the rank; with two queues, 1 more for a hot candidate."""
        rank = self._rank(candidate.found)
        # Ranks have no upper bound; squeezed below 1, none lifts a candidate into the hot queue.
        return rank / (1 + rank) + self._is_hot(candidate) if self.hot else rank

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the rank and, with two queues, whether the candidate is hot."""
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
        pages = list(self.shares)
        # The iteration starts from the current ranks, which are nearly right, and so converges in a few rounds.
        start = np.full(nodes, 1 - self.d)
        start[pages] = np.array([*self.shares.values()]) * links[pages] / self.d
        shares = self.d * pagerank(sources, targets, nodes, self.d, start) / np.maximum(links, 1)
        self.shares = dict(zip(pages, shares[pages].tolist(), strict=True))

    def _is_hot(self, candidate: Candidate) -> bool:
        return self._away(candidate.found) <= self.near or any(map(self._rates_relevant, candidate.links))

    def _rates_relevant(self, link: Link) -> bool:
        rate = self._crawl.interest.rate
        return self._is_relevant(rate(link.anchor)) or self._is_relevant(rate(link.url))

    def _is_relevant(self, rating: float) -> bool:
        return rating > 0 and rating >= self._crawl.interest.threshold

    def _away(self, number: int) -> int:
        """Return the links from the nearest relevant page, at most `near` + 1."""
        # Capped, because beyond `near` all distances mean the same: not hot.
        distances = [self.away[source] for source in self._crawl.graph.into(number) if source in self.away]
        return min([self.near, *distances]) + 1
