"""Walkers: agents that go from page to page in memory, and wait at the first URL that was not visited yet."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, TypedDict

from clew.strategies._base import HOLD, Stale, Strategy
from clew.types import Candidate, Page

NOWHERE: Final = -1
MAX_WAIT_VISITS: Final = 100
"""Visits after which a walker gives up waiting: its URL may be a redirect loop, which never becomes a page."""


class Wish(TypedDict):
    """A link that a walker wants to follow, identified by its place: a redirect changes where it leads."""

    place: int  # among the out-links of the page where the walker stands
    url: int
    serial: int
    since: int  # number of visits when it was made


@dataclass
class Walker(Strategy):
    """The base of strategies with walkers: wishes are served in the order in which they were made.

    All other candidates are held back. Pages are identified by number, so that a walk over visited pages loads nothing.
    """

    needs_graph = True
    waits = "never"  # the order of wishes is that of the walkers' steps, not one of worth

    relevances: dict[int, float] = field(default_factory=dict, init=False, repr=False)  # of visited and failed pages
    starts: list[int] = field(default_factory=list, init=False, repr=False)
    grounds: list[tuple[float, int]] = field(default_factory=list, init=False, repr=False)  # a heap, the best first
    serial: int = field(default=0, init=False, repr=False)

    def wishes(self) -> Iterable[Wish]:
        """The links that the walkers wait for."""
        raise TypeError(f"{type(self).__name__} must define wishes()")

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Use the label of the user as the relevance of the page."""
        number = self._crawl.number(page.url)
        if number in self.relevances:
            self.relevances[number] = float(relevant)
        return ()

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """Wishes by age; if no wish can be served, all others by the relevance of their best parent, minus 1."""
        wishes: dict[int, int] = {}
        for wish in self.wishes():
            wishes[wish["url"]] = min(wish["serial"], wishes.get(wish["url"], wish["serial"]))
        rest = None if self._hopeful(wishes) else -1.0
        return [self._score(candidate, wishes, rest) for candidate in candidates]

    def _score(self, candidate: Candidate, wishes: dict[int, int], rest: float | None) -> float:
        if candidate.found in wishes:
            return 1 / (1 + wishes[candidate.found])
        # A start page: without it no walker can begin.
        if not candidate.links:
            return 1.0
        if rest is None:
            return HOLD
        return rest + max(self._crawl.relevance(link.source) for link in candidate.links)

    def _hopeful(self, wishes: Iterable[int]) -> bool:
        """Whether any wish can still become a page."""
        numbers = list(wishes)
        if any(self._is_queued(number) for number in numbers):
            return True
        # NaN means not visited yet: such a page may be in flight.
        return bool(numbers) and any(math.isnan(relevance) for relevance in self._crawl.relevances()[numbers].tolist())

    def _note(self, page: Page) -> int | None:
        """Remember a visit; returns the number of the page if it has links to follow."""
        number = self._crawl.number(page.url)
        if number is None:
            return None
        self.relevances[number] = self._crawl.relevance(page.url)
        if not page.ok or not page.links:
            return None
        heapq.heappush(self.grounds, (-self.relevances[number], -number))
        if page.depth == 0:
            self.starts.append(number)
        return number

    def _wish(self, place: int, url: int) -> Wish:
        self.serial += 1
        return Wish(place=place, url=url, serial=self.serial, since=self._crawl.visited)

    def _arrived(self, at: int, wish: Wish) -> int | None:
        """Where a walker arrives: at a visited page, `NOWHERE`, or None while it has to wait."""
        url = self._crawl.graph.out(at)[wish["place"]]
        if url in self.relevances:
            return url
        if url != wish["url"]:
            wish["url"] = url
            return None if self._waits(url) else NOWHERE
        return None if self._crawl.visited - wish["since"] <= MAX_WAIT_VISITS else NOWHERE

    def _waits(self, number: int) -> bool:
        """Whether a URL can still become a page: it is wished for, queued, or a start page, which may be in flight."""
        wished = any(wish["url"] == number for wish in self.wishes())
        return wished or self._is_queued(number) or self._crawl.url(number) in self._crawl.seeds

    def _is_queued(self, number: int) -> bool:
        return self._crawl.candidate(self._crawl.url(number)) is not None

    def _ground(self) -> tuple[int, list[int]]:
        """The best page with links to unvisited URLs, of equals the youngest, and the places of those links on it."""
        while self.grounds:
            number = -self.grounds[0][1]
            out = self._crawl.graph.out(number)
            places = [place for place, url in enumerate(out) if url not in self.relevances and self._waits(url)]
            if places:
                return number, places
            heapq.heappop(self.grounds)
        return NOWHERE, []


def drawn(weights: Sequence[float], chance: float) -> int:
    """A place drawn in proportion to the weights; `chance` is uniform in (0, 1).

    >>> [drawn([0.2, 0.2, 0.6], chance) for chance in (0.1, 0.3, 0.5)]
    [0, 1, 2]
    """
    sums = list(accumulate(weights))
    wanted = chance * sums[-1]
    # Rounding may leave the last sum just below what is wanted.
    return next((place for place, total in enumerate(sums) if total > wanted), len(sums) - 1)
