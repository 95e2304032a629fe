"""Fetches that are under way: sent off, landed, tried again or put off, and recalled at the end."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from clew.config import Scope
from clew.fetch import NOT_YET, Fetcher
from clew.frontier import Frontier
from clew.parse import document, host, pdf
from clew.types import Doc, Fetched

BUSY_RETRY_SECONDS = 0.1
"""Seconds until a place that is busy is looked at again, if no answer comes before."""


@dataclass
class RetryPolicy:
    """What an answer means for its host and its slot: it counts, is tried again, or nobody was asked yet."""

    fetcher: Fetcher
    frontier: Frontier
    retries: int
    clock: Callable[[], float]
    note: Callable[[str, str], None]  # into the journal
    tries: dict[int, int] = field(default_factory=dict, init=False)

    def accept(self, slot: int, fetched: Fetched, patience: float = math.inf) -> bool:
        """Whether it is an answer; else its slot waits again. Its host is released."""
        for note in fetched.notes:
            self.note("host", note)
        if fetched.error == NOT_YET:
            self._put_off(slot, fetched)
            return False
        pause, tries = self.fetcher.pause(fetched.url), self.tries.pop(slot, 0)
        self.frontier.release(slot, self.clock(), pause)
        self.frontier.queues.nudge(self.clock())
        if fetched.transient and tries < self.retries and pause <= patience:
            self.tries[slot] = tries + 1
            self.frontier.retry(slot)
            return False
        return True

    def _put_off(self, slot: int, fetched: Fetched) -> None:
        """The candidate waits, for its host or for what the host shares with others."""
        now, pause, own = self.clock(), fetched.retry_after, fetched.detail == host(fetched.url)
        if not own:
            self.frontier.park(slot, fetched.detail, now + (pause or BUSY_RETRY_SECONDS), eager=not pause)
        self.frontier.release(slot, now, pause if own else 0.0)
        self.frontier.retry(slot)


@dataclass
class InFlight:
    """Every slot in the air."""

    fetcher: Fetcher
    frontier: Frontier
    scope: Scope
    retry_policy: RetryPolicy

    def __post_init__(self) -> None:
        self.flying: dict[int, asyncio.Task[None]] = {}
        self.landed: deque[tuple[int, Fetched]] = deque()
        self.broken: Exception | None = None  # a bug met in flight
        self.wake = asyncio.Event()

    def __len__(self) -> int:
        return len(self.flying)

    def send(self, slot: int) -> None:
        """Off it goes."""
        self.flying[slot] = asyncio.create_task(self._fly(slot))

    @property
    def news(self) -> bool:
        """Whether something has landed, or broken."""
        return bool(self.landed or self.broken)

    async def wait(self, seconds: float) -> None:
        """Until something lands, but no longer."""
        self.wake.clear()
        timer = asyncio.get_running_loop().call_later(seconds, self.wake.set)
        await self.wake.wait()
        timer.cancel()

    def land(self, patience: float = math.inf) -> Iterator[tuple[int, Fetched]]:
        """The answers that have come, but for those that are worth another try."""
        if self.broken:
            raise self.broken
        while self.landed:
            slot, fetched = self.landed.popleft()
            del self.flying[slot]
            if self.retry_policy.accept(slot, fetched, patience):
                yield slot, fetched

    def read(self, fetched: Fetched) -> Doc:
        """What the answer says."""
        return document(fetched, self.scope) if fetched.ok else Doc(fetched.url)

    async def recall(self) -> None:
        """What is still in the air is given up; it waits in the frontier for another time."""
        for task in self.flying.values():
            task.cancel()
        await asyncio.gather(*self.flying.values(), return_exceptions=True)

    async def _fly(self, slot: int) -> None:
        try:
            fetched = await self.fetcher.get(self.frontier.entries([slot])[0].url)
            if pdf.is_one(fetched.body):  # takes seconds, in which the others must not wait
                doc = await asyncio.get_running_loop().run_in_executor(pdf.READERS, self.read, fetched)
                fetched = replace(fetched, doc=doc)
            self.landed.append((slot, fetched))
        except Exception as error:  # fetchers turn what the web does into data: this is a bug, so say it
            self.broken = error
        self.wake.set()
