"""Fetches pages that are due for a revisit, as politely as the crawl itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from clew.core.disk_space import shortage
from clew.core.engine import INTERRUPTED
from clew.core.inflight import InFlight, RetryPolicy
from clew.core.parsing import parsed_if_slow
from clew.core.state import CrawlState
from clew.errors import RecordLost
from clew.fetch import HttpFetcher, Rendering
from clew.frontier import Frontier
from clew.parse import pdf
from clew.revisit.page_change import conditions, verdict
from clew.revisit.schedule import DuePage
from clew.store import Record, Revisit, Revisits
from clew.types import Fetched


@dataclass
class Tour:
    """Visits due pages: among the hosts that are ready, the most valuable page first."""

    state: CrawlState
    fetcher: HttpFetcher | Rendering
    history: Revisits
    max_visits: int
    deadline: float  # on `clock`
    now: Callable[[], float] = time.time  # the calendar time that is saved
    watch: Callable[[Revisit], None] = lambda visit: None
    clock: Callable[[], float] = time.monotonic
    reason: str = ""
    visits: list[Revisit] = field(default_factory=list)

    def stop(self) -> None:
        """Ask for a clean stop."""
        self.reason = self.reason or INTERRUPTED

    async def run(self, pages: Sequence[DuePage]) -> None:
        """Visit the pages until none is left or a limit is reached."""
        settings = self.state.config.fetch
        queue = Frontier(None, per_host=settings.per_host)
        retry_policy = RetryPolicy(self.fetcher, queue, settings.retries, self.clock, self.state.store.note)
        self.in_flight = InFlight(self._fetch, queue, self.state.config.scope, retry_policy)
        self.pages = {queue.slot_for(page.url): page for page in pages}
        self.versions: dict[int, tuple[Fetched, float]] = {}  # by slot: the earlier version, and when it was fetched
        queue.set(list(self.pages), [page.value for page in pages])
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
        # An earlier reason, such as an interrupt, stays.
        if len(self.visits) >= self.max_visits:
            self.reason = self.reason or f"{self.max_visits} visits"
        elif self.clock() >= self.deadline:
            self.reason = self.reason or "time is up"
        return bool(self.reason)

    def _send(self) -> None:
        # No more than the visits that are left: an answer beyond the limit would be thrown away.
        max_in_flight = min(self.state.config.fetch.parallel, self.max_visits - len(self.visits))
        while len(self.in_flight) < max_in_flight:
            if not self.in_flight.send_best():
                return

    async def _fetch(self, slot: int) -> Fetched:
        """Fetch the page by a conditional request, and keep its earlier version for the comparison."""
        earlier, at = self._earlier(self.pages[slot].record)
        is_rendered = bool(earlier.rendered) and self.state.config.fetch.render != "never"
        # A page that scripts fill in has the same HTML whatever they fill in: 304 would say nothing.
        headers = {} if is_rendered else conditions(earlier)
        fetched = await self.fetcher.get(earlier.url, headers)
        if not fetched.rendered:
            # A page as served can only be compared with an earlier one as served.
            earlier = replace(earlier, rendered=b"")
        if pdf.is_one(fetched.body):
            # Off the event loop: parsing a PDF takes so long that it would hold up the other answers.
            earlier = await parsed_if_slow(earlier, self.state.config.scope)
        self.versions[slot] = (earlier, at)
        return fetched

    def _earlier(self, record: Record) -> tuple[Fetched, float]:
        """The version of a page with which the new one is compared; an empty one if the archive has lost it."""
        with self.history.store.translate_errors():
            try:
                return self.history.version(record)
            except RecordLost:
                return Fetched(record.url), record.at

    async def _rest(self, queue: Frontier) -> None:
        """Wait until an answer arrives, a host is ready again, a second has passed or the time is up."""
        until = min(self.clock() + 1.0, self.deadline)
        ready_at = queue.next_ready()
        if ready_at is not None:
            until = min(until, ready_at)
        await self.in_flight.wait(until)

    def _note(self, slot: int, fetched: Fetched) -> None:
        earlier, at = self.versions.pop(slot)
        visit = verdict(self.pages[slot], earlier, fetched, self.state, self.now())
        self.visits.append(self.history.add(visit, fetched, at))
        self.uncommitted += 1
        self.watch(visit)
        self.reason = self.reason or self.state.faults.verdict

    def _commit(self, last: bool = False) -> None:
        if not self.uncommitted:
            return
        keep = self.state.config.keep
        is_late = self.clock() - self.committed_at >= keep.commit_seconds
        if last or is_late or self.uncommitted >= keep.commit_pages:
            self.history.commit()
            self.uncommitted = 0
            self.committed_at = self.clock()
            self.reason = self.reason or shortage(self.history.store.folder, self.state.config.until.min_free)
