"""Example documents from files, folders and URLs, and from the crawl that has read them before."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from clew.config import Fetch, Scope
from clew.core.inflight import InFlight, RetryPolicy
from clew.core.visit import reason_of
from clew.errors import InterestError
from clew.fetch import HttpFetcher
from clew.frontier import Frontier
from clew.parse import canonical, parse
from clew.types import Doc, Fetched, UrlState

_HTML = {".html", ".htm", ".xhtml", ".php"}


class ExampleReader:
    """Turns the place of an example into documents, each place once, and the web as politely as a crawl.

    What is known is not read again: a resumed crawl judges by the examples it began with.
    """

    def __init__(self, config: Fetch, known: Mapping[str, list[Doc]] | None = None) -> None:
        self.config = config
        self.docs: dict[str, list[Doc]] = dict(known or {})
        self._web: tuple[asyncio.Runner, HttpFetcher] | None = None

    def __call__(self, place: str) -> list[Doc]:
        """The documents of one place."""
        if place not in self.docs:
            self.docs[place] = [self._from_web(place)] if "://" in place else _from_disk(Path(place))
        return self.docs[place]

    def __enter__(self) -> ExampleReader:
        return self

    def __exit__(self, *_: object) -> None:
        if self._web:
            runner, fetcher = self._web
            runner.run(fetcher.close())
            runner.close()

    def _from_web(self, url: str) -> Doc:
        # One fetcher for all examples: it remembers what their hosts ask for.
        self._web = self._web or (asyncio.Runner(), HttpFetcher(self.config))
        runner, fetcher = self._web
        fetched = runner.run(self._get(fetcher, canonical(url) or url))
        if not fetched.ok:
            raise InterestError(f"the example {url} cannot be fetched: {reason_of(fetched)}")
        return parse(fetched.body, fetched.url, fetched.header("content-type"))

    async def _get(self, fetcher: HttpFetcher, url: str) -> Fetched:
        """The answer at the end of the redirects, fetched like any page of a crawl."""
        frontier = Frontier(per_host=self.config.per_host)
        retry_policy = RetryPolicy(fetcher, frontier, self.config.retries)
        in_flight = InFlight(lambda slot: fetcher.get(frontier.url(slot)), frontier, Scope(), retry_policy)
        fetched = Fetched(url, location=url)
        hops = 0
        while fetched.location and hops <= self.config.max_redirects:
            hops += 1
            frontier.set([frontier.slot_for(fetched.location)], [1.0])
            fetched = await _land_one(frontier, in_flight)
        return fetched


async def _land_one(frontier: Frontier, in_flight: InFlight) -> Fetched:
    """Send what is queued, and wait for the answer."""
    clock = in_flight.retry_policy.clock
    while True:
        in_flight.send_best()
        await in_flight.wait(frontier.next_ready() or clock() + 1.0)
        for slot, fetched in in_flight.land():
            frontier.finish(slot, UrlState.FETCHED)
            return fetched


def _from_disk(path: Path) -> list[Doc]:
    if not path.exists():
        raise InterestError(f"there is no example at {path}")
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    return [_from_file(file) for file in files]


def _from_file(path: Path) -> Doc:
    body = path.read_bytes()
    markup = path.suffix.lower() in _HTML or b"<html" in body[:1000].lower()
    return parse(body, path.absolute().as_uri(), "text/html" if markup else "text/plain")
