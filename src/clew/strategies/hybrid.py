"""Hybrid crawling: accept pages into a collection by their links with it and by their content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Final

from clew.errors import StrategyError
from clew.strategies._base import ALL, HOLD, Stale, Strategy
from clew.strategies._shared.context import in_context
from clew.types import Candidate, Link, Page

LAST_RESORT: Final = -1e9  # base score of candidates that are offered only because nothing else can be visited


@dataclass
class Hybrid(Strategy):
    """Visits the neighbours of accepted pages, and accepts the visited page with the most links and best content.

    All pages that an accepted page links to are visited. Then the best visited page is accepted: the one with the
    highest (links to accepted pages + links from them) * (`floor` + content similarity). The floor, 0.1 in the
    paper, keeps pages without similar content in play. Similarity is the relevance of the page; with
    `topic_model = "vocabulary"` it is that of the paper, whose k and minOccurence are parameters of the model:
    `"vocabulary(k=2, min_occurrence=2, clusters=5)"`. Start pages are always accepted.

    With `lazy`, a page is visited only when it is accepted: candidates are ranked by the number of pages that link to
    them and by the words in and around these links. That saves the visits to pages that would never be accepted.

    >>> from clew.testing.tiny_web import order
    >>> order("hybrid", "s .9 -> a b; a .1 -> c; b .8 -> d; d .05 -> e")
    ['s', 'a', 'b', 'd', 'c', 'e']

    Jamali, Sayyadi, Hariri and Abolhassani, A method for focused crawling using combination of link structure and
    content similarity, WI 2006.
    """

    needs_graph = True
    added_later = ("floor",)

    lazy: bool = False
    floor: float = 0.1
    accepted: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # page -> ordinal of its acceptance
    ties: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # links of visited with accepted pages
    similar: dict[int, float] = field(default_factory=dict, init=False, repr=False)  # similarity of visited pages
    open: list[int] = field(default_factory=list, init=False, repr=False)  # URLs to visit around accepted pages
    _heap: list[tuple[float, int]] = field(default_factory=list, init=False, repr=False)  # (-rank, page), some outdated

    def __post_init__(self) -> None:
        if self.floor < 0:
            raise StrategyError(f"hybrid: floor cannot be negative, as {self.floor}")

    def learn(self, page: Page) -> Stale:
        """Let the page wait for acceptance; when all neighbours are visited, accept the best page."""
        number = self._crawl.number(page.url)
        if self.lazy or number is None:
            return ()
        stale: list[str] = []
        if page.ok and not page.inlinks:
            stale = self._accept(number)
        elif page.ok:
            self._add_visited(number, self._crawl.relevance(page.url))
        self._prune_open()
        while not self.open and (best := self._best()) is not None:
            stale += self._accept(best)
            self._prune_open()
        # The page was offered as a last resort. All other such candidates must be held back again.
        if page.score <= LAST_RESORT / 2:
            return ALL
        return stale

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Take the label as the page's similarity, as long as it waits for acceptance."""
        number = self._crawl.number(page.url)
        if number in self.similar:
            self.similar[number] = float(relevant)
            self._heap = []
        return ()

    def score(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Rank the neighbours of accepted pages by the order of acceptance; put other candidates on HOLD."""
        if self.lazy:
            return [self._lazy_score(candidate) for candidate in candidates]
        # A redirect or a drop may remove the last open URL. Then no visit leads to an acceptance, and others must go.
        stuck = not any(self._is_waiting(number) for number in reversed(self.open))
        return [self._place(candidate, stuck) for candidate in candidates]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the parts of the rank that are known before a visit."""
        score = self.score([candidate])[0]
        if self.lazy:
            links = float(candidate.n_links)
            return {"score": score, "links from accepted pages": links, "promise": self._promise(candidate.links)}
        parents = self._crawl.graph.into(candidate.found)
        return {"score": score, "links from accepted pages": float(self._count_accepted(parents))}

    def rank(self, number: int) -> float:
        """Return the rank (equation 1) of a visited page that waits for acceptance."""
        return self.ties[number] * (self.floor + self.similar[number])

    def _add_visited(self, number: int, similarity: float) -> None:
        # Sets, because a page that links several times to another is tied to it once.
        sources = {*self._crawl.graph.into(number)} - {number}
        targets = {*self._crawl.graph.out(number)} - {number}
        self.ties[number] = self._count_accepted(sources) + self._count_accepted(targets)
        self.similar[number] = similarity
        heappush(self._heap, (-self.rank(number), number))

    def _count_accepted(self, numbers: Iterable[int]) -> int:
        return sum(number in self.accepted for number in numbers)

    def _accept(self, number: int) -> list[str]:
        """Move a page into the collection; return the URLs that are to be visited now."""
        graph = self._crawl.graph
        self.accepted[number] = len(self.accepted)
        self.ties.pop(number, None)
        self.similar.pop(number, None)
        self._tie({*graph.into(number)})
        self._tie({*graph.out(number)})
        # The URLs that will be visited first go to the end of `open`, from where it is pruned.
        targets = {target: self._crawl.url(target) for target in reversed(graph.out(number))}
        waiting = [target for target, url in targets.items() if self._crawl.candidate(url)]
        self.open = [*waiting, *self.open]
        return [targets[target] for target in waiting]

    def _tie(self, numbers: Iterable[int]) -> None:
        """Count one more link between each of these pages and the collection."""
        for number in numbers:
            if number in self.ties:
                self.ties[number] += 1
                # The old entry stays in the heap: `_best` skips it, because its rank no longer holds.
                heappush(self._heap, (-self.rank(number), number))

    def _prune_open(self) -> None:
        """Drop visited URLs from the end of `open`; it is empty afterwards if none is left to visit."""
        while self.open and not self._is_waiting(self.open[-1]):
            self.open.pop()

    def _best(self) -> int | None:
        """Return the waiting page of the highest rank, the first of equals."""
        # Rebuild the heap when it is incomplete (after a load or a label), or mostly outdated.
        if len(self._heap) < len(self.ties) or len(self._heap) > 4 * len(self.ties) + 100:
            self._heap = [(-self.rank(number), number) for number in self.ties]
            heapify(self._heap)
        while self._heap:
            rank, number = self._heap[0]
            if number in self.ties and -rank == self.rank(number):
                return number
            heappop(self._heap)
        return None

    def _lazy_score(self, candidate: Candidate) -> float:
        if not candidate.links:
            return 1.0
        return candidate.n_links * (self.floor + self._promise(candidate.links))

    def _place(self, candidate: Candidate, stuck: bool) -> float:
        if not candidate.links:
            return 1.0
        parents = self._crawl.graph.into(candidate.found)
        if places := [self.accepted[parent] for parent in parents if parent in self.accepted]:
            return -float(min(places))
        best = max((self.rank(parent) for parent in parents if parent in self.ties), default=0.0)
        return LAST_RESORT + best / (1.0 + best) if stuck else HOLD

    def _is_waiting(self, number: int) -> bool:
        return self._crawl.candidate(self._crawl.url(number)) is not None

    def _promise(self, links: Iterable[Link]) -> float:
        return max(self._crawl.interest.rate(in_context(link)) for link in links)
