"""robots.txt: fetched once for each origin before its first page, and obeyed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from clew.parse.robots import SIZE as SIZE
from clew.parse.robots import RobotsTxt, robots_txt, token
from clew.types import Fetched

MAX_AGE_SECONDS: Final = 86_400.0  # of a copy (RFC 9309, 2.4)
RETRY_SECONDS: Final = 300.0  # until an unavailable robots.txt is fetched again
MAX_REDIRECTS: Final = 5
MAX_BYTES: Final = 32_000_000  # of all robots.txt files in memory; the oldest go first
BYTES_PER_ORIGIN: Final = 1000  # of memory, besides the rules themselves


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one origin; `unavailable` answers for its pages while robots.txt cannot be read."""

    origin: str
    until: float
    txt: RobotsTxt | None = None  # None: everything is allowed
    unavailable: Fetched | None = None
    size: int = BYTES_PER_ORIGIN

    @property
    def crawl_delay(self) -> float:
        """Seconds between two requests that the host asks for."""
        return self.txt.delay if self.txt else 0.0

    def denial(self, url: str, now: float) -> Fetched | None:
        """The answer for a page that may not be fetched, or None; robots.txt itself is always allowed."""
        if self.unavailable:
            return replace(self.unavailable, url=url, retry_after=max(0.0, self.until - now))
        if self.txt and not self.txt.allows(url) and url != f"{self.origin}/robots.txt":
            return Fetched(url, error="robots", detail=f"robots.txt of {self.origin} disallows this URL")
        return None


class Robots:
    """The rules of all origins.

    `ask` makes one request and follows no redirect; `on_unavailable` is called when a robots.txt cannot be read.

    >>> async def ask(url):
    ...     return Fetched(url, 200, body=b"User-agent: *\\nDisallow: /private")
    >>> rules = asyncio.run(Robots(ask, "clew").rules("http://example.org"))
    >>> rules.denial("http://example.org/private/x", now=0).detail
    'robots.txt of http://example.org disallows this URL'
    """

    def __init__(
        self,
        ask: Callable[[str], Awaitable[Fetched]],
        agent: str,
        on_unavailable: Callable[[str, Fetched], None] = lambda origin, answer: None,
        timeout: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask = ask
        self._agent = token(agent)
        self._on_unavailable = on_unavailable
        self._timeout = timeout
        self._clock = clock
        self._rules: dict[str, Rules] = {}
        self._asking: dict[str, asyncio.Task[Rules]] = {}
        self._size = 0

    def known(self, origin: str) -> Rules | None:
        """The rules of an origin if they have been read and are still fresh."""
        rules = self._rules.get(origin)
        return rules if rules and rules.until > self._clock() else None

    async def rules(self, origin: str) -> Rules:
        """The rules of an origin; concurrent callers share one fetch."""
        if rules := self.known(origin):
            return rules
        task = self._asking.get(origin)
        if task is None:
            task = self._asking[origin] = asyncio.create_task(self._fetch(origin))
            task.add_done_callback(lambda done: self._asking.pop(origin, None))
        # One caller that is cancelled must not take the fetch away from the others.
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Cancel all fetches."""
        tasks = list(self._asking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _fetch(self, origin: str) -> Rules:
        try:
            async with asyncio.timeout(self._timeout):
                answer = await self._follow(f"{origin}/robots.txt")
        except TimeoutError:
            answer = Fetched(origin, error="timeout", detail="no complete answer in time", transient=True)
        rules = self._read(origin, answer)
        old = self._rules.get(origin)
        # An expired copy is better than none (RFC 9309, 2.4).
        if rules.unavailable and old and not old.unavailable:
            rules = replace(old, until=max(rules.until, self._clock() + RETRY_SECONDS))
        self._keep(rules)
        if rules.unavailable:
            self._on_unavailable(origin, rules.unavailable)
        return rules

    async def _follow(self, url: str) -> Fetched:
        """The end of a chain of redirects; a longer chain counts as no robots.txt (RFC 9309, 2.3.1.2)."""
        answer = await self._ask(url)
        for _ in range(MAX_REDIRECTS):
            if not answer.location:
                break
            answer = await self._ask(answer.location)
            # The failure may be another host's. The host itself did answer, so it is not counted as down.
            if answer.error:
                return replace(answer, error="bad answer")
        return answer

    def _read(self, origin: str, answer: Fetched) -> Rules:
        if answer.error not in ("", "bad answer"):
            # Expired at once: the back-off of the host decides when it is asked again.
            return Rules(origin, self._clock(), unavailable=_unavailable(origin, answer, answer.error))
        malformed = answer.error and not 300 <= answer.status < 400
        if answer.status == 429 or answer.status >= 500 or malformed:
            wait = max(RETRY_SECONDS, min(answer.retry_after, MAX_AGE_SECONDS))
            unavailable = _unavailable(origin, answer, "robots", wait)
            return Rules(origin, self._clock() + wait, unavailable=unavailable)
        until = self._clock() + MAX_AGE_SECONDS
        # Other statuses mean that there are no rules (RFC 9309, 2.3.1.3).
        if not 200 <= answer.status < 300:
            return Rules(origin, until)
        size = BYTES_PER_ORIGIN + 2 * len(answer.body)
        return Rules(origin, until, robots_txt(answer.body, self._agent), size=size)

    def _keep(self, rules: Rules) -> None:
        if old := self._rules.pop(rules.origin, None):
            self._size -= old.size
        self._rules[rules.origin] = rules
        self._size += rules.size
        while self._size > MAX_BYTES:
            self._size -= self._rules.pop(next(iter(self._rules))).size


def _unavailable(origin: str, answer: Fetched, error: str, wait: float = 0.0) -> Fetched:
    reason = answer.detail or answer.error or f"HTTP {answer.status}"
    detail = f"robots.txt of {origin} cannot be read: {reason}"
    transient = error == "robots" or answer.transient
    return Fetched(origin, error=error, detail=detail, transient=transient, retry_after=wait)
