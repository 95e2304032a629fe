"""Fetches that are under way: sent, landed, tried again or put off, and recalled at the end.

The crawl, the recrawl and the reading of examples all fetch through `InFlight`.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

from clew.config import Scope
from clew.core.parsing import Parsing
from clew.core.patience import Patience
from clew.fetch import NOT_YET, Fetcher, SharesLimits
from clew.frontier import Frontier
from clew.parse import document, host, packed
from clew.types import Doc, Fetched

BUSY_RETRY_SECONDS = 0.1
"""Until a shared limit is looked at again that is used up by requests nobody here knows of."""

Fetch = Callable[[int], Awaitable[Fetched]]
"""Fetches the URL of a slot."""


def _ignore(event: str, detail: str) -> None:
    """Nobody keeps a journal."""


def _no_reason(slot: int) -> None:
    """Nobody asks why."""


def _keep_scores() -> None:
    """The scores are as they should be."""


@dataclass
class RetryPolicy:
    """Decides what an answer means for its host and its slot: it counts, is tried again, or nobody was asked yet."""

    fetcher: Fetcher
    frontier: Frontier
    retries: int
    clock: Callable[[], float] = time.monotonic
    note: Callable[[str, str], None] = _ignore  # into the journal
    tries: dict[int, int] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if isinstance(self.fetcher, SharesLimits):
            self.frontier.shared_limits = self.fetcher.shared_limits

    def accept(self, slot: int, fetched: Fetched, patience: float = math.inf) -> bool:
        """Release the host; whether this is an answer. If not, the slot waits again."""
        for note in fetched.notes:
            self.note("host", note)
        if fetched.error == NOT_YET:
            self._put_off(slot, fetched)
            return False
        pause = self.fetcher.pause(fetched.url)
        tries = self.tries.pop(slot, 0)
        if fetched.cache:
            self.frontier.spare(slot, self.clock())
        self.frontier.release(slot, self.clock(), pause, asked=not fetched.cache)
        if fetched.transient and tries < self.retries and pause <= patience:
            self.tries[slot] = tries + 1
            self.frontier.retry(slot)
            return False
        return True

    def _put_off(self, slot: int, fetched: Fetched) -> None:
        """The candidate waits: for its own host, or for a limit that its host shares with others."""
        now = self.clock()
        pause = fetched.retry_after
        if fetched.detail == host(fetched.url):
            self.frontier.release(slot, now, pause, asked=False)
        else:
            self.frontier.rest(slot, fetched.detail, now + (pause or BUSY_RETRY_SECONDS))
            self.frontier.release(slot, now, asked=False)
        self.frontier.retry(slot)


@dataclass
class InFlight:
    """Every slot that is being fetched."""

    fetch: Fetch
    frontier: Frontier
    scope: Scope
    retry_policy: RetryPolicy
    patience: Patience | None = None  # None: never wait for a better page
    chosen: Callable[[int], None] = _no_reason  # is told of each slot before it is sent

    def __post_init__(self) -> None:
        self.parsing = Parsing(self.scope)
        self.tasks: dict[int, asyncio.Task[None]] = {}
        self.landed: deque[tuple[int, Fetched]] = deque()
        self.broken: Exception | None = None  # a bug met in flight
        self.wake = asyncio.Event()

    def __len__(self) -> int:
        return len(self.tasks)

    @property
    def has_news(self) -> bool:
        """Whether something has landed, or broken."""
        return bool(self.landed or self.broken)

    def send_best(self, rescore: Callable[[], None] = _keep_scores) -> bool:
        """Send the best candidate whose host is ready; False if there is none, or if it waits for a better one.

        `rescore` is called first, when the hosts that are ready now are known.
        """
        now = self.retry_policy.clock()
        self.frontier.wake(now)
        rescore()
        if self.patience and self.patience.holds(now, self.tasks):
            return False
        slot = self.frontier.pop(now)
        if slot is None:
            return False
        if self.patience:
            self.patience.sent(now)
        self.chosen(slot)
        self.tasks[slot] = asyncio.create_task(self._run(slot))
        return True

    async def wait(self, until: float) -> None:
        """Until something lands, but no longer than that time on the clock."""
        self.wake.clear()
        seconds = max(0.0, until - self.retry_policy.clock())
        timer = asyncio.get_running_loop().call_later(seconds, self.wake.set)
        await self.wake.wait()
        timer.cancel()

    def land(self, patience: float = math.inf) -> Iterator[tuple[int, Fetched]]:
        """The answers that have come, but for those that are worth another try."""
        if self.broken:
            raise self.broken
        while self.landed:
            slot, fetched = self.landed.popleft()
            self._regroup(slot, fetched)
            del self.tasks[slot]
            if self.retry_policy.accept(slot, fetched, patience):
                yield slot, fetched

    def _regroup(self, slot: int, fetched: Fetched) -> None:
        """The addresses of a host are known by now. A refusal means that others use its limit: they count, too."""
        for each in self.tasks if fetched.error == NOT_YET else (slot,):
            self.frontier.regroup(each)

    def read(self, fetched: Fetched) -> Doc:
        """What the answer says."""
        return document(fetched, self.scope, self.parsing.with_main_text) if fetched.ok else Doc(fetched.url)

    async def recall(self) -> None:
        """Give up what is still in flight; it waits in the frontier for another time."""
        for task in self.tasks.values():
            task.cancel()
        await asyncio.gather(*self.tasks.values(), return_exceptions=True)

    async def _run(self, slot: int) -> None:
        try:
            fetched = await self.parsing.read(await self.fetch(slot))
            self.landed.append((slot, packed(fetched)))
        # Fetchers turn what the web does into data, so an exception is a bug: the engine must hear of it.
        except Exception as error:
            self.broken = error
        self.wake.set()
