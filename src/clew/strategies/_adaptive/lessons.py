"""Lessons: what a shard of a crawl tells the others of its visits, so that all count as if each had made all of them.

A lesson holds visits, not sums: it is as long as the visits are many, and counting one costs what a visit costs.
A label and a verdict that changes later stay with the shard of their page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from clew.strategies._adaptive.counts import Slots
from clew.strategies._adaptive.features import Counted
from clew.strategies._adaptive.memory import Matrix

LESSON_SHARE: Final = 20  # a lesson comes after a twentieth more visits


class Taught(NamedTuple):
    """One visit as others learn from it."""

    slots: Slots
    of_sources: Slots
    words: Slots
    is_english: bool
    found: float
    page: int  # by which the models know it
    row: Matrix | None  # its features before the visit

    @classmethod
    def of(cls, saved: Any) -> Taught:
        """From what `codec` has made of it."""
        return cls(*saved)

    @property
    def counted(self) -> Counted:
        """What is counted."""
        return Counted(*self[:5])


@dataclass
class Lessons:
    """The visits that the others have not heard of yet, and how many were made here and elsewhere."""

    pending: list[Taught] = field(default_factory=list)
    own: int = 0
    studied: int = 0

    def add(self, visit: Taught) -> None:
        """A visit was made here."""
        self.pending.append(visit)
        self.own += 1

    def due(self, every: int) -> list[Taught] | None:
        """The next lesson, if it is time for one."""
        if len(self.pending) < max(every, self.own // LESSON_SHARE):
            return None
        visits, self.pending = self.pending, []
        return visits

    @property
    def shards(self) -> int:
        """How many shards like this one would have made all visits: 1 for a crawl on its own."""
        return 1 + self.studied // max(1, self.own)

    def save(self) -> tuple[Any, ...]:
        """Plain values and arrays."""
        return self.pending, self.own, self.studied

    @classmethod
    def load(cls, saved: Any) -> Lessons:
        """Restore what `save` returned."""
        if saved is None:
            return cls()
        pending, own, studied = saved
        return cls([Taught.of(visit) for visit in pending], own, studied)
