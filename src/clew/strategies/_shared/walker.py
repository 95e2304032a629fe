"""Walkers: they go from page to page in memory, and wait at the first URL that was not visited yet."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, TypedDict

from clew.strategies._base import HOLD, Stale, Strategy
from clew.types import Candidate, Page

NOWHERE: Final = -1
MAX_WAIT_VISITS: Final = 100
"""Visits of others for which a walker waits; its URL may be a redirect in a circle, which never becomes a page."""


class Wish(TypedDict):
    """A link that a walker wants to follow: by its place on the page, as redirects change where it leads."""

    place: int  # among the out-links of the page where the walker stands
    url: int
    serial: int
    since: int  # visits when it was made


@dataclass
class Walker(Strategy):
    """What walkers have in common: wishes are served in the order in which they were made, all else is held back.

    Numbers instead of URLs, so that a walk over visited pages reads nothing.
    """

    needs_graph = True

    relevances: dict[int, float] = field(
        default_factory=dict, init=False, repr=False
    )  # of visited pages, failed ones too
    starts: list[int] = field(default_factory=list, init=False, repr=False)
    grounds: list[tuple[float, int]] = field(default_factory=list, init=False, repr=False)  # a heap, the best first
    serial: int = field(default=0, init=False, repr=False)

    def wishes(self) -> Iterable[Wish]:
        """All that the walkers wait for."""
        raise TypeError(f"{type(self).__name__} must define wishes()")

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """What the user says counts from now on."""
        number = self._crawl.number(page.url)
        if number in self.relevances:
            self.relevances[number] = float(relevant)
        return ()

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        """A wish by its age; if nobody waits for anything, the relevance of the best parent less 1."""
        wishes: dict[int, int] = {}
        for wish in self.wishes():
            wishes[wish["url"]] = min(wish["serial"], wishes.get(wish["url"], wish["serial"]))
        rest = None if self._hopeful(wishes) else -1.0
        return [self._score(candidate, wishes, rest) for candidate in candidates]

    def _score(self, candidate: Candidate, wishes: dict[int, int], rest: float | None) -> float:
        if candidate.found in wishes:
            return 1 / (1 + wishes[candidate.found])
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
        return bool(numbers) and any(relevance != relevance for relevance in self._crawl.relevances()[numbers].tolist())

    def _note(self, page: Page) -> int | None:
        """Remember a visit; its number if there is something on the page to walk on."""
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
        """Where a walker comes to: a visited page, None while there is something to wait for, or nowhere."""
        url = self._crawl.graph.out(at)[wish["place"]]
        if url in self.relevances:
            return url
        if url != wish["url"]:
            wish["url"] = url
            return None if self._waits(url) else NOWHERE
        return None if self._crawl.visited - wish["since"] <= MAX_WAIT_VISITS else NOWHERE

    def _waits(self, number: int) -> bool:
        """Whether it may be wished for. What is in flight is no candidate, but was wished for, or is a start page."""
        wished = any(wish["url"] == number for wish in self.wishes())
        return wished or self._is_queued(number) or self._crawl.url(number) in self._crawl.seeds

    def _is_queued(self, number: int) -> bool:
        return self._crawl.candidate(self._crawl.url(number)) is not None

    def _ground(self) -> tuple[int, list[int]]:
        """The best page that has links to unvisited URLs, the younger of equals, with the places of those links."""
        while self.grounds:
            number = -self.grounds[0][1]
            out = self._crawl.graph.out(number)
            if places := [place for place, url in enumerate(out) if url not in self.relevances and self._waits(url)]:
                return number, places
            heapq.heappop(self.grounds)
        return NOWHERE, []


def drawn(weights: Sequence[float], chance: float) -> int:
    """The place that chance picks, in proportion to the weights.

    >>> [drawn([0.2, 0.2, 0.6], chance) for chance in (0.1, 0.3, 0.5)]
    [0, 1, 2]
    """
    sums = list(accumulate(weights))
    wanted = chance * sums[-1]
    return next((place for place, total in enumerate(sums) if total > wanted), len(sums) - 1)
