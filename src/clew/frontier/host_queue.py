"""The candidates of one host in the order of their scores."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from heapq import heappop, heappush, nsmallest
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from clew.frontier.table import State, Table

Entry = tuple[float, int]  # (-score, slot): the smallest is the best, and the oldest among equals


@dataclass(slots=True)
class HostQueue:
    """The candidates of one host: a sorted run for the many, a small heap for the latest.

    Nothing is ever deleted from inside: an entry counts only while its slot is queued with that very score.
    """

    run: array[int] = field(default_factory=lambda: array("q"))  # best last
    run_scores: array[float] = field(default_factory=lambda: array("d"))
    fresh: list[Entry] = field(default_factory=list)
    busy: int = 0
    left: float = math.inf  # visits that its budget allows, those in the air included
    ready_at: float = -math.inf
    place: str = ""  # where it is parked, with others that share the place
    via: str = ""  # the place that has just let it in

    def push(self, entry: Entry, table: Table) -> None:
        """Add a candidate, or one whose score has changed."""
        heappush(self.fresh, entry)
        if len(self.fresh) > 64 + len(self.run):
            self.merge(table)

    def peek(self, table: Table) -> Entry | None:
        """The best entry that still counts."""
        state, score = table.state, table.score
        while self.fresh and not (
            state[self.fresh[0][1]] == State.QUEUED and score[self.fresh[0][1]] == -self.fresh[0][0]
        ):
            heappop(self.fresh)
        while self.run and not (state[self.run[-1]] == State.QUEUED and score[self.run[-1]] == self.run_scores[-1]):
            self.run.pop()
            self.run_scores.pop()
        if not self.run:
            return self.fresh[0] if self.fresh else None
        top = (-self.run_scores[-1], self.run[-1])
        return min(top, self.fresh[0]) if self.fresh else top

    def tops(self, n: int, table: Table) -> list[Entry]:
        """The n best entries; those that no longer count are passed over."""

        def counts(entry: Entry) -> bool:
            return table.state[entry[1]] == State.QUEUED and table.score[entry[1]] == -entry[0]

        run = zip((-score for score in reversed(self.run_scores)), reversed(self.run), strict=True)
        return nsmallest(n, {*islice(filter(counts, run), n), *filter(counts, self.fresh)})

    def merge(self, table: Table) -> None:
        """Sort everything that still counts into the run."""
        slots = np.array(sorted({*self.run, *(slot for _, slot in self.fresh)}), np.int64)
        self.fill(slots, table)

    def fill(self, slots: NDArray[np.int64], table: Table) -> None:
        """Hold exactly these slots, as far as they are queued and not held back."""
        scores = np.frombuffer(table.score)[slots]
        keep = (np.frombuffer(table.state, np.uint8)[slots] == State.QUEUED) & (scores > -math.inf)
        slots, scores = slots[keep], scores[keep]
        order = np.lexsort((-slots, scores))
        self.run, self.run_scores = array("q", slots[order].tobytes()), array("d", scores[order].tobytes())
        self.fresh = []
