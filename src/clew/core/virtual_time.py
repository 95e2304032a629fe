"""Time that passes only in a simulation: a clock that jumps to the next event, and an event loop that follows it."""

from __future__ import annotations

import asyncio
import selectors
from dataclasses import dataclass
from typing import Any, Final

# Timers are floating-point numbers: a clock that stopped a rounding error before one would find that nothing is due.
MARGIN_SECONDS: Final = 1e-9


@dataclass
class VirtualClock:
    """Seconds since the simulation began.

    >>> clock = VirtualClock()
    >>> clock.spend(1.5)
    >>> clock()
    1.5
    """

    now: float = 0.0

    def __call__(self) -> float:
        return self.now

    def spend(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that never waits for a timer: where an ordinary loop would sleep, it sets the clock forward.

    >>> clock = VirtualClock()
    >>> with asyncio.Runner(loop_factory=lambda: VirtualLoop(clock)) as runner:
    ...     runner.run(asyncio.sleep(3600))
    >>> round(clock())
    3600
    """

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        super().__init__(_JumpingSelector(clock))

    def time(self) -> float:
        """The time on the virtual clock, by which all timers go."""
        return self._clock()


class _JumpingSelector(selectors.DefaultSelector):
    """Lets the virtual clock run instead of waiting for the timeout."""

    def __init__(self, clock: VirtualClock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[Any]:
        """The events that are there. Without a timer the loop waits for another thread: that takes real time."""
        if not timeout or timeout < 0:
            return super().select(timeout)
        self._clock.spend(timeout + MARGIN_SECONDS)
        return super().select(0)
