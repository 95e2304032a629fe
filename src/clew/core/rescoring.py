"""All candidates are scored again in slices, so that no visit has to wait for millions of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from clew.frontier import Frontier

AT_ONCE: Final = 2000  # candidates that are all scored in one go
BEST: Final = 1000  # of more than these: the best, which are scored at once, the others slice by slice
SLICE: Final = 250  # candidates that are scored after a visit
SPAN: Final = 20_000  # URLs, visited ones among them, that are looked through for a slice


@dataclass
class Rescoring:
    """Goes through the candidates in the order of their discovery, again and again, as long as there is a reason.

    What is scored follows from the visits alone, not from the time that they took: a replay does the same.
    """

    frontier: Frontier
    score: Callable[[list[int]], None]
    place: int = 0  # the slot with which the next slice begins
    left: int = 0  # slots that are still to be looked at

    def begin(self, touched: Sequence[int] = ()) -> None:
        """Everything is stale: what a page touched and the best come first, the rest from where the last round was."""
        if self.frontier.in_play <= AT_ONCE:
            self.left = 0
            self.score(self.frontier.in_play_from(0, len(self.frontier), AT_ONCE)[0])
            return
        self.score([*dict.fromkeys((*touched, *self.frontier.top(BEST).tolist()))])
        self.left = len(self.frontier)

    def step(self) -> None:
        """Score the next slice, if there is one."""
        if not self.left:
            return
        if self.place >= len(self.frontier):
            self.place = 0
        slots, passed = self.frontier.in_play_from(self.place, min(self.left, SPAN), SLICE)
        self.place += passed
        self.left -= passed
        self.score(slots)

    def save(self) -> list[int]:
        """Plain numbers for a checkpoint."""
        return [self.place, self.left]

    def load(self, saved: list[Any]) -> None:
        """Go on where `save` was called."""
        self.place, self.left = saved
