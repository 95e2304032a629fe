"""Single requests from outside the loop of a crawl, as polite and as careful as those of a crawl."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from clew.config import Fetch, Scope
from clew.core.inflight import InFlight, RetryPolicy
from clew.fetch import Fetcher, HttpFetcher
from clew.frontier import Frontier
from clew.types import Fetched, UrlState

MAX_SECONDS: Final = 30.0
"""For one question and all its redirects, retries and delays: the crawl waits for the answer."""


async def polite_get(fetcher: Fetcher, get: Callable[[str], Awaitable[Fetched]], config: Fetch, url: str) -> Fetched:
    """Fetch a URL like any page of a crawl, and follow its redirects."""
    frontier = Frontier(per_host=config.per_host)
    retry_policy = RetryPolicy(fetcher, frontier, config.retries)
    in_flight = InFlight(lambda slot: get(frontier.url(slot)), frontier, Scope(), retry_policy)
    # As if a redirect led to the URL: the loop is the same for the first request and the next ones.
    fetched = Fetched(url, location=url)
    hops = 0
    while fetched.location and hops <= config.max_redirects:
        hops += 1
        frontier.set([frontier.slot_for(fetched.location)], [1.0])
        fetched = await _land_one(frontier, in_flight)
    return fetched


async def _land_one(frontier: Frontier, in_flight: InFlight) -> Fetched:
    """Send the queued request, again if the retry policy says so, and wait for the answer."""
    clock = in_flight.retry_policy.clock
    while True:
        in_flight.send_best()
        await in_flight.wait(frontier.next_ready() or clock() + 1.0)
        for slot, fetched in in_flight.land():
            frontier.finish(slot, UrlState.FETCHED)
            return fetched


class DataReader:
    """Reads data of any type, one answer at a time, from inside a running crawl or outside.

    It has a thread of its own, because the caller may stand in an event loop, and one fetcher, which remembers what
    hosts ask for.
    """

    def __init__(self, config: Fetch) -> None:
        self.config = config
        self._thread: ThreadPoolExecutor | None = None
        self._runner: asyncio.Runner | None = None
        self._fetcher: HttpFetcher | None = None

    def get(self, url: str) -> Fetched:
        """The answer to a request; failures are part of it."""
        self._thread = self._thread or ThreadPoolExecutor(max_workers=1, thread_name_prefix="clew-data")
        return self._thread.submit(self._run, url).result()

    def close(self) -> None:
        """Close all connections."""
        if self._thread:
            self._thread.submit(self._close).result()
            self._thread.shutdown()
            self._thread = None

    def _run(self, url: str) -> Fetched:
        self._runner = self._runner or asyncio.Runner()
        return self._runner.run(self._ask(url))

    async def _ask(self, url: str) -> Fetched:
        fetcher = self._fetcher = self._fetcher or HttpFetcher(self.config)
        try:
            return await asyncio.wait_for(polite_get(fetcher, fetcher.part, self.config, url), MAX_SECONDS)
        except TimeoutError:
            return Fetched(url, error="timeout", detail=f"no answer within {MAX_SECONDS:g} seconds")

    def _close(self) -> None:
        if self._runner:
            if self._fetcher:
                self._runner.run(self._fetcher.close())
            self._runner.close()
        self._runner = None
        self._fetcher = None
