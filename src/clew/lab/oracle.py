"""The oracle: how many relevant pages a crawl could find if it knew the whole web in advance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clew.lab.link_graph import LinkGraph, components

MAX_WALK = 8  # a walk to a relevant page passes fewer irrelevant pages than this
VISITED = -1
WAITING = 0

Key = tuple[float, float]
Rank = Callable[[int, int], Key]


@dataclass(frozen=True, slots=True, eq=False)
class Oracle:
    """The page orders of two clairvoyant crawls, and the better of their curves: `found[n - 1]` after n pages.

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

    *near* walks to the relevant page that costs the fewest irrelevant pages, *dense* to the one for which the share of
    relevant pages is largest, among the pages of the walk and those that it opens. Both visit every relevant page that
    is waiting before they start another walk. The best order is NP-hard to find; this is a lower bound, and within one
    percent of the best on small webs.

    The start pages come first, relevant ones before the others; without `starts_first` they are only waiting from the
    beginning. They count like all pages: to leave them out, pass them as not relevant.
    """
    wanted = np.asarray(relevant, dtype=bool)
    seeds = np.unique(np.asarray(starts, dtype=np.int64)).tolist()
    if len(wanted) != graph.pages or (seeds and not 0 <= seeds[0] <= seeds[-1] < graph.pages):
        raise ValueError(
            f"`relevant` needs a label for each of the {graph.pages} pages, and `starts` must be among them"
        )
    atlas = _Atlas(graph, wanted)
    near = np.array(_Walk(atlas, seeds, budget, _near).run(starts_first), dtype=np.int64)
    dense = np.array(_Walk(atlas, seeds, budget, _dense).run(starts_first), dtype=np.int64)
    return Oracle(near, dense, np.maximum(np.cumsum(wanted[near]), np.cumsum(wanted[dense])))


def _near(cost: int, gain: int) -> Key:
    return cost, -gain


def _dense(cost: int, gain: int) -> Key:
    return -gain / (cost + gain), cost


class _Atlas:
    """What does not change during a crawl; sets of relevant pages are integers with one bit for each page."""

    def __init__(self, graph: LinkGraph, relevant: NDArray[np.bool_]) -> None:
        self.outs = graph.lists()
        self.relevant: list[bool] = relevant.tolist()
        inner, pages = graph.within(relevant)
        self.bit = {page: 1 << index for index, page in enumerate(pages.tolist())}
        self._component = dict(zip(self.bit, components(inner), strict=True))
        self._closure = self._closures()
        self._opens: dict[int, int] = {}

    def _closures(self) -> list[int]:
        """What can be reached from each component of the relevant pages through relevant pages alone."""
        closure = [0] * (max(self._component.values(), default=-1) + 1)
        # Links lead to the same or a lower component, so the closure of any other component is complete when used.
        for page in sorted(self._component, key=self._component.__getitem__):
            closure[self._component[page]] |= self.bit[page] | self._beyond(page, closure)
        return closure

    def _beyond(self, page: int, closure: list[int]) -> int:
        opened = 0
        for component in {self._component[target] for target in self.outs[page] if self.relevant[target]}:
            opened |= closure[component]
        return opened

    def opens(self, page: int) -> int:
        """The relevant pages that can be reached without another irrelevant page once this page is visited."""
        opened = self._opens.get(page)
        if opened is None:
            opened = self._opens[page] = self._beyond(page, self._closure)
        return opened


class _Walk:
    """One clairvoyant crawl.

    The way to a page is one number, `cost * pages + door`: the number of irrelevant pages on the cheapest path, and
    the last of them. Ways only ever get cheaper, so a change is followed from page to page and nothing is searched
    twice. Whenever a walk is chosen, all relevant pages behind the visited ones have been visited too; so what a page
    opens is its closure in the whole web minus the visited pages. This value only falls, so a lazy heap is exact.
    """

    def __init__(self, atlas: _Atlas, starts: list[int], budget: int, rank: Rank) -> None:
        self.atlas = atlas
        self.starts = starts
        self.budget = budget
        self.rank = rank
        self.order: list[int] = []  # the pages visited so far
        self.size = len(atlas.outs)
        self.way = [MAX_WALK * self.size] * self.size
        self.left = (1 << len(atlas.bit)) - 1  # the relevant pages that were not visited yet
        self.opens = [0] * self.size  # by a page and the pages on the way to it
        self.waiting_relevant: list[int] = []
        self.waiting_others: list[int] = []
        self.fresh: list[int] = []  # irrelevant pages that have been waiting only since the last walk
        self.walks: list[tuple[Key, int, int]] = []  # key, target, way

    def run(self, starts_first: bool) -> list[int]:
        """The pages in the order of the visits."""
        self._offer(self.starts)
        if starts_first:
            self._follow(sorted(self.starts, key=lambda page: not self.atlas.relevant[page]))
        while len(self.order) < self.budget and (path := self._next()):
            self._follow(path)
        return self.order

    def _next(self) -> list[int]:
        """A relevant page that is waiting, or a walk to one, or any page that is waiting."""
        return self._first(self.waiting_relevant) or self._best_walk() or self._first(self.waiting_others)

    def _first(self, waiting: list[int]) -> list[int]:
        while waiting:
            page = heappop(waiting)
            # A walk may have visited the page while it was in the heap.
            if self.way[page] == WAITING:
                return [page]
        return []

    def _follow(self, path: list[int]) -> None:
        for page in path:
            if self.way[page] != VISITED and len(self.order) < self.budget:
                self.order.append(page)
                self.way[page] = VISITED
                self.left &= ~self.atlas.bit.get(page, 0)
                self._offer(self.atlas.outs[page])

    def _offer(self, pages: list[int]) -> None:
        for page in pages:
            if self.way[page] > WAITING:
                self.way[page] = WAITING
                if self.atlas.relevant[page]:
                    heappush(self.waiting_relevant, page)
                else:
                    heappush(self.waiting_others, page)
                    self.fresh.append(page)

    def _best_walk(self) -> list[int]:
        """The path from a waiting page to the best target; among equals the lowest page number wins."""
        self._spread()
        while self.walks:
            key, target, way = heappop(self.walks)
            # A cheaper way to the target was found since; it has an entry of its own.
            if self.way[target] != way:
                continue
            current = self._key(way)
            if current <= key:
                return self._path(target)
            # The walk has become less attractive; it goes back with its current key.
            heappush(self.walks, (current, target, way))
        return []

    def _spread(self) -> None:
        """Update the ways that the fresh pages make cheaper, one depth after the other."""
        level = [page for page in self.fresh if self.way[page] == WAITING]
        self.fresh = []
        for depth in range(1, MAX_WALK):
            further: set[int] = set()
            for page in level:
                further.update(self._pass(page, depth))
            level = sorted(further)

    def _pass(self, page: int, depth: int) -> list[int]:
        """Update the ways of the pages behind a page; return the irrelevant ones, which are passed next."""
        step = depth * self.size + page
        ways = self.way
        relevant = self.atlas.relevant
        further = []
        before = self.opens[ways[page] % self.size] if depth > 1 else 0
        self.opens[page] = before | self.atlas.opens(page)
        key = self._key(step)
        for target in self.atlas.outs[page]:
            # An equal step is the same way again, which now leads past other pages.
            if step <= ways[target]:
                ways[target] = step
                if relevant[target]:
                    heappush(self.walks, (key, target, step))
                else:
                    further.append(target)
        return further

    def _key(self, way: int) -> Key:
        cost, door = divmod(way, self.size)
        # Pages beyond the budget are no gain: near the end a short walk to few pages is best.
        affordable = max(0, self.budget - len(self.order) - cost)
        return self.rank(cost, min((self.opens[door] & self.left).bit_count(), affordable))

    def _path(self, target: int) -> list[int]:
        path = [target]
        while self.way[path[-1]] != WAITING:
            path.append(self.way[path[-1]] % self.size)
        return path[::-1]
