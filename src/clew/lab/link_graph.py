"""The links of a closed web as two arrays, and what can be asked of them without a loop over pages."""

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
    """Pages 0 to n-1; page i links to `targets[offsets[i] : offsets[i + 1]]`, sorted, each once.

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
        """From pairs of source and target, as an iterable or as an array of two columns."""
        pairs = np.asarray(edges if isinstance(edges, np.ndarray) else list(edges), dtype=np.int64).reshape(-1, 2)
        if pairs.size and not 0 <= pairs.min() <= pairs.max() < n:
            raise ValueError(f"links must lie between 0 and {n - 1}")
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
        """The pages that a page links to."""
        return self.targets[self.offsets[page] : self.offsets[page + 1]]

    def lists(self) -> list[list[int]]:
        """The links of every page as plain numbers, for searches that go page by page."""
        targets, ends = self.targets.tolist(), self.offsets.tolist()
        return [targets[start:end] for start, end in pairwise(ends)]

    def sources(self) -> Ids:
        """The page that each entry of `targets` is on."""
        return np.repeat(np.arange(self.pages, dtype=np.int32), np.diff(self.offsets))

    def reverse(self) -> LinkGraph:
        """Every link the other way round.

        >>> LinkGraph.of([(0, 1), (2, 1)], 3).reverse().out(1).tolist()
        [0, 2]
        """
        return LinkGraph.of(np.column_stack((self.targets, self.sources())), self.pages)

    def within(self, chosen: ArrayLike) -> tuple[LinkGraph, NDArray[np.int64]]:
        """The web of the chosen pages alone, numbered anew, and their old numbers.

        >>> inner, old = LinkGraph.of([(0, 1), (1, 3), (3, 1)], 4).within([False, True, False, True])
        >>> inner.lists(), old.tolist()
        ([[1], [0]], [1, 3])
        """
        mask = np.asarray(chosen, dtype=bool)
        new = np.cumsum(mask) - 1
        sources = self.sources()
        kept = mask[sources] & mask[self.targets]
        edges = np.column_stack((new[sources[kept]], new[self.targets[kept]]))
        return LinkGraph.of(edges, int(mask.sum())), np.flatnonzero(mask)

    def only(self, chosen: ArrayLike) -> LinkGraph:
        """The links between chosen pages; the others keep their numbers.

        >>> LinkGraph.of([(0, 1), (1, 2), (2, 1)], 3).only([False, True, True]).lists()
        [[], [2], [1]]
        """
        mask, sources = np.asarray(chosen, dtype=bool), self.sources()
        kept = mask[sources] & mask[self.targets]
        return LinkGraph.of(np.column_stack((sources[kept], self.targets[kept])), self.pages)

    def reach(self, starts: ArrayLike) -> Mask:
        """Which pages can be reached at all."""
        return self.distances(starts) >= 0

    def distances(self, starts: ArrayLike) -> Ids:
        """The fewest links from any start to every page; -1 where there is no way."""
        distance = np.full(self.pages, -1, dtype=np.int32)
        edge, steps = _distinct(starts), 0
        while edge.size:
            distance[edge] = steps
            edge, steps = self._after(edge, distance), steps + 1
        return distance

    def costs(self, starts: ArrayLike, free: ArrayLike) -> Ids:
        """The fewest pages that are not free on a way from a start to each page, both ends counted; -1: no way.

        >>> LinkGraph.of([(0, 1), (1, 2), (2, 3)], 4).costs([0], [False, False, True, False]).tolist()
        [1, 2, 2, 3]
        """
        gratis = np.asarray(free, dtype=bool)
        cost = np.full(self.pages, -1, dtype=np.int32)
        edge, level = _distinct(starts), 0
        while edge.size:
            inner, outer = edge[gratis[edge]], [edge[~gratis[edge]]]
            while inner.size:
                cost[inner] = level
                after = self._after(inner, cost)
                inner = after[gratis[after]]
                outer.append(after[~gratis[after]])
            paid, level = _distinct(np.concatenate(outer)), level + 1
            cost[paid] = level
            edge = self._after(paid, cost)
        return cost

    def _after(self, pages: NDArray[np.int64], seen: Ids) -> NDArray[np.int64]:
        """The pages one link further that were not seen, each once."""
        counts = self.offsets[pages + 1] - self.offsets[pages]
        shifts = np.repeat(self.offsets[pages] - np.cumsum(counts) + counts, counts)
        targets = self.targets[shifts + np.arange(len(shifts))]
        return _distinct(targets[seen[targets] < 0])


def components(graph: LinkGraph) -> list[int]:
    """The strong component of every page, numbered so that links lead to the same number or to lower ones.

    >>> components(LinkGraph.of([(0, 1), (1, 2), (2, 1)], 3))
    [1, 0, 0]

    Tarjan, Depth-first search and linear graph algorithms, 1972.
    """
    label, birth, low = [-1] * graph.pages, [0] * graph.pages, [0] * graph.pages
    rest = [iter(targets) for targets in graph.lists()]
    pending: list[int] = []
    clock = parts = 0
    for root in range(graph.pages):
        trail = [] if birth[root] else [root]
        while trail:
            page = trail[-1]
            if not birth[page]:
                clock += 1
                birth[page] = low[page] = clock
                pending.append(page)
            for target in rest[page]:
                if not birth[target]:
                    trail.append(target)
                    break
                if label[target] < 0:
                    low[page] = min(low[page], low[target])
            else:
                trail.pop()
                if trail:
                    low[trail[-1]] = min(low[trail[-1]], low[page])
                if low[page] == birth[page]:
                    while label[page] < 0:
                        label[pending.pop()] = parts
                    parts += 1
    return label


def _distinct(pages: ArrayLike) -> NDArray[np.int64]:
    return np.unique(np.asarray(pages, dtype=np.int64))
