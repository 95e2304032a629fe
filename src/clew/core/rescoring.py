"""All candidates are scored again in slices, so that no visit has to wait for millions of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from clew.frontier import Frontier

AT_ONCE: Final = 2000  # candidates that are all scored in one go
BEST: Final = 1000  # of more than these: the best, which are scored at once, the others slice by slice
SLICE: Final = 25  # candidates that are scored after a visit
SPAN: Final = 20_000  # URLs, visited ones among them, that are looked through for a slice


@dataclass
class Rescoring:
    """Goes through the candidates in the order of their discovery, again and again, as long as there is a reason.

    What is scored follows from the visits alone, not from the time that they took: a replay does the same.
    """

    frontier: Frontier
    place: int = 0  # the slot with which the next slice begins
    left: int = 0  # slots that are still to be looked at

    def begin(self) -> list[int]:
        """Everything is stale: the slots to score at once, the best ones; the others follow in slices."""
        if self.frontier.in_play <= AT_ONCE:
            self.left = 0
            return self.frontier.in_play_from(0, len(self.frontier), AT_ONCE)[0]
        self.left = len(self.frontier)
        return [int(slot) for slot in self.frontier.top(BEST)]

    def slice(self) -> list[int]:
        """The slots to score next; none when all had their turn."""
        if not self.left:
            return []
        if self.place >= len(self.frontier):
            self.place = 0
        slots, passed = self.frontier.in_play_from(self.place, min(self.left, SPAN), SLICE)
        self.place += passed
        self.left -= passed
        return slots

    def save(self) -> list[int]:
        """Plain numbers for a checkpoint."""
        return [self.place, self.left]

    def load(self, saved: list[Any]) -> None:
        """Go on where `save` was called."""
        self.place, self.left = saved
