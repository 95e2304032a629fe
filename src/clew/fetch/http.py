"""Pages over HTTP: one request at a time for each URL, within limits of bytes and of time, and polite."""

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
from clew.fetch._base import NOT_YET
from clew.fetch._failure import failure
from clew.fetch.guard import Guard
from clew.fetch.politeness import BUSY_RETRY_SECONDS, Politeness, RequestSlots, Wait
from clew.fetch.robots import SIZE, Robots
from clew.parse import pdf
from clew.parse.body import CODINGS, BodyFailure
from clew.parse.url import host
from clew.types import Fetched
from clew.version import __version__

ACCEPT: Final = "text/html,application/xhtml+xml,application/xml;q=0.9,text/*;q=0.8,*/*;q=0.1"
HEADER: Final = 32_768  # bytes of one header line; real content security policies pass 8 KB
SCHEMES: Final = ("http://", "https://")
TOLD: Final = 10_000  # hosts of whose Crawl-delay we remember that it was told
ROBOTS: Final = Limits(SIZE, SIZE, cut=True)
NONE: Final[Mapping[str, str]] = MappingProxyType({})


class HttpFetcher:
    """Fetches from the open web: robots.txt, delays, address guard, limits.

    >>> fetcher = HttpFetcher(Fetch(contact="crawl@example.org"))
    >>> fetcher.user_agent.endswith(" (+crawl@example.org)")
    True
    >>> import asyncio
    >>> async def look() -> Fetched:
    ...     answer = await fetcher.get("http://127.0.0.1/")
    ...     await fetcher.close()
    ...     return answer
    >>> asyncio.run(look()).detail
    '127.0.0.1 is not a global address'
    """

    def __init__(self, config: Fetch, clock: Callable[[], float] = time.monotonic) -> None:
        self.config = config
        self.user_agent = _user_agent(config)
        self._proxy = _proxy(config.proxy)
        trusted = self._proxy.host if self._proxy else None
        self.guard = Guard(config.allow_private, config.resolve, config.ports, trusted or "")
        self.politeness = Politeness(config, clock)
        self.robots = Robots(self._ask_robots, self.user_agent, self._silent, config.timeout or None, clock)
        readable = config.pdf and pdf.installed()
        self._limits = Limits(config.max_bytes, config.max_body, min_rate=config.min_rate, pdf=readable)
        self._clock = clock
        self._open: aiohttp.ClientSession | None = None
        self._delays: dict[str, float] = {}  # Crawl-delays that were told

    async def get(self, url: str, conditions: Mapping[str, str] = NONE) -> Fetched:
        """One request, no redirect followed; what fails is told in the answer.

        Under conditions, headers such as If-None-Match, the answer may be a mere 304.
        """
        return await self._told(url, self._limits, conditions)

    async def part(self, url: str) -> Fetched:
        """As `get`, for what a page is made of: scripts and data are welcome."""
        return await self._told(url, replace(self._limits, any_type=True))

    async def _told(self, url: str, limits: Limits, conditions: Mapping[str, str] = NONE) -> Fetched:
        while (quiet := self.politeness.quiet - self._clock()) > 0:
            await asyncio.sleep(quiet)
        answer = await self._get(url, limits, conditions)
        news = self.politeness.news()
        return replace(answer, notes=answer.notes + news) if news else answer

    async def _get(self, url: str, limits: Limits, conditions: Mapping[str, str]) -> Fetched:
        if refusal := self._refusal(url):
            return Fetched(url, error="address", detail=refusal)
        name = host(url)
        if lost := self.politeness.given_up(name):
            return Fetched(url, error="host given up", detail=lost)
        origin = f"{url.partition(':')[0]}://{name}"
        rules = self.robots.known(origin)
        if self.config.robots and rules and (denial := rules.denial(url, self._clock())):
            return denial
        turn = await self._turn(url)
        if isinstance(turn, Fetched):
            return turn
        if wait := self.politeness.wait(turn):
            return _not_yet(url, wait)
        delay = 0.0
        if self.config.robots:
            rules = rules or await self.robots.rules(origin)
            if denial := rules.denial(url, self._clock()):
                return denial
            delay = rules.crawl_delay
            self.politeness.wish(name, delay)
            if wait := self.politeness.wait(turn):  # robots.txt was a request, too
                return _not_yet(url, wait)
        answer = await self._ask(url, limits, turn, conditions)
        if answer.error != "address":  # nobody was asked
            self.politeness.note(name, answer, delay)
        return replace(answer, notes=self._heard(name, delay)) if delay > self.config.delay else answer

    def pause(self, url: str) -> float:
        """Seconds to leave this URL's host alone."""
        return self.politeness.pause(host(url))

    async def close(self) -> None:
        """Let go of connections."""
        await self.robots.close()
        if self._open:
            await self._open.close()
        await self.guard.close()

    def _heard(self, name: str, delay: float) -> tuple[str, ...]:
        """For the journal, once for each host: that its Crawl-delay is obeyed, or not in full."""
        if self._delays.get(name) == delay:
            return ()
        if len(self._delays) >= TOLD:
            self._delays.clear()
        self._delays[name] = delay
        limit = self.config.max_delay
        rest = f"; {max(limit, self.config.delay):g} is the most that we wait (max_delay)" if delay > limit else ""
        return (f"robots.txt of {name} asks for {delay:g} seconds between two fetches{rest}",)

    async def _ask_robots(self, url: str) -> Fetched:
        """Waits here for its turn, for a redirect may lead to a host that nobody has a turn at."""
        if refusal := self._refusal(url):
            return Fetched(url, error="address", detail=refusal)
        turn = await self._turn(url, count=False)
        if isinstance(turn, Fetched):
            return turn
        while wait := self.politeness.wait(turn):
            await asyncio.sleep(wait.seconds or BUSY_RETRY_SECONDS)
        return await self._ask(url, ROBOTS, turn)

    def _silent(self, origin: str, answer: Fetched) -> None:
        """A host without a word on robots.txt has failed, as if it had been asked for a page."""
        if answer.error != "address":
            busy = answer if answer.error != "robots" else replace(answer, status=503)
            self.politeness.note(host(origin), busy)

    async def _turn(self, url: str, count: bool = True) -> RequestSlots | Fetched:
        """Whom a request concerns, once its name is looked up; or that it leads nowhere."""
        if self._proxy:
            return self.politeness.turn(url)
        started = self._clock()
        try:
            async with asyncio.timeout(self.config.timeout or None):
                return self.politeness.turn(url, await self.guard.addresses(_target(url).raw_host or ""))
        except OSError as error:  # timeouts are such, too
            answer = failed(url, None, failure(error), self._clock() - started)
        if count and answer.error != "address":
            self.politeness.note(host(url), answer)
        return answer

    async def _ask(self, url: str, limits: Limits, turn: RequestSlots, conditions: Mapping[str, str] = NONE) -> Fetched:
        started, response, body, trouble = self._clock(), None, None, None
        self.politeness.begin(turn)
        try:
            extra = {**conditions, "Accept": "*/*"} if limits.any_type else conditions
            response = await self._session().get(_target(url), headers=extra, allow_redirects=False, proxy=self._proxy)
            body = await read(response, limits)
        except (BodyFailure, aiohttp.ClientError, OSError, ValueError, RuntimeError) as error:
            trouble = failure(error)
        finally:
            if response:
                response.close()
            self.politeness.end(turn)
        seconds = self._clock() - started
        if response is None or (trouble and 200 <= response.status < 300):
            return failed(url, response, trouble, seconds)
        return answered(url, response, body, seconds)

    def _refusal(self, url: str) -> str:
        """Why a URL may not be asked for, as far as its spelling tells; names are the resolver's matter."""
        if not url.startswith(SCHEMES):
            return "only http and https are fetched"
        if " " in url or not (url.isascii() and url.isprintable()):
            return "not a canonical URL"
        try:
            target = _target(url)
            if not target.raw_host or target.raw_user is not None or target.raw_password is not None:
                return "not a canonical URL: it has no host, or credentials"
            return self.guard.refusal(target.raw_host, target.port)
        except ValueError as error:
            return f"not a URL that can be fetched: {error}"

    def _session(self) -> aiohttp.ClientSession:
        """Made at the first request, for it belongs to the running loop."""
        if self._open is None:
            # Connections of hosts that are done must not pile up; politeness limits those in use.
            idle = min(15.0, self.config.delay + 4)
            self._open = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    resolver=self.guard, use_dns_cache=False, limit=0, keepalive_timeout=idle
                ),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=self.config.timeout or None),
                headers={"User-Agent": self.user_agent, "Accept": ACCEPT, "Accept-Encoding": CODINGS},
                auto_decompress=False,
                max_line_size=HEADER,
                max_field_size=HEADER,
            )
            # On a broken connection aiohttp would ask again at once; we do so after the delay. It has no public name.
            self._open._retry_connection = False
        return self._open


def _target(url: str) -> URL:
    """The URL as it stands: quoted anew it might be another one."""
    return URL(url, encoded=True)


def _not_yet(url: str, wait: Wait) -> Fetched:
    return Fetched(url, error=NOT_YET, detail=wait.place, retry_after=wait.seconds)


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
