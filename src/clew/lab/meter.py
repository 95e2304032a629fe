"""Where the time of a simulated crawl goes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, cast

from clew.core.engine import Engine
from clew.types import Fetched

PARTS: Final = ("strategy", "frontier", "unpacking", "judging", "rest")
STRATEGY: Final = ("learn", "score", "chances")
FRONTIER: Final = ("add", "best", "candidates", "entries", "finish", "pop", "redirect", "release", "set", "set_all")


@dataclass
class Meter:
    """CPU seconds by part; what one part asks of another counts for the other.

    >>> meter = Meter()
    >>> meter.timed("strategy", sum)([1, 2])
    3
    >>> sorted(meter.stop(1.0))
    ['frontier', 'judging', 'rest', 'strategy', 'unpacking']
    """

    spent: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PARTS, 0.0))
    part: str = "rest"
    since: float = field(default_factory=time.process_time)

    def attach(self, engine: Engine) -> None:
        """Time the parts of an engine; only calls that come a few times a page, so it costs next to nothing."""
        state = engine.state
        for part, owner, names in (
            ("strategy", state.strategy, STRATEGY),
            ("frontier", engine.frontier, FRONTIER),
        ):
            for name in names:
                if method := getattr(owner, name, None):
                    setattr(owner, name, self.timed(part, method))
        state.interest = cast(Any, _Stand(state.interest, judge=self.timed("judging", state.interest.judge)))
        engine.fetcher = cast(Any, _Stand(engine.fetcher, get=self._unpacking(engine.fetcher.get)))

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, its time noted."""

        def call(*args: Any, **named: Any) -> Any:
            outer = self._turn(part)
            try:
                return function(*args, **named)
            finally:
                self._turn(outer)

        return call

    def stop(self, total: float) -> dict[str, float]:
        """The seconds of each part; what no part has is the rest."""
        known = {part: seconds for part, seconds in self.spent.items() if part != "rest"}
        return {**known, "rest": max(0.0, total - sum(known.values()))}

    def _unpacking(self, get: Callable[[str], Any]) -> Callable[[str], Any]:
        async def timed(url: str) -> Fetched:
            outer = self._turn("unpacking")
            try:
                return cast(Fetched, await get(url))  # the laboratory's fetchers never wait
            finally:
                self._turn(outer)

        return timed

    def _turn(self, part: str) -> str:
        now, outer = time.process_time(), self.part
        self.spent[outer] += now - self.since
        self.part, self.since = part, now
        return outer


class _Stand:
    """Stands in for something that cannot be changed, with some of its methods replaced."""

    def __init__(self, original: object, **methods: Callable[..., Any]) -> None:
        self._original = original
        self.__dict__.update(methods)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)
