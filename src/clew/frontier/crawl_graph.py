"""The links between visited pages and everything they name, by number: kept for strategies that ask for it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


@dataclass(slots=True)
class CrawlGraph:
    """Twelve bytes a link; a number is the order of discovery.

    >>> graph = CrawlGraph()
    >>> graph.add(0, [1, 2])
    >>> graph.add(2, [1])
    >>> graph.out(0), graph.into(1)
    ([1, 2], [0, 2])
    """

    sources: array[int] = field(default_factory=lambda: array("i"))
    targets: array[int] = field(default_factory=lambda: array("i"))
    earlier: array[int] = field(default_factory=lambda: array("i"))  # the link before, to the same target
    latest: dict[int, int] = field(default_factory=dict)  # target -> its last link
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)  # source -> its links, which lie together
    moved: dict[int, int] = field(default_factory=dict)  # redirect -> where it leads
    origins: dict[int, list[int]] = field(default_factory=dict)  # the same backwards

    def add(self, source: int, targets: Iterable[int]) -> None:
        """The links of a page, each target once."""
        first = len(self.targets)
        for target in targets:
            self.earlier.append(self.latest.get(target, -1))
            self.latest[target] = len(self.targets)
            self.sources.append(source)
            self.targets.append(target)
        self.spans[source] = (first, len(self.targets))

    def move(self, redirect: int, target: int) -> None:
        """Links to a redirect count as links to where it leads."""
        if redirect not in self.moved and self._end_of(target) != redirect:
            self.moved[redirect] = target
            self.origins.setdefault(target, []).append(redirect)

    def out(self, source: int) -> list[int]:
        """What a page links to, in the order of the page."""
        first, last = self.spans.get(source, (0, 0))
        return [self._end_of(target) for target in self.targets[first:last]]

    def into(self, target: int) -> list[int]:
        """The visited pages that link to a target, in the order of their visits."""
        found: list[int] = []
        link = self.latest.get(target, -1)
        while link >= 0:
            found.append(self.sources[link])
            link = self.earlier[link]
        found.reverse()
        for redirect in self.origins.get(target, ()):
            found += self.into(redirect)
        return found

    def edges(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Sources and targets of all links, in the order of the visits."""
        sources = np.array(self.sources, np.int32)
        targets = np.array(self.targets, np.int32)
        for redirect in self.moved:
            targets[targets == redirect] = self._end_of(redirect)
        return sources, targets

    def save(self) -> dict[str, bytes]:
        """The links and the redirects; the rest follows from them."""
        moved = array("i")
        for pair in self.moved.items():
            moved.extend(pair)
        return {"sources": self.sources.tobytes(), "targets": self.targets.tobytes(), "moved": moved.tobytes()}

    @classmethod
    def load(cls, data: dict[str, bytes]) -> CrawlGraph:
        """The graph that was saved."""
        graph = cls()
        saved = {name: array("i", data[name]) for name in ("sources", "targets", "moved")}
        # The links of one page lie together: a new page begins where the source changes.
        starts = np.flatnonzero(np.diff(saved["sources"], prepend=-1, append=-1)).tolist()
        for first, last in pairwise(starts):
            graph.add(saved["sources"][first], saved["targets"][first:last])
        for redirect, target in zip(saved["moved"][::2], saved["moved"][1::2], strict=True):
            graph.move(redirect, target)
        return graph

    def _end_of(self, target: int) -> int:
        """Where a chain of redirects leads."""
        while target in self.moved:
            target = self.moved[target]
        return target
