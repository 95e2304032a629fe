"""A tour of pages that were visited before, as polite as the crawl itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from clew.core.engine import INTERRUPTED
from clew.core.inflight import InFlight, RetryPolicy, parsed_if_slow
from clew.core.state import CrawlState
from clew.fetch import HttpFetcher, Rendering
from clew.frontier import Frontier
from clew.parse import pdf
from clew.revisit.page_change import conditions, verdict
from clew.revisit.schedule import Due
from clew.store import Revisit, Revisits
from clew.types import Fetched


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
        queue = Frontier(None, per_host=settings.per_host)
        retry_policy = RetryPolicy(self.fetcher, queue, settings.retries, self.clock, self.state.store.note)
        self.in_flight = InFlight(self._fetch, queue, self.state.config.scope, retry_policy)
        self.dues = {queue.slot_for(due.url): due for due in dues}
        self.versions: dict[int, tuple[Fetched, float]] = {}  # by slot: the earlier version, and when it came
        queue.set(list(self.dues), [due.value for due in dues])
        self.uncommitted = 0
        self.committed_at = self.clock()
        try:
            while not self._is_over(queue):
                self._send()
                await self._rest(queue)
                for slot, fetched in self.in_flight.land():
                    self._note(slot, fetched)
                self._commit()
        finally:
            await self.in_flight.recall()
            self._commit(last=True)

    def _is_over(self, queue: Frontier) -> bool:
        if not self.in_flight and not queue.waiting:
            return True
        if len(self.visits) >= self.most:
            self.reason = self.reason or f"{self.most} visits"
        elif self.clock() >= self.until:
            self.reason = self.reason or "time is up"
        return bool(self.reason)

    def _send(self) -> None:
        places = min(self.state.config.fetch.parallel, self.most - len(self.visits))
        while len(self.in_flight) < places:
            if not self.in_flight.send_best():
                return

    async def _fetch(self, slot: int) -> Fetched:
        """The page of now, asked for on condition that it has changed."""
        with self.history.store.translate_errors():
            earlier, at = self.history.version(self.dues[slot].record)
        is_rendered = bool(earlier.rendered) and self.state.config.fetch.render != "never"
        # The frame of a page that scripts write stays the same, whatever they write.
        headers = {} if is_rendered else conditions(earlier)
        fetched = await self.fetcher.get(earlier.url, headers)
        if not fetched.rendered:
            # Like is compared with like.
            earlier = replace(earlier, rendered=b"")
        if pdf.is_one(fetched.body):
            earlier = await parsed_if_slow(earlier, self.state.config.scope)
        self.versions[slot] = (earlier, at)
        return fetched

    async def _rest(self, queue: Frontier) -> None:
        """Until an answer lands, a host is ready again or the time is up."""
        until = min(self.clock() + 1.0, self.until)
        if (ready := queue.next_ready()) is not None:
            until = min(until, ready)
        await self.in_flight.wait(until)

    def _note(self, slot: int, fetched: Fetched) -> None:
        earlier, at = self.versions.pop(slot)
        visit = verdict(self.dues[slot], earlier, fetched, self.state, self.now())
        self.visits.append(self.history.add(visit, fetched, at))
        self.uncommitted += 1
        self.watch(visit)

    def _commit(self, last: bool = False) -> None:
        keep = self.state.config.keep
        is_late = self.clock() - self.committed_at >= keep.commit_seconds
        if self.uncommitted and (last or is_late or self.uncommitted >= keep.commit_pages):
            self.history.commit()
            self.uncommitted = 0
            self.committed_at = self.clock()
