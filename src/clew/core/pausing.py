"""A crawl that pauses: nothing is sent, what is in flight lands, and the time does not count."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Pause:
    """Whether a crawl pauses, and for how long it has paused in all.

    >>> pause = Pause()
    >>> pause.begin(now=10.0), pause.begin(now=12.0)
    (True, False)
    >>> pause.seconds(now=15.0), pause.end(now=16.0), pause.seconds(now=20.0)
    (5.0, True, 6.0)
    """

    since: float | None = field(default=None, init=False)
    _earlier: float = field(default=0.0, init=False)  # seconds of pauses that are over

    @property
    def is_on(self) -> bool:
        """Whether the crawl pauses now."""
        return self.since is not None

    def begin(self, now: float) -> bool:
        """Pause; whether that is news."""
        if self.since is not None:
            return False
        self.since = now
        return True

    def end(self, now: float) -> bool:
        """Go on; whether that is news."""
        if self.since is None:
            return False
        self._earlier += now - self.since
        self.since = None
        return True

    def seconds(self, now: float) -> float:
        """How long the crawl has paused until now."""
        return self._earlier + (0.0 if self.since is None else now - self.since)
