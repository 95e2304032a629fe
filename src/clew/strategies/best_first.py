"""Best-first: follow the links of the most relevant pages first, one at a time or in batches of N."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from clew.errors import StrategyError
from clew.strategies._base import Stale, Strategy
from clew.types import Candidate, Page


@dataclass
class BestFirst(Strategy):
    """Visits the candidate whose best in-linking page is the most relevant.

    With `n` above 1 the `n` best candidates form a batch, and the links found in a batch are ranked only when all of
    it has been visited (best-N-first). That makes the crawl less greedy: it explores more. The start pages are the
    first batch.

    >>> from clew.testing.tiny_web import order
    >>> world = "s .9 -> a; t .8 -> b; u .7 -> c; a .95 -> d"
    >>> "".join(order("best_first", world, start="s t u"))
    'stuadbc'
    >>> "".join(order("best_first(n=2)", world, start="s t u"))
    'stuabdc'

    Cho, Garcia-Molina and Page, Efficient crawling through URL ordering, WWW 1998; for n: Menczer, Pant and
    Srinivasan, Topical web crawlers: evaluating adaptive algorithms, ACM TOIT 4(4), 2004.
    """

    shards = True
    inlinks_only = True

    n: int = 1
    left: int = field(default=-1, init=False, repr=False)  # pages of the batch still to visit; -1 before the first
    batch: dict[str, None] = field(default_factory=dict, init=False, repr=False)  # pages of the batch visited so far

    def __post_init__(self) -> None:
        if self.n < 1:
            raise StrategyError(f"best_first: n must be at least 1, not {self.n}")

    def learn(self, page: Page) -> Stale:
        """Count the page towards the batch; at its end, the links of the whole batch are stale."""
        if self.n == 1:
            return ()
        if self.left < 0:
            self.left = len(self._crawl.seeds)
        self.left -= 1
        self.batch[page.url] = None
        return () if self.left > 0 else self._next_batch()

    def value(self, candidate: Candidate) -> float:
        """Return the relevance of the best page that links to the candidate."""
        if not candidate.links:
            return 1.0
        parents = [link.source for link in candidate.links]
        # With n = 1 there is no batch, and every parent counts: the common case costs no lookups.
        ranked = [url for url in parents if url not in self.batch] if self.batch else parents
        if ranked:
            return self._best(ranked)
        # A tier below, not HOLD: if a member of the batch disappears without a visit, the new links take its place.
        return self._best(parents) - 2.0

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the relevance of the best parent, and whether the candidate waits for the end of a batch."""
        score = self.value(candidate)
        return {"parent": score + 2.0, "next batch": 1.0} if score < 0 else {"parent": score}

    def _best(self, parents: Collection[str]) -> float:
        return max(map(self._crawl.relevance, parents))

    def _next_batch(self) -> list[str]:
        """Close the batch; return the URLs that its pages link to."""
        stale: list[str] = []
        for url in self.batch:
            if page := self._crawl.page(url):
                stale += [link.url for link in page.links]
        self.batch = {}
        # A batch larger than the frontier would never be complete.
        self.left = min(self.n, self._crawl.waiting)
        return stale
