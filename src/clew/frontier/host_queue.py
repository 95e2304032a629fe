"""The candidates of one host in the order of their scores."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from heapq import heappop, heappush, nsmallest
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.frontier.group import Group
from clew.frontier.table import QUEUED, Table

LATEST_WEIGHT: Final = 0.3  # of the latest turn in the smoothed one

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
    left: float = math.inf  # visits that its budget allows, those in flight included
    ready_at: float = -math.inf
    asked_at: float = -math.inf
    turn: float = 0.0  # seconds from one request to when the next is permitted, smoothed; 0 before the first
    groups: tuple[Group, ...] | None = None  # the limits that it shares, the narrowest first; None: not known yet

    def measure_turn(self) -> float:
        """The length of a turn, now that a fetch has ended and it is known when the next one may begin."""
        latest = self.ready_at - self.asked_at
        self.turn += (latest - self.turn) * (LATEST_WEIGHT if self.turn else 1.0)
        return self.turn

    def push(self, entry: Entry, table: Table) -> None:
        """Add a candidate, or one whose score has changed."""
        heappush(self.fresh, entry)
        if len(self.fresh) > 64 + len(self.run):
            self.merge(table)

    def peek(self, table: Table) -> Entry | None:
        """The best entry that still counts."""
        # Columns in locals: this is asked for every host at every choice.
        state = table.state
        score = table.score
        while self.fresh:
            negative, slot = self.fresh[0]
            if state[slot] == QUEUED and score[slot] == -negative:
                break
            heappop(self.fresh)
        while self.run:
            slot = self.run[-1]
            if state[slot] == QUEUED and score[slot] == self.run_scores[-1]:
                break
            self.run.pop()
            self.run_scores.pop()
        if not self.run:
            return self.fresh[0] if self.fresh else None
        top = (-self.run_scores[-1], self.run[-1])
        return min(top, self.fresh[0]) if self.fresh else top

    def tops(self, n: int, table: Table) -> list[Entry]:
        """The n best entries; those that no longer count are passed over."""

        def counts(entry: Entry) -> bool:
            negative, slot = entry
            return table.state[slot] == QUEUED and table.score[slot] == -negative

        run = zip((-score for score in reversed(self.run_scores)), reversed(self.run), strict=True)
        return nsmallest(n, {*islice(filter(counts, run), n), *filter(counts, self.fresh)})

    def merge(self, table: Table) -> None:
        """Sort everything that still counts into the run."""
        slots = np.array(sorted({*self.run, *(slot for _, slot in self.fresh)}), np.int64)
        self.fill(slots, table)

    def fill(self, slots: NDArray[np.int64], table: Table) -> None:
        """Hold exactly these slots, as far as they are queued and not held back."""
        scores = np.frombuffer(table.score)[slots]
        keep = (np.frombuffer(table.state, np.uint8)[slots] == QUEUED) & (scores > -math.inf)
        slots = slots[keep]
        scores = scores[keep]
        # The best is last, where it can be popped; of equals the oldest slot is the best.
        order = np.lexsort((-slots, scores))
        self.run = array("q", slots[order].tobytes())
        self.run_scores = array("d", scores[order].tobytes())
        self.fresh = []
