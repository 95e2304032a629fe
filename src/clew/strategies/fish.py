"""Fish search: links of relevant pages get food to go on, links of other pages starve after a few steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from clew.errors import StrategyError
from clew.parse.links import one_for_each_target
from clew.parse.url import host
from clew.strategies._base import HOLD, Stale, Strategy
from clew.strategies._shared.parents import linking, speaking
from clew.types import Candidate, Link, Page

RELEVANT_WIDTH_FACTOR: Final = 1.5  # a relevant page sends so many times `width` links to the front of the list

# The parts of the list. Within a part, scores differ by less than 1.
FRONT: Final = 2.0
MIDDLE: Final = 1.0
END: Final = 0.0
DEAD: Final = -1.0  # behind the end, only with dead="tail"

Line = tuple[int, bool, int, int]
"""A page's entry: visit order, relevant or not, and the positions of the last links taken within and outside its host.

Links after these positions go to the end of the list.
"""


@dataclass
class Fish(Strategy):
    """Follows links up to `depth` steps beyond the last relevant page, and no further.

    Candidates form one list. A relevant page puts 1.5 times `width` links at its front, another page puts `width`
    links in its middle; the remaining links go to its end. With `abroad`, links to other hosts are taken before links
    within the host.

    Every link has a depth. Links of a relevant page get `depth`, links of another page one less than the page itself.
    Once the depth falls below 0, links are dropped; with dead="tail" they are kept for when nothing else is left.

    Links to slow servers are penalised: where an answer takes more than `slow` seconds on average, links go one part of
    the list further back, from the front to the middle and from there to the end. 0 penalises nothing.

    >>> from clew.testing.tiny_web import order
    >>> order("fish(depth=1)", "s .9 -> a; a -> b; b -> c; c -> d")
    ['s', 'a', 'b']

    De Bra and Post, Searching for arbitrary information in the WWW: the fish-search for Mosaic, WWW 1994.
    """

    needs_graph = True
    added_later = ("slow", "answers")

    depth: int = 3
    width: int = 10
    dead: Literal["drop", "tail"] = "drop"
    abroad: bool = False
    slow: float = 0.0
    left: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # depth that a page gives its links
    lines: dict[int, Line] = field(default_factory=dict, init=False, repr=False)  # by page
    answers: dict[str, list[float]] = field(default_factory=dict, init=False, repr=False)  # by host: number, seconds

    def __post_init__(self) -> None:
        if self.depth < 0 or self.width < 1:
            raise StrategyError("fish: depth must be at least 0 and width at least 1")
        if self.slow < 0:
            raise StrategyError(f"fish: slow is a number of seconds, 0 or more, not {self.slow}")

    def learn(self, page: Page) -> Stale:
        """Record the depth that the page gives its links, and which of them go to the front or the middle."""
        number = self._crawl.number(page.url)
        if page.links and number is not None:
            relevance = self._crawl.relevance(page.url)
            relevant = relevance > 0 and relevance >= self._crawl.interest.threshold
            own_depth = max(linking(self._crawl, self.left, number), default=self.depth)
            self.left[number] = self.depth if relevant else max(own_depth - 1, -1)
            self.lines[number] = (page.order, relevant, *self._last_taken(page, relevant))
        return self._time(page) if self.slow else ()

    def _time(self, page: Page) -> Stale:
        """Record how long the answer took; the links of a host that is slow from now on, or no longer, are stale."""
        name = host(page.url)
        before = self._is_slow(name)
        number, seconds = self.answers.get(name, (0.0, 0.0))
        self.answers[name] = [number + 1, seconds + page.seconds]
        if self._is_slow(name) == before:
            return ()
        return [candidate.url for candidate in self._crawl.candidates() if host(candidate.url) == name]

    def _is_slow(self, name: str) -> bool:
        number, seconds = self.answers.get(name, (1.0, 0.0))
        return bool(self.slow) and seconds / number > self.slow

    def value(self, candidate: Candidate) -> float:
        """Return the candidate's place in the list; start pages come before everything else."""
        if not candidate.links:
            return FRONT + 1
        if self._depth_left(candidate) < 0 and self.dead == "drop":
            return HOLD
        place = self._best_place(candidate.links)
        # One part further back, but not behind the end, where links are whose depth is used up.
        return place - 1 if place >= MIDDLE and self._is_slow(host(candidate.url)) else place

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the depth that is left, and the part of the list: 2 front, 1 middle, 0 end, -1 behind it."""
        if not candidate.links:
            return {"score": FRONT + 1, "depth": self.depth}
        part = self._best_place(candidate.links) // 1
        return {"score": self.value(candidate), "depth": self._depth_left(candidate), "part": part}

    def _depth_left(self, candidate: Candidate) -> int:
        left = max(speaking(self._crawl, self.left, candidate.links), default=self.depth)
        # The evidence omits most in-links. Before a link is given up, all pages that link to it are asked: that costs
        # more, and is rarely needed.
        if left < 0 and candidate.n_links > len(candidate.links):
            return max(linking(self._crawl, self.left, candidate.found), default=left)
        return left

    def _best_place(self, links: Sequence[Link]) -> float:
        return max([self._place(link) for link in links])

    def _place(self, link: Link) -> float:
        number = self._crawl.number(link.source)
        if number is None or number not in self.lines:
            return END
        order, relevant, last_within, last_outside = self.lines[number]
        if self.left[number] < 0:
            return DEAD + 1 / (2 + order)
        last_taken = last_within if host(link.url) == host(link.source) else last_outside
        # Links are inserted at the front and in the middle, before those of earlier pages, and appended at the end.
        if link.position <= last_taken:
            return (FRONT if relevant else MIDDLE) + 1 - 1 / (2 + order)
        return END + 1 / (2 + order)

    def _last_taken(self, page: Page, relevant: bool) -> tuple[int, int]:
        """Return the positions of the last links taken: within the page's host, and outside it."""
        here = host(page.url)
        # One link for each target, in page order: the same links that the frontier takes.
        links = sorted(one_for_each_target(page.links), key=lambda link: link.position)
        if self.abroad:
            links.sort(key=lambda link: host(link.url) == here)
        count = int(RELEVANT_WIDTH_FACTOR * self.width) if relevant else self.width
        taken = links[:count]
        if not self.abroad:
            return taken[-1].position, taken[-1].position
        within = [link.position for link in taken if host(link.url) == here]
        outside = [link.position for link in taken if host(link.url) != here]
        return max(within, default=-1), max(outside, default=-1)
