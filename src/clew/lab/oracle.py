"""The clairvoyant crawl: how many relevant pages a crawl could have found if it had known the web."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clew.lab.link_graph import LinkGraph, components

REACH = 8  # a walk to a relevant page passes fewer irrelevant ones than this
TAKEN, WAITING = -1, 0

Key = tuple[float, float]
Rank = Callable[[int, int], Key]


@dataclass(frozen=True, slots=True, eq=False)
class Oracle:
    """Two clairvoyant crawls and the envelope of their curves: `found[n - 1]` after n pages.

    >>> web = LinkGraph.of([(0, 1), (0, 2), (2, 3), (3, 4)], 5)
    >>> oracle(web, [False, False, False, True, True], [0], 5).found.tolist()
    [0, 0, 1, 2, 2]
    """

    near: NDArray[np.int64]
    dense: NDArray[np.int64]
    found: NDArray[np.int64]


def oracle(
    graph: LinkGraph, relevant: ArrayLike, starts: ArrayLike, budget: int, *, starts_first: bool = True
) -> Oracle:
    """The better of two greedy crawls that see the whole web, at each number of pages.

    *near* walks to the relevant page that costs the fewest irrelevant ones; *dense* to the one where relevant pages
    make up the most of the walk and of what it opens. Both take every relevant page that waits before walking on.
    The best order is NP-hard to find; this is a lower bound of it, and within a percent on small webs.

    The start pages come first, the relevant ones before the others; without `starts_first` they only wait from the
    beginning. They count like every page: to leave them out, say that they are not relevant.
    """
    wanted = np.asarray(relevant, dtype=bool)
    seeds = np.unique(np.asarray(starts, dtype=np.int64)).tolist()
    if len(wanted) != graph.pages or (seeds and not 0 <= seeds[0] <= seeds[-1] < graph.pages):
        raise ValueError(f"a label for each of the {graph.pages} pages and starts among them are needed")
    atlas = _Atlas(graph, wanted)
    near, dense = (
        np.array(_Walk(atlas, seeds, budget, rank).run(starts_first), dtype=np.int64) for rank in (_near, _dense)
    )
    return Oracle(near, dense, np.maximum(np.cumsum(wanted[near]), np.cumsum(wanted[dense])))


def _near(cost: int, gain: int) -> Key:
    return cost, -gain


def _dense(cost: int, gain: int) -> Key:
    return -gain / (cost + gain), cost


class _Atlas:
    """What does not change during a crawl. Sets of relevant pages are integers with one bit for each page."""

    def __init__(self, graph: LinkGraph, relevant: NDArray[np.bool_]) -> None:
        self.outs = graph.lists()
        self.relevant: list[bool] = relevant.tolist()
        inner, pages = graph.within(relevant)
        self.bit = {page: 1 << place for place, page in enumerate(pages.tolist())}
        self._part = dict(zip(self.bit, components(inner), strict=True))
        self._closure = self._closures()
        self._opens: dict[int, int] = {}

    def _closures(self) -> list[int]:
        """What can be reached from each component of the relevant pages through relevant pages alone."""
        closure = [0] * (max(self._part.values(), default=-1) + 1)
        for page in sorted(self._part, key=self._part.__getitem__):
            part = self._part[page]
            closure[part] |= self.bit[page] | self._beyond(page, closure)
        return closure

    def _beyond(self, page: int, closure: list[int]) -> int:
        opened = 0
        for part in {self._part[target] for target in self.outs[page] if self.relevant[target]}:
            opened |= closure[part]
        return opened

    def opens(self, page: int) -> int:
        """The relevant pages that can be had without another irrelevant one once the page is taken."""
        if (known := self._opens.get(page)) is None:
            known = self._opens[page] = self._beyond(page, self._closure)
        return known


class _Walk:
    """One clairvoyant crawl.

    The way to a page is one number, `cost * pages + door`: the irrelevant pages on the cheapest way and the last of
    them. Ways only ever get cheaper, so a change is followed from page to page and nothing is searched twice.
    Whenever a walk is chosen, the taken relevant pages are closed under relevant links; so what a page opens is
    its closure in the untouched web less what was taken, and its worth only falls: a lazy heap is exact.
    """

    def __init__(self, atlas: _Atlas, starts: list[int], budget: int, rank: Rank) -> None:
        self.atlas, self.starts, self.budget, self.rank = atlas, starts, budget, rank
        self.order: list[int] = []
        self.size = len(atlas.outs)
        self.way = [REACH * self.size] * self.size
        self.left = (1 << len(atlas.bit)) - 1  # the relevant pages not taken yet
        self.opens = [0] * self.size  # by a page and the pages on the way to it
        self.ripe: list[int] = []
        self.idle: list[int] = []
        self.fresh: list[int] = []
        self.walks: list[tuple[Key, int, int]] = []

    def run(self, starts_first: bool) -> list[int]:
        """The pages in the order in which they are taken."""
        self._offer(self.starts)
        if starts_first:
            self._follow(sorted(self.starts, key=lambda page: not self.atlas.relevant[page]))
        while len(self.order) < self.budget and (path := self._next()):
            self._follow(path)
        return self.order

    def _next(self) -> list[int]:
        """A waiting relevant page, or a walk to one, or any page that waits."""
        return self._first(self.ripe) or self._best_walk() or self._first(self.idle)

    def _first(self, waiting: list[int]) -> list[int]:
        while waiting:
            if self.way[page := heappop(waiting)] == WAITING:
                return [page]
        return []

    def _follow(self, path: list[int]) -> None:
        for page in path:
            if self.way[page] != TAKEN and len(self.order) < self.budget:
                self.order.append(page)
                self.way[page] = TAKEN
                self.left &= ~self.atlas.bit.get(page, 0)
                self._offer(self.atlas.outs[page])

    def _offer(self, pages: list[int]) -> None:
        for page in pages:
            if self.way[page] > WAITING:
                self.way[page] = WAITING
                if self.atlas.relevant[page]:
                    heappush(self.ripe, page)
                else:
                    heappush(self.idle, page)
                    self.fresh.append(page)

    def _best_walk(self) -> list[int]:
        """The way to the best target, from the page that waits to the target; of equals the lowest number."""
        self._spread()
        while self.walks:
            key, target, way = heappop(self.walks)
            if self.way[target] == way:
                if (now := self._key(way)) <= key:
                    return self._path(target)
                heappush(self.walks, (now, target, way))
        return []

    def _spread(self) -> None:
        """Follow what the pages that wait since the last walk make cheaper, one depth after the other."""
        level = [page for page in self.fresh if self.way[page] == WAITING]
        self.fresh = []
        for depth in range(1, REACH):
            level = sorted({further for page in level for further in self._pass(page, depth)})

    def _pass(self, page: int, depth: int) -> list[int]:
        """Tell the pages behind a page of its way; the irrelevant ones among them must be passed in turn."""
        step, ways, relevant, further = depth * self.size + page, self.way, self.atlas.relevant, []
        before = self.opens[ways[page] % self.size] if depth > 1 else 0
        self.opens[page] = before | self.atlas.opens(page)
        key = self._key(step)
        for target in self.atlas.outs[page]:
            # The same way again means that it now leads past other pages.
            if step <= ways[target]:
                ways[target] = step
                if relevant[target]:
                    heappush(self.walks, (key, target, step))
                else:
                    further.append(target)
        return further

    def _key(self, way: int) -> Key:
        cost, door = divmod(way, self.size)
        affordable = max(0, self.budget - len(self.order) - cost)
        return self.rank(cost, min((self.opens[door] & self.left).bit_count(), affordable))

    def _path(self, target: int) -> list[int]:
        path = [target]
        while (way := self.way[path[-1]]) != WAITING:
            path.append(way % self.size)
        return path[::-1]
