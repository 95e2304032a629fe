"""What visited pages are worth, and what follows for the candidates that they speak for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clew.frontier.evidence import Evidence
from clew.frontier.table import DONE, State, Table
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
        """Of a visited page; 0 for any other URL."""
        slot = self.table.find(url)
        return 0.0 if slot is None else self.table.relevance[slot]

    def all(self) -> NDArray[np.float64]:
        """By number: of each visited page, NaN for any other URL."""
        return np.where(np.isin(self.table.column("state"), list(DONE)), self.table.column("relevance"), np.nan)

    def change(self, slot: int, relevance: float, links: Iterable[Link]) -> list[int]:
        """A visited page is worth something else: what its links speak for, with the evidence brought up to date."""
        self.table.relevance[slot] = relevance
        touched = list[int]()
        for link in one_for_each_target(links):
            target = self.table.find(link.url)
            if target is not None and self.table.state[target] == State.QUEUED:
                self._weigh(target, link)
                touched.append(target)
        return touched

    def weigh(self) -> None:
        """After many pages have changed their worth: the best source of every candidate, as far as it is kept."""
        slots = self.table.queued()
        for start in range(0, len(slots), CHUNK):
            part = slots[start : start + CHUNK].tolist()
            for slot, known in zip(part, self.evidence.get(part, self.table.is_done), strict=True):
                self.table.strongest[slot] = self._best_source(known)

    def _weigh(self, slot: int, link: Link) -> None:
        """A link whose source is worth more now may become evidence."""
        [known] = self.evidence.get([slot], self.table.is_done)
        if self.of(link.source) > self._best_source(known):
            known = known._replace(links=(*known.links, link))
            self.evidence.put(slot, known)
        self.table.strongest[slot] = self._best_source(known)

    def _best_source(self, known: UrlEntry) -> float:
        return max((self.of(link.source) for link in known.links), default=-1.0)
