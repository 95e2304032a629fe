"""Best-first and best-N-first: the links of the most relevant pages first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from clew.errors import StrategyError
from clew.strategies._base import Stale, Strategy
from clew.types import Candidate, Page


@dataclass
class BestFirst(Strategy):
    """A candidate is worth what the best page is worth that links to it.

    With n > 1 the n best are fetched together and their links come into play only after the last of them,
    which mixes some exploration into the greed. The start pages are the first batch.

    >>> from clew.testing.tiny_web import order
    >>> world = "s .9 -> a; t .8 -> b; u .7 -> c; a .95 -> d"
    >>> "".join(order("best_first", world, start="s t u"))
    'stuadbc'
    >>> "".join(order("best_first(n=2)", world, start="s t u"))
    'stuabdc'

    Cho, Garcia-Molina and Page, Efficient crawling through URL ordering, WWW 1998; for n: Menczer, Pant and
    Srinivasan, Topical web crawlers: evaluating adaptive algorithms, ACM TOIT 4(4), 2004.
    """

    inlinks_only = True

    n: int = 1
    left: int = field(default=-1, init=False, repr=False)  # members of the batch still to come; -1 before the first
    batch: dict[str, None] = field(default_factory=dict, init=False, repr=False)  # its members so far

    def __post_init__(self) -> None:
        if self.n < 1:
            raise StrategyError(f"best_first: n must be at least 1, not {self.n}")

    def learn(self, page: Page) -> Stale:
        """Count the batch; at its end the links of its pages are due."""
        if self.n == 1:
            return ()
        if self.left < 0:
            self.left = len(self._crawl.seeds)
        self.left -= 1
        self.batch[page.url] = None
        return () if self.left > 0 else self._next_batch()

    def value(self, candidate: Candidate) -> float:
        """The relevance of the best page that links here."""
        if not candidate.links:
            return 1.0
        parents = [link.source for link in candidate.links]
        known = [url for url in parents if url not in self.batch] if self.batch else parents
        # A tier below, not HOLD: should a member vanish without a visit, the new links take its place.
        return self._best(known) if known else self._best(parents) - 2.0

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """What the best parent is worth, and whether the candidate waits for the end of a batch."""
        score = self.value(candidate)
        return {"parent": score + 2.0, "next batch": 1.0} if score < 0 else {"parent": score}

    def _best(self, parents: Collection[str]) -> float:
        return max(map(self._crawl.relevance, parents))

    def _next_batch(self) -> list[str]:
        pages = [self._crawl.page(url) for url in self.batch]
        self.batch = {}
        self.left = min(self.n, self._crawl.waiting)
        return [link.url for page in pages if page for link in page.links]
