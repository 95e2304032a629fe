"""A tour of pages that were visited before, as polite as the crawl itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from clew.core.engine import INTERRUPTED
from clew.core.inflight import RetryPolicy
from clew.core.state import CrawlState
from clew.fetch import HttpFetcher, Rendering
from clew.frontier import Frontier
from clew.parse import document, pdf
from clew.revisit.page_change import conditions, verdict
from clew.revisit.schedule import Due
from clew.store import Revisit, Revisits
from clew.types import Fetched

Answer = tuple[int, Fetched, Fetched, float]
"""Slot, the version of before, the new one, and when that of before came."""


@dataclass
class Tour:
    """Visits what is due, the most valuable of the hosts that are ready first."""

    state: CrawlState
    fetcher: HttpFetcher | Rendering
    history: Revisits
    most: int  # visits
    until: float  # on the clock
    now: Callable[[], float] = time.time  # what is written down
    watch: Callable[[Revisit], None] = lambda visit: None
    clock: Callable[[], float] = time.monotonic
    reason: str = ""
    visits: list[Revisit] = field(default_factory=list)

    def stop(self) -> None:
        """Ask for a clean end."""
        self.reason = self.reason or INTERRUPTED

    async def run(self, dues: Sequence[Due]) -> None:
        """Visit them, until none is left or the limits are reached."""
        settings = self.state.config.fetch
        self.queue = Frontier(None, per_host=settings.per_host)
        self.retry_policy = RetryPolicy(self.fetcher, self.queue, settings.retries, self.clock, self.state.store.note)
        self.dues = {self.queue.slot_for(due.url): due for due in dues}
        self.queue.set(list(self.dues), [due.value for due in dues])
        self.in_flight: set[asyncio.Task[Answer]] = set()
        self.fresh, self.committed_at = 0, self.clock()
        try:
            while not self._over():
                self._send()
                for task in await self._landed():
                    self._land(*task.result())
                self._commit()
        finally:
            await self._recall()
            self._commit(last=True)

    def _over(self) -> bool:
        if not self.in_flight and not self.queue.waiting:
            return True
        if len(self.visits) >= self.most:
            self.reason = self.reason or f"{self.most} visits"
        elif self.clock() >= self.until:
            self.reason = self.reason or "time is up"
        return bool(self.reason)

    def _send(self) -> None:
        free = min(self.state.config.fetch.parallel, self.most - len(self.visits)) - len(self.in_flight)
        for _ in range(free):
            slot = self.queue.pop(self.clock())
            if slot is None:
                return
            self.in_flight.add(asyncio.create_task(self._fly(slot)))

    async def _fly(self, slot: int) -> Answer:
        with self.history.store.translate_errors():
            earlier, at = self.history.version(self.dues[slot].record)
        shown = earlier.rendered and self.state.config.fetch.render != "never"
        # The frame of a page that scripts write stays the same, whatever they write.
        fetched = await self.fetcher.get(earlier.url, {} if shown else conditions(earlier))
        if not fetched.rendered:
            earlier = replace(earlier, rendered=b"")  # like is compared with like
        if pdf.is_one(fetched.body):  # takes seconds, in which the others must not wait
            scope, loop = self.state.config.scope, asyncio.get_running_loop()
            fetched, earlier = [
                replace(each, doc=await loop.run_in_executor(pdf.READERS, document, each, scope))
                for each in (fetched, earlier)
            ]
        return slot, earlier, fetched, at

    async def _landed(self) -> set[asyncio.Task[Answer]]:
        """The answers that have come by the time at which there is something to do."""
        ready, now = self.queue.queues.next_ready(), self.clock()
        wait = max(0.0, min(1.0, self.until - now, ready - now if ready is not None else 1.0))
        if not self.in_flight:
            await asyncio.sleep(wait)
            return set()
        landed, self.in_flight = await asyncio.wait(
            self.in_flight, timeout=max(wait, 0.01), return_when=asyncio.FIRST_COMPLETED
        )
        return landed

    def _land(self, slot: int, earlier: Fetched, fetched: Fetched, at: float) -> None:
        if not self.retry_policy.accept(slot, fetched):
            return
        visit = verdict(self.dues[slot], earlier, fetched, self.state, self.now())
        self.visits.append(self.history.add(visit, fetched, at))
        self.fresh += 1
        self.watch(visit)

    def _commit(self, last: bool = False) -> None:
        keep = self.state.config.keep
        late = self.clock() - self.committed_at >= keep.commit_seconds
        if self.fresh and (last or late or self.fresh >= keep.commit_pages):
            self.history.commit()
            self.fresh, self.committed_at = 0, self.clock()

    async def _recall(self) -> None:
        for task in self.in_flight:
            task.cancel()
        await asyncio.gather(*self.in_flight, return_exceptions=True)
