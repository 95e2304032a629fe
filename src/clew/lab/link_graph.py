"""The links of a closed web as two arrays, with graph algorithms that work on whole arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ids = NDArray[np.int32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class LinkGraph:
    """Links between pages 0 to n-1: page i links to `targets[offsets[i] : offsets[i + 1]]`, sorted, each once.

    >>> web = LinkGraph.of([(0, 2), (0, 1), (2, 0), (0, 1)], 4)
    >>> web.pages, web.links, web.out(0).tolist()
    (4, 3, [1, 2])
    >>> web.distances([2]).tolist()
    [1, 2, 0, -1]
    """

    offsets: NDArray[np.int64]
    targets: Ids

    @classmethod
    def of(cls, edges: Iterable[tuple[int, int]] | NDArray[np.integer], n: int) -> Self:
        """A graph from pairs of source and target, as an iterable or as an array of two columns."""
        pairs = np.asarray(edges if isinstance(edges, np.ndarray) else list(edges), dtype=np.int64).reshape(-1, 2)
        if pairs.size and not 0 <= pairs.min() <= pairs.max() < n:
            raise ValueError(f"links must lie between 0 and {n - 1}")
        # One number for each pair: `unique` then sorts and removes duplicates in a single pass.
        sources, targets = np.divmod(np.unique(pairs[:, 0] * n + pairs[:, 1]), max(n, 1))
        return cls(np.searchsorted(sources, np.arange(n + 1)), targets.astype(np.int32))

    @property
    def pages(self) -> int:
        """The number of pages."""
        return len(self.offsets) - 1

    @property
    def links(self) -> int:
        """The number of links."""
        return len(self.targets)

    def out(self, page: int) -> Ids:
        """The pages to which a page links."""
        return self.targets[self.offsets[page] : self.offsets[page + 1]]

    def lists(self) -> list[list[int]]:
        """The links of every page as plain integers."""
        # Algorithms that go page by page are several times faster on lists than on arrays.
        targets = self.targets.tolist()
        return [targets[start:end] for start, end in pairwise(self.offsets.tolist())]

    def sources(self) -> Ids:
        """The source page of each entry of `targets`."""
        return np.repeat(np.arange(self.pages, dtype=np.int32), np.diff(self.offsets))

    def reverse(self) -> LinkGraph:
        """The graph with every link reversed.

        >>> LinkGraph.of([(0, 1), (2, 1)], 3).reverse().out(1).tolist()
        [0, 2]
        """
        return LinkGraph.of(np.column_stack((self.targets, self.sources())), self.pages)

    def within(self, chosen: ArrayLike) -> tuple[LinkGraph, NDArray[np.int64]]:
        """The subgraph of the chosen pages with new page numbers, and the old number of each page.

        >>> inner, old = LinkGraph.of([(0, 1), (1, 3), (3, 1)], 4).within([False, True, False, True])
        >>> inner.lists(), old.tolist()
        ([[1], [0]], [1, 3])
        """
        mask = np.asarray(chosen, dtype=bool)
        new = np.cumsum(mask) - 1
        sources = self.sources()
        inside = mask[sources] & mask[self.targets]
        edges = np.column_stack((new[sources[inside]], new[self.targets[inside]]))
        return LinkGraph.of(edges, int(mask.sum())), np.flatnonzero(mask)

    def only(self, chosen: ArrayLike) -> LinkGraph:
        """The graph with only the links between chosen pages; all pages keep their numbers.

        >>> LinkGraph.of([(0, 1), (1, 2), (2, 1)], 3).only([False, True, True]).lists()
        [[], [2], [1]]
        """
        mask = np.asarray(chosen, dtype=bool)
        sources = self.sources()
        inside = mask[sources] & mask[self.targets]
        return LinkGraph.of(np.column_stack((sources[inside], self.targets[inside])), self.pages)

    def reach(self, starts: ArrayLike) -> Mask:
        """Which pages can be reached from the start pages."""
        return self.distances(starts) >= 0

    def distances(self, starts: ArrayLike) -> Ids:
        """The smallest number of links from any start page to each page; -1 if there is no path."""
        distance = np.full(self.pages, -1, dtype=np.int32)
        level = _distinct(starts)
        steps = 0
        while level.size:
            distance[level] = steps
            level = self._after(level, distance)
            steps += 1
        return distance

    def costs(self, starts: ArrayLike, free: ArrayLike) -> Ids:
        """The smallest number of pages that are not free on a path from a start page, both ends counted; -1: no path.

        >>> LinkGraph.of([(0, 1), (1, 2), (2, 3)], 4).costs([0], [False, False, True, False]).tolist()
        [1, 2, 2, 3]
        """
        is_free = np.asarray(free, dtype=bool)
        cost = np.full(self.pages, -1, dtype=np.int32)
        level = _distinct(starts)
        paid = 0
        while level.size:
            reached = level[is_free[level]]
            paying = [level[~is_free[level]]]
            # Free pages are followed to the end first: everything behind them costs no more than they do.
            while reached.size:
                cost[reached] = paid
                after = self._after(reached, cost)
                reached = after[is_free[after]]
                paying.append(after[~is_free[after]])
            pages = _distinct(np.concatenate(paying))
            paid += 1
            cost[pages] = paid
            level = self._after(pages, cost)
        return cost

    def _after(self, pages: NDArray[np.int64], seen: Ids) -> NDArray[np.int64]:
        """The pages one link further that were not seen yet, each once."""
        # The positions of all links of these pages in `targets`, without a loop over pages.
        counts = self.offsets[pages + 1] - self.offsets[pages]
        shifts = np.repeat(self.offsets[pages] - np.cumsum(counts) + counts, counts)
        targets = self.targets[shifts + np.arange(len(shifts))]
        return _distinct(targets[seen[targets] < 0])


def components(graph: LinkGraph) -> list[int]:
    """The strongly connected component of every page, numbered so that links lead to the same or a lower number.

    >>> components(LinkGraph.of([(0, 1), (1, 2), (2, 1)], 3))
    [1, 0, 0]

    Tarjan, Depth-first search and linear graph algorithms, 1972.
    """
    component = [-1] * graph.pages
    birth = [0] * graph.pages  # when a page was first visited; 0: not yet
    low = [0] * graph.pages  # the earliest birth that can be reached from a page
    links = [iter(targets) for targets in graph.lists()]
    pending: list[int] = []
    clock = 0
    count = 0
    for root in range(graph.pages):
        # A trail of pages instead of recursion: paths in a web are longer than Python's stack.
        trail = [] if birth[root] else [root]
        while trail:
            page = trail[-1]
            if not birth[page]:
                clock += 1
                birth[page] = low[page] = clock
                pending.append(page)
            for target in links[page]:
                if not birth[target]:
                    trail.append(target)
                    break
                if component[target] < 0:
                    low[page] = min(low[page], low[target])
            else:
                trail.pop()
                if trail:
                    low[trail[-1]] = min(low[trail[-1]], low[page])
                # Nothing older can be reached from here: the pages that are pending since then are one component.
                if low[page] == birth[page]:
                    while component[page] < 0:
                        component[pending.pop()] = count
                    count += 1
    return component


def _distinct(pages: ArrayLike) -> NDArray[np.int64]:
    return np.unique(np.asarray(pages, dtype=np.int64))
