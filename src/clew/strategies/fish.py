"""Fish search: relevant pages feed their links, behind the others they starve."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from clew.errors import StrategyError
from clew.parse.links import one_for_each_target
from clew.parse.url import host
from clew.strategies._base import HOLD, Stale, Strategy
from clew.strategies._shared.parents import linking, speaking
from clew.types import Candidate, Link, Page

FEAST: Final = 1.5  # times the width: as many links of a relevant page go to the front
FIRST, MIDDLE, LAST, DEAD = 2.0, 1.0, 0.0, -1.0

Line = tuple[int, bool, int, int]
"""Of a page: when it came, whether it is relevant, the last of its links that is taken within its host, and outside."""


@dataclass
class Fish(Strategy):
    """Follow a direction for `depth` links behind the last relevant page.

    Candidates stand in one list. From a relevant page 1.5 times `width` links go to its front, from another one
    `width` links to its middle, the rest to its end; with `abroad`, links to other hosts are the first to be taken.
    Behind a page at depth 0 that is not relevant, links are dropped, or with dead="tail" kept for when nothing else
    is left. The slow servers of the paper are left out: a strategy knows no times, and politeness sees to them.

    >>> from clew.testing.tiny_web import order
    >>> order("fish(depth=1)", "s .9 -> a; a -> b; b -> c; c -> d")
    ['s', 'a', 'b']

    De Bra and Post, Searching for arbitrary information in the WWW: the fish-search for Mosaic, WWW 1994.
    """

    needs_graph = True

    depth: int = 3
    width: int = 10
    dead: Literal["drop", "tail"] = "drop"
    abroad: bool = False
    left: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # depth that pages give their links
    lines: dict[int, Line] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.depth < 0 or self.width < 1:
            raise StrategyError("fish: depth must be at least 0 and width at least 1")

    def learn(self, page: Page) -> Stale:
        """Note how much the page feeds its links, and which of them come first."""
        number = self._crawl.number(page.url)
        if page.links and number is not None:
            relevance = self._crawl.relevance(page.url)
            relevant = relevance > 0 and relevance >= self._crawl.interest.threshold
            own = max(linking(self._crawl, self.left, number), default=self.depth)
            self.left[number] = self.depth if relevant else max(own - 1, -1)
            self.lines[number] = (page.order, relevant, *self._ends(page, relevant))
        return ()

    def value(self, candidate: Candidate) -> float:
        """The place in the list; start pages are at its very front."""
        if not candidate.links:
            return FIRST + 1
        if self._left(candidate) < 0 and self.dead == "drop":
            return HOLD
        return max([self._place(link) for link in candidate.links])

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The depth that is left, and the part of the list: 2 front, 1 middle, 0 end, -1 behind it."""
        if not candidate.links:
            return {"score": FIRST + 1, "depth": self.depth}
        place = max([self._place(link) for link in candidate.links])
        return {"score": self.value(candidate), "depth": self._left(candidate), "part": place // 1}

    def _left(self, candidate: Candidate) -> int:
        left = max(speaking(self._crawl, self.left, candidate.links), default=self.depth)
        if left < 0 and candidate.n_links > len(candidate.links):
            return max(linking(self._crawl, self.left, candidate.found), default=left)
        return left

    def _place(self, link: Link) -> float:
        """The latest page comes first at the front and in the middle, and last at the end."""
        number = self._crawl.number(link.source)
        if number is None or number not in self.lines:
            return LAST
        order, relevant, near, far = self.lines[number]
        if self.left[number] < 0:
            return DEAD + 1 / (2 + order)
        if link.position <= (near if host(link.url) == host(link.source) else far):
            return (FIRST if relevant else MIDDLE) + 1 - 1 / (2 + order)
        return LAST + 1 / (2 + order)

    def _ends(self, page: Page, relevant: bool) -> tuple[int, int]:
        """The position of the last link that is taken: within the host, and out of it."""
        here = host(page.url)
        links = sorted(one_for_each_target(page.links), key=lambda link: link.position)  # as the frontier takes them
        if self.abroad:
            links.sort(key=lambda link: host(link.url) == here)
        taken = links[: int(FEAST * self.width) if relevant else self.width]
        if not self.abroad:
            return taken[-1].position, taken[-1].position
        near = [link.position for link in taken if host(link.url) == here]
        far = [link.position for link in taken if host(link.url) != here]
        return max(near, default=-1), max(far, default=-1)
