"""Lessons: what a shard of a crawl tells the others of its visits, so that all count as if each had made all of them.

A lesson is one visit. It leaves with the next commit, as the links of its page do: lessons that wait for more visits
would save nothing, for counting a visit costs the same whenever it comes, and the scores of shards that know different
visits do not compare. A label and a verdict that changes later stay with the shard of their page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from clew.strategies._adaptive.counts import Slots
from clew.strategies._adaptive.features import Counted
from clew.strategies._adaptive.memory import Matrix


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
    """How many visits were made here, and how many were told of by other shards."""

    own: int = 0
    studied: int = 0

    @property
    def shards(self) -> int:
        """How many shards like this one would have made all visits: 1 for a crawl on its own."""
        return 1 + self.studied // max(1, self.own)

    def save(self) -> tuple[int, int]:
        """Plain values."""
        return self.own, self.studied
