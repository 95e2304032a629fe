"""Measures how much CPU time each part of a simulated crawl takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from clew.core.engine import Engine
from clew.core.manners import LiveFetcher
from clew.types import Fetched

PARTS: Final = ("strategy", "frontier", "unpacking", "judging", "rest")
STRATEGY: Final = ("learn", "score")
OPTIONAL: Final = ("chances", "learn_labels")  # of strategies that offer it
ASSESSOR: Final = ("judge",)
VERDICTS: Final = ("of", "learn", "refit_if_due")
FRONTIER: Final = ("add", "best", "candidates", "entries", "finish", "pop", "redirect", "release", "set", "set_all")


@dataclass
class Meter:
    """CPU seconds by part; when one part calls another, the time counts for the one that is called.

    >>> meter = Meter()
    >>> meter.timed("strategy", sum)([1, 2])
    3
    >>> sorted(meter.stop(1.0))
    ['frontier', 'judging', 'rest', 'strategy', 'unpacking']
    """

    spent: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PARTS, 0.0))
    part: str = "rest"  # the part that is running
    since: float = field(default_factory=time.process_time)

    def attach(self, engine: Engine) -> None:
        """Time the parts of an engine."""
        state = engine.state
        # Only methods that run a few times per page: timing them costs next to nothing.
        optional = [name for name in OPTIONAL if hasattr(state.strategy, name)]
        self._replace(state.strategy, "strategy", [*STRATEGY, *optional])
        self._replace(engine.frontier, "frontier", FRONTIER)
        self._replace(state.assessor, "judging", ASSESSOR)
        self._replace(state.verdicts, "judging", VERDICTS)
        # Fetchers may be frozen or have slots, so a stand-in takes their place.
        # With live manners only the world is timed: the time of answers is virtual.
        owner: Any = engine if not isinstance(engine.fetcher, LiveFetcher) else engine.fetcher
        name = "fetcher" if owner is engine else "world"
        fetcher = getattr(owner, name)
        setattr(owner, name, _StandIn(fetcher, get=self._timed_get(fetcher.get)))

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function; its time is added to a part."""

        def call(*args: Any, **kwargs: Any) -> Any:
            outer = self._switch(part)
            try:
                return function(*args, **kwargs)
            finally:
                self._switch(outer)

        return call

    def stop(self, total: float) -> dict[str, float]:
        """The seconds of each part; `total` minus all parts is the rest."""
        # The rest also includes what runs between calls, so it is what the others leave, and never below zero.
        known = {part: seconds for part, seconds in self.spent.items() if part != "rest"}
        return {**known, "rest": max(0.0, total - sum(known.values()))}

    def _replace(self, owner: object, part: str, names: Sequence[str]) -> None:
        for name in names:
            setattr(owner, name, self.timed(part, getattr(owner, name)))

    def _timed_get(self, get: Callable[[str], Any]) -> Callable[[str], Any]:
        async def timed(url: str) -> Fetched:
            outer = self._switch("unpacking")
            try:
                # The laboratory's fetchers never wait, so no other task runs in between.
                return cast(Fetched, await get(url))
            finally:
                self._switch(outer)

        return timed

    def _switch(self, part: str) -> str:
        """Book the time so far to the running part, start another, and return the first."""
        now = time.process_time()
        outer = self.part
        self.spent[outer] += now - self.since
        self.part = part
        self.since = now
        return outer


class _StandIn:
    """Stands in for an object that cannot be changed, with some of its methods replaced."""

    def __init__(self, original: object, **methods: Callable[..., Any]) -> None:
        self._original = original
        self.__dict__.update(methods)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)
