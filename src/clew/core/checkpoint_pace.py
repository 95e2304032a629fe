"""When a checkpoint is due: often enough that a resume repeats little, rarely enough that it costs little."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

COST: Final = 20
"""CPU time between two checkpoints, in multiples of what the last one took: their share is at most one twentieth."""


@dataclass
class CheckpointPace:
    """Measures CPU time: what a slow disk or a sleeping machine takes does not put the next checkpoint off.

    >>> ticks = iter([0.0, 1.0, 3.0, 4.0, 5.0, 30.0])
    >>> pace = CheckpointPace(now=0.0, cpu=lambda: next(ticks))
    >>> pace.is_due(now=40.0, seconds=30.0)
    True
    >>> pace.begin(), pace.end(now=41.0)  # it took one second
    (None, None)
    >>> pace.is_due(now=99.0, seconds=30.0), pace.is_due(now=99.0, seconds=30.0)
    (False, True)
    """

    now: float  # on the clock of the crawl, when the last one was made
    cpu: Callable[[], float] = time.process_time
    _since: float = field(init=False)  # in CPU time
    _cost: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._since = self.cpu()

    def is_due(self, now: float, seconds: float) -> bool:
        """Whether so many seconds have passed, and enough work has been done to pay for one."""
        return now - self.now > seconds and self.cpu() - self._since >= COST * self._cost

    def begin(self) -> None:
        """A checkpoint is made."""
        self._since = self.cpu()

    def end(self, now: float) -> None:
        """It is in the store."""
        began = self._since
        self.now = now
        self._since = self.cpu()
        self._cost = self._since - began
