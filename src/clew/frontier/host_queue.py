"""The candidates of one host in the order of their scores."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Final

from clew.frontier.group import Group
from clew.frontier.sorted_entries import Entry, SortedEntries

LATEST_WEIGHT: Final = 0.3  # of the latest turn in the smoothed one


@dataclass(slots=True)
class HostQueue:
    """All candidates of one host, those that are held back at the end, and when it may be asked."""

    entries: SortedEntries = field(default_factory=SortedEntries)
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

    def peek(self) -> Entry | None:
        """The best entry, unless everything is held back."""
        first = self.entries.first
        return first if first and first[0] < math.inf else None

    def tops(self, n: int) -> list[Entry]:
        """The n best entries, without those that are held back."""
        return list(takewhile(_is_offered, islice(self.entries, n)))


def _is_offered(entry: Entry) -> bool:
    return entry[0] < math.inf
