"""Fetches pages over HTTP: politely, and within limits of bytes and time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import aiohttp
from yarl import URL

from clew.config import Fetch
from clew.errors import ConfigError
from clew.fetch._answer import Limits, answered, failed, read
from clew.fetch._base import Recall
from clew.fetch._connection import Connector
from clew.fetch._failure import failure
from clew.fetch._response import PeerResponse
from clew.fetch.guard import Guard
from clew.fetch.politeness import BUSY_RETRY_SECONDS, Politeness, RequestSlots, not_yet
from clew.fetch.robots import MAX_AGE_SECONDS, SIZE, Robots
from clew.parse import pdf
from clew.parse.body import CODINGS, BodyFailure
from clew.parse.url import host
from clew.types import Fetched, SharedLimit
from clew.version import __version__

ACCEPT: Final = "text/html,application/xhtml+xml,application/xml;q=0.9,text/*;q=0.8,*/*;q=0.1"
MAX_HEADER_BYTES: Final = 32_768  # of one header line; real content security policies exceed 8 KB
SCHEMES: Final = ("http://", "https://")
MAX_NOTED_DELAYS: Final = 10_000  # hosts whose Crawl-delay is known to be in the journal
DAY_SECONDS: Final = 86_400.0
ROBOTS_LIMITS: Final = Limits(SIZE, SIZE, cut=True)
NONE: Final[Mapping[str, str]] = MappingProxyType({})


class HttpFetcher:
    """Fetches from the open web; obeys robots.txt, delays, the address guard and all limits.

    >>> fetcher = HttpFetcher(Fetch(contact="crawl@example.org"))
    >>> fetcher.user_agent.endswith(" (+crawl@example.org)")
    True
    >>> import asyncio
    >>> async def look() -> Fetched:
    ...     answer = await fetcher.get("http://127.0.0.1/")
    ...     await fetcher.close()
    ...     return answer
    >>> asyncio.run(look()).detail.partition(";")[0]
    '127.0.0.1 is not a global address'
    """

    def __init__(self, config: Fetch, clock: Callable[[], float] = time.monotonic, media: bool = False) -> None:
        self.config = config
        self.user_agent = _user_agent(config)
        self._proxy = _proxy(config.proxy)
        trusted = self._proxy.host if self._proxy else None
        self.guard = Guard(config.allow_private, config.resolve, config.ports, trusted or "")
        self.politeness = Politeness(config, clock)
        self.robots = Robots(
            self._ask_robots, self.user_agent, self._note_unavailable_robots, config.timeout or None, clock
        )
        readable = config.pdf and pdf.installed()
        self._limits = Limits(config.max_bytes, config.max_body, min_rate=config.min_rate, pdf=readable, media=media)
        self._clock = clock
        self.keep_answer: Callable[[Fetched], None] = _forget
        self.recall_answer: Recall = _know_nothing
        self._open: aiohttp.ClientSession | None = None
        self._noted_delays: dict[str, float] = {}  # the Crawl-delay of each host, as it stands in the journal

    async def get(self, url: str, conditions: Mapping[str, str] = NONE) -> Fetched:
        """Make one request without following redirects; failures are part of the answer.

        Under conditions, which are headers such as If-None-Match, the answer may be a bare 304.
        """
        return await self._fetch(url, self._limits, conditions)

    async def denial(self, url: str) -> Fetched | None:
        """Why a page that is known without a request must not be visited: its address, or robots.txt; or None."""
        if refusal := self._refusal(url):
            return Fetched(url, error="address", detail=refusal)
        if not self.config.robots:
            return None
        rules = await self.robots.rules(f"{url.partition(':')[0]}://{host(url)}")
        return rules.denial(url, self._clock())

    async def part(self, url: str) -> Fetched:
        """Fetch a part of a rendered page: as `get`, but scripts and data are accepted."""
        return self._kept(await self._fetch(url, replace(self._limits, any_type=True)))

    async def _fetch(self, url: str, limits: Limits, conditions: Mapping[str, str] = NONE) -> Fetched:
        """Wait for the end of the quiet time after a resume, fetch, and add the news about hosts to the answer."""
        while (quiet := self.politeness.quiet - self._clock()) > 0:
            await asyncio.sleep(quiet)
        answer = await self._fetch_politely(url, limits, conditions)
        news = self.politeness.news()
        return replace(answer, notes=answer.notes + news) if news else answer

    async def _fetch_politely(self, url: str, limits: Limits, conditions: Mapping[str, str]) -> Fetched:
        """Make the request if address guard, robots.txt and politeness allow it now; else say why not."""
        if refusal := self._refusal(url):
            return Fetched(url, error="address", detail=refusal)
        name = host(url)
        if reason := self.politeness.given_up(name):
            return Fetched(url, error="host given up", detail=reason)
        origin = f"{url.partition(':')[0]}://{name}"
        rules = self.robots.known(origin)
        # Rules that are known already spare us the look-up of the name.
        if self.config.robots and rules and (denial := rules.denial(url, self._clock())):
            return denial
        slots = await self._slots(url)
        if isinstance(slots, Fetched):
            return slots
        if wait := self.politeness.wait(slots):
            return not_yet(url, wait)
        crawl_delay = 0.0
        if self.config.robots:
            rules = rules or await self.robots.rules(origin)
            if denial := rules.denial(url, self._clock()):
                return denial
            crawl_delay = rules.crawl_delay
            self.politeness.set_crawl_delay(name, crawl_delay)
            # Fetching robots.txt was a request to the host, too.
            if wait := self.politeness.wait(slots):
                return not_yet(url, wait)
        answer = await self._ask(url, limits, slots, conditions)
        # After an "address" error nobody was asked, so there is nothing to learn about the host.
        if answer.error != "address":
            self.politeness.note(name, answer, crawl_delay)
        if crawl_delay > self.config.delay:
            return replace(answer, notes=self._crawl_delay_notes(name, crawl_delay))
        return answer

    def pause(self, url: str) -> float:
        """Seconds until the host of this URL may be asked again."""
        return self.politeness.pause(host(url))

    def shared_limits(self, url: str) -> tuple[SharedLimit, ...]:
        """The limits that the URL's host shares: by its domain, and by its addresses once they are known."""
        return self.politeness.shared_limits(url)

    async def close(self) -> None:
        """Close all connections."""
        await self.robots.close()
        if self._open:
            await self._open.close()
        await self.guard.close()

    def _crawl_delay_notes(self, name: str, delay: float) -> tuple[str, ...]:
        """A note for the journal, once for each host: its Crawl-delay is obeyed, or capped by max_delay."""
        if self._noted_delays.get(name) == delay:
            return ()
        if len(self._noted_delays) >= MAX_NOTED_DELAYS:
            self._noted_delays.clear()
        self._noted_delays[name] = delay
        limit = self.config.max_delay
        cap = f"; clew waits only {max(limit, self.config.delay):g} (max_delay)" if delay > limit else ""
        return (f"robots.txt of {name} asks for {delay:g} seconds between requests{cap}",)

    async def _ask_robots(self, url: str) -> Fetched:
        """Fetch a robots.txt, unless another crawl has read it today; if it cannot be read, an older copy will do."""
        if known := self.recall_answer(url, MAX_AGE_SECONDS / DAY_SECONDS):
            return self._kept(known)
        answer = await self._ask_for_robots(url)
        is_unavailable = bool(answer.error) or answer.status >= 500
        return (self.recall_answer(url, None) if is_unavailable else None) or answer

    async def _ask_for_robots(self, url: str) -> Fetched:
        """Fetch a robots.txt, waiting here for its turn."""
        if refusal := self._refusal(url):
            return Fetched(url, error="address", detail=refusal)
        slots = await self._slots(url, count=False)
        if isinstance(slots, Fetched):
            return slots
        # The caller holds no slot for this host: a redirect may lead to any other one.
        while wait := self.politeness.wait(slots):
            await asyncio.sleep(wait.seconds or BUSY_RETRY_SECONDS)
        return self._kept(await self._ask(url, ROBOTS_LIMITS, slots))

    def _kept(self, answer: Fetched) -> Fetched:
        """Hand on an answer that belongs to no page, so that it is archived, too."""
        if answer.status:
            self.keep_answer(answer)
        return answer

    def _note_unavailable_robots(self, origin: str, answer: Fetched) -> None:
        """Count a robots.txt that cannot be read as a failure of its host, like a failed page."""
        if answer.error == "address":
            return
        # "robots" is no failure of a host; as a 503 it starts the back-off.
        failed_answer = replace(answer, status=503) if answer.error == "robots" else answer
        self.politeness.note(host(origin), failed_answer)

    async def _slots(self, url: str, count: bool = True) -> RequestSlots | Fetched:
        """The slots that a request needs, after looking up the host's addresses; or the failure of the look-up."""
        # Through a proxy, the address of the host is the proxy's concern.
        if self._proxy:
            return self.politeness.slots_for(url)
        started = self._clock()
        try:
            async with asyncio.timeout(self.config.timeout or None):
                addresses = await self.guard.addresses(_target(url).raw_host or "")
                return self.politeness.slots_for(url, addresses)
        # TimeoutError is an OSError.
        except OSError as error:
            answer = failed(url, None, failure(error), self._clock() - started)
        if count and answer.error != "address":
            self.politeness.note(host(url), answer)
        return answer

    async def _ask(
        self, url: str, limits: Limits, slots: RequestSlots, conditions: Mapping[str, str] = NONE
    ) -> Fetched:
        response = None
        body = None
        trouble = None
        started = self._clock()
        self.politeness.begin(slots)
        try:
            extra = {**conditions, "Accept": "*/*"} if limits.any_type else conditions
            response = await self._session().get(_target(url), headers=extra, allow_redirects=False, proxy=self._proxy)
            body = await read(response, limits)
        except (BodyFailure, aiohttp.ClientError, OSError, ValueError, RuntimeError) as error:
            trouble = failure(error)
        finally:
            if response:
                response.close()
            self.politeness.end(slots)
        seconds = self._clock() - started
        # The body of an error or a redirect does not matter: the status alone is a complete answer.
        if response is None or (trouble and 200 <= response.status < 300):
            return failed(url, response, trouble, seconds)
        return answered(url, response, body, seconds, trouble)

    def _refusal(self, url: str) -> str:
        """Why a URL may not be fetched, judged by its spelling, or ""; names are checked when they are resolved."""
        if not url.startswith(SCHEMES):
            return "only http and https URLs are fetched"
        if " " in url or not (url.isascii() and url.isprintable()):
            return "not a canonical URL: it has spaces, control characters or characters outside ASCII"
        try:
            target = _target(url)
            if not target.raw_host or target.raw_user is not None or target.raw_password is not None:
                return "not a canonical URL: it has no host, or it has credentials"
            return self.guard.refusal(target.raw_host, target.port)
        except ValueError as error:
            return f"not a URL that can be fetched: {error}"

    def _session(self) -> aiohttp.ClientSession:
        """The session, created with the first request because it belongs to the running loop."""
        if self._open is None:
            # Connections of hosts that are done must not pile up; politeness limits those in use.
            idle = min(15.0, self.config.delay + 4)
            self._open = aiohttp.ClientSession(
                connector=Connector(resolver=self.guard, use_dns_cache=False, limit=0, keepalive_timeout=idle),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=self.config.timeout or None),
                headers={"User-Agent": self.user_agent, "Accept": ACCEPT, "Accept-Encoding": CODINGS},
                auto_decompress=False,
                # Through a proxy, the address at the other end says nothing about the server.
                response_class=aiohttp.ClientResponse if self._proxy else PeerResponse,
                max_line_size=MAX_HEADER_BYTES,
                max_field_size=MAX_HEADER_BYTES,
            )
            # aiohttp would retry at once on a broken connection, past the delay. There is no public setting for this.
            self._open._retry_connection = False
        return self._open


def _forget(answer: Fetched) -> None:
    """Nobody keeps an archive."""


def _know_nothing(url: str, max_days: float | None) -> Fetched | None:
    """Nobody has asked before."""
    return None


def _target(url: str) -> URL:
    """The URL exactly as spelled: quoting it again might make another one of it."""
    return URL(url, encoded=True)


def _proxy(text: str) -> URL | None:
    proxy = URL(text) if text else None
    if proxy is not None and not (proxy.scheme == "http" and proxy.host):
        raise ConfigError(f"proxy must be like 'http://proxy.example:3128', not {text!r}")
    return proxy


def _user_agent(config: Fetch) -> str:
    contact = config.contact or "no contact given"
    agent = config.user_agent or f"clew/{__version__} (+{contact})"
    if not agent.isprintable() or not agent.isascii():
        raise ConfigError("user_agent and contact must be plain ASCII: 'mybot/1.0 (+https://example.org/bot)'")
    return agent
