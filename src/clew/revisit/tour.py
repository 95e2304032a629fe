"""A tour of pages that were visited before, as polite as the crawl itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from clew.core.engine import INTERRUPTED
from clew.core.inflight import Landings
from clew.core.state import Course
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

    course: Course
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
        settings = self.course.config.fetch
        self.queue = Frontier(None, per_host=settings.per_host)
        self.landings = Landings(self.fetcher, self.queue, settings.retries, self.clock, self.course.store.note)
        self.dues = {self.queue.name(due.url): due for due in dues}
        self.queue.set(list(self.dues), [due.value for due in dues])
        self.flights: set[asyncio.Task[Answer]] = set()
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
        if not self.flights and not self.queue.waiting:
            return True
        if len(self.visits) >= self.most:
            self.reason = self.reason or f"{self.most} visits"
        elif self.clock() >= self.until:
            self.reason = self.reason or "time is up"
        return bool(self.reason)

    def _send(self) -> None:
        free = min(self.course.config.fetch.parallel, self.most - len(self.visits)) - len(self.flights)
        for _ in range(free):
            slot = self.queue.pop(self.clock())
            if slot is None:
                return
            self.flights.add(asyncio.create_task(self._fly(slot)))

    async def _fly(self, slot: int) -> Answer:
        with self.history.store.told():
            earlier, at = self.history.version(self.dues[slot].record)
        shown = earlier.rendered and self.course.config.fetch.render != "never"
        # The frame of a page that scripts write stays the same, whatever they write.
        fetched = await self.fetcher.get(earlier.url, {} if shown else conditions(earlier))
        if not fetched.rendered:
            earlier = replace(earlier, rendered=b"")  # like is compared with like
        if pdf.is_one(fetched.body):  # takes seconds, in which the others must not wait
            scope, loop = self.course.config.scope, asyncio.get_running_loop()
            fetched, earlier = [
                replace(each, doc=await loop.run_in_executor(pdf.READERS, document, each, scope))
                for each in (fetched, earlier)
            ]
        return slot, earlier, fetched, at

    async def _landed(self) -> set[asyncio.Task[Answer]]:
        """The answers that have come by the time at which there is something to do."""
        ready, now = self.queue.queues.next_ready(), self.clock()
        wait = max(0.0, min(1.0, self.until - now, ready - now if ready is not None else 1.0))
        if not self.flights:
            await asyncio.sleep(wait)
            return set()
        landed, self.flights = await asyncio.wait(
            self.flights, timeout=max(wait, 0.01), return_when=asyncio.FIRST_COMPLETED
        )
        return landed

    def _land(self, slot: int, earlier: Fetched, fetched: Fetched, at: float) -> None:
        if not self.landings.counts(slot, fetched):
            return
        visit = verdict(self.dues[slot], earlier, fetched, self.course, self.now())
        self.visits.append(self.history.add(visit, fetched, at))
        self.fresh += 1
        self.watch(visit)

    def _commit(self, last: bool = False) -> None:
        keep = self.course.config.keep
        late = self.clock() - self.committed_at >= keep.commit_seconds
        if self.fresh and (last or late or self.fresh >= keep.commit_pages):
            self.history.commit()
            self.fresh, self.committed_at = 0, self.clock()

    async def _recall(self) -> None:
        for task in self.flights:
            task.cancel()
        await asyncio.gather(*self.flights, return_exceptions=True)
