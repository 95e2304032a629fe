"""Hybrid crawling: pages enter the collection by their links with it and by what they say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Final

from clew.strategies._base import ALL, HOLD, Stale, Strategy
from clew.strategies._shared.context import in_context
from clew.types import Candidate, Link, Page

ALIVE: Final = 0.1  # keeps pages without text in the race; full similarity is worth eleven times none
LAST: Final = -1e9  # where candidates come that are fetched only because nothing else can be


@dataclass
class Hybrid(Strategy):
    """All pages around an accepted page are fetched; then the best of those that were fetched is accepted.

    The best has the highest (links to accepted pages + links from them) * (0.1 + content similarity). Similarity is
    the relevance of the page: that of the paper with `judge = "vocabulary"`, else the interest's own. Start pages
    are accepted. With `lazy` nothing is fetched before it is accepted: candidates are ranked by the links from
    accepted pages and by the words in and around them, which spares the pages that never would be.

    >>> from clew.testing.tiny_web import order
    >>> order("hybrid", "s .9 -> a b; a .1 -> c; b .8 -> d; d .05 -> e")
    ['s', 'a', 'b', 'd', 'c', 'e']

    Jamali, Sayyadi, Hariri and Abolhassani, A method for focused crawling using combination of link structure and
    content similarity, WI 2006.
    """

    needs_graph = True

    lazy: bool = False
    accepted: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # number -> when
    ties: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # of fetched pages with accepted ones
    similar: dict[int, float] = field(default_factory=dict, init=False, repr=False)  # content of fetched pages
    open: list[int] = field(default_factory=list, init=False, repr=False)  # around accepted pages, the last first
    _heap: list[tuple[float, int]] = field(default_factory=list, init=False, repr=False)  # (-rank, number), some old

    def learn(self, page: Page) -> Stale:
        """The page waits to be accepted; when all around the accepted ones is fetched, the best one is."""
        number = self._crawl.number(page.url)
        if self.lazy or number is None:
            return ()
        found: list[str] = []
        if page.ok and not page.inlinks:
            found = self._accept(number)
        elif page.ok:
            self._fetched(number, self._crawl.relevance(page.url))
        while not self._busy() and (best := self._best()) is not None:
            found += self._accept(best)
        return ALL if page.score <= LAST / 2 else found  # what was offered for want of better is held again

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """What the user says of a page is its similarity, as long as it waits."""
        number = self._crawl.number(page.url)
        if number in self.similar:
            self.similar[number] = float(relevant)
            self._heap = []
        return ()

    def score(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Around accepted pages: the first of them first. Elsewhere HOLD, as long as there is something around."""
        if self.lazy:
            return [c.n_links * (ALIVE + self._promise(c.links)) if c.links else 1.0 for c in candidates]
        # A redirect or a drop may take away the last page that was to be fetched, and no visit makes a choice then.
        stuck = not any(self._waits(number) for number in reversed(self.open))
        return [self._place(candidate, stuck) for candidate in candidates]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The parts of the rank, as far as they are known of a page that was not fetched."""
        parents = self._crawl.graph.into(candidate.found)
        links = candidate.n_links if self.lazy else sum(n in self.accepted for n in parents)
        parts = {"score": self.score([candidate])[0], "links from accepted pages": float(links)}
        return parts | {"promise": self._promise(candidate.links)} if self.lazy else parts

    def rank(self, number: int) -> float:
        """Equation 1, of a page that is fetched and waits."""
        return self.ties[number] * (ALIVE + self.similar[number])

    def _fetched(self, number: int, similarity: float) -> None:
        around = {*self._crawl.graph.into(number)}, {*self._crawl.graph.out(number)}
        self.ties[number] = sum(n in self.accepted for side in around for n in side if n != number)
        self.similar[number] = similarity
        heappush(self._heap, (-self.rank(number), number))

    def _accept(self, number: int) -> list[str]:
        """Move a page into the collection; the URLs that are to be fetched now."""
        graph = self._crawl.graph
        self.accepted[number] = len(self.accepted)
        self.ties.pop(number, None)
        self.similar.pop(number, None)
        self._tie({*graph.into(number)})
        self._tie({*graph.out(number)})
        targets = {n: self._crawl.url(n) for n in reversed(graph.out(number))}
        waiting = [n for n, url in targets.items() if self._crawl.candidate(url)]
        self.open = [*waiting, *self.open]
        return [targets[n] for n in waiting]

    def _tie(self, numbers: Iterable[int]) -> None:
        """One more link between these pages and the collection."""
        for number in numbers:
            if number in self.ties:
                self.ties[number] += 1
                heappush(self._heap, (-self.rank(number), number))

    def _busy(self) -> bool:
        """Whether something around the accepted pages is still to be fetched."""
        while self.open and not self._waits(self.open[-1]):
            self.open.pop()
        return bool(self.open)

    def _best(self) -> int | None:
        """The fetched page of the highest rank, the first of equals."""
        if len(self._heap) < len(self.ties) or len(self._heap) > 4 * len(self.ties) + 100:
            self._heap = [(-self.rank(number), number) for number in self.ties]
            heapify(self._heap)
        while self._heap:
            rank, number = self._heap[0]
            if number in self.ties and -rank == self.rank(number):
                return number
            heappop(self._heap)
        return None

    def _place(self, candidate: Candidate, stuck: bool) -> float:
        if not candidate.links:
            return 1.0
        parents = self._crawl.graph.into(candidate.found)
        if known := [self.accepted[n] for n in parents if n in self.accepted]:
            return -float(min(known))
        best = max((self.rank(n) for n in parents if n in self.ties), default=0.0)
        return LAST + best / (1.0 + best) if stuck else HOLD

    def _waits(self, number: int) -> bool:
        return self._crawl.candidate(self._crawl.url(number)) is not None

    def _promise(self, links: Iterable[Link]) -> float:
        return max(self._crawl.interest.rate(in_context(link)) for link in links)
