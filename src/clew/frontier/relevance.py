"""The relevance of visited pages, and what it means for the candidates that they link to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clew.frontier.evidence import Evidence
from clew.frontier.table import QUEUED, VISITED, Table
from clew.parse.links import one_for_each_target
from clew.types import Link, UrlEntry

CHUNK = 2000
"""Candidates whose texts are in memory at the same time."""


@dataclass(slots=True)
class SourceRelevance:
    """The relevance of pages under the guiding interest; labels and other interests change it."""

    table: Table
    evidence: Evidence

    def of(self, url: str) -> float:
        """Of a visited page, here or in another shard; 0 for any other URL."""
        return self.table.relevance_of(url)

    def all(self) -> NDArray[np.float64]:
        """By number: of each visited page, NaN for any other URL."""
        is_visited = np.isin(self.table.of("state"), list(VISITED))
        return np.where(is_visited, self.table.of("relevance"), np.nan)

    def change(self, slot: int, relevance: float, links: Iterable[Link]) -> list[int]:
        """A visited page has another relevance; the candidates that it links to, their evidence brought up to date."""
        self.table.mark(slot)
        self.table.relevance[slot] = relevance
        touched: list[int] = []
        for link in one_for_each_target(links):
            target = self.table.find(link.url)
            if target is not None and self.table.state[target] == QUEUED:
                self._weigh(target, link)
                touched.append(target)
        return touched

    def reweigh(self) -> None:
        """After many pages have changed: the best source of every candidate, among the in-links that are kept."""
        slots = self.table.queued()
        for start in range(0, len(slots), CHUNK):
            part = slots[start : start + CHUNK].tolist()
            for slot, entry in zip(part, self.evidence.get(part, self.table.may_speak), strict=True):
                self.table.mark(slot)
                self.table.relevance[slot] = self._best_source(entry)

    def _weigh(self, slot: int, link: Link) -> None:
        """A link whose source has become more relevant may become evidence."""
        [entry] = self.evidence.get([slot], self.table.may_speak)
        if self.of(link.source) > self._best_source(entry):
            entry = entry._replace(links=(*entry.links, link))
            self.evidence.put(slot, entry)
        self.table.mark(slot)
        self.table.relevance[slot] = self._best_source(entry)

    def _best_source(self, entry: UrlEntry) -> float:
        return max((self.of(link.source) for link in entry.links), default=-1.0)
