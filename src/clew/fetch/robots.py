"""robots.txt: asked once for each origin before its first page, and obeyed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from clew.parse.robots import SIZE as SIZE
from clew.parse.robots import RobotsTxt, robots_txt, token
from clew.types import Fetched

DAY: Final = 86_400.0  # longest use of one copy (RFC 9309, 2.4)
AGAIN: Final = 300.0  # seconds until a robots.txt that answered "not now" is asked for again
REDIRECTS: Final = 5
ROOM: Final = 32_000_000  # bytes of robots.txt files that are kept; the oldest go first


@dataclass(frozen=True, slots=True)
class Rules:
    """What one origin allows; `silence` is the answer for its pages while robots.txt cannot be had."""

    origin: str
    until: float
    txt: RobotsTxt | None = None  # None: everything is allowed
    silence: Fetched | None = None
    size: int = 1000

    @property
    def crawl_delay(self) -> float:
        """Seconds that the host wants between two fetches."""
        return self.txt.delay if self.txt else 0.0

    def denial(self, url: str, now: float) -> Fetched | None:
        """The answer for a page that may not be fetched, None where it may; robots.txt itself always may."""
        if self.silence:
            return replace(self.silence, url=url, retry_after=max(0.0, self.until - now))
        if self.txt and not self.txt.allows(url) and url != f"{self.origin}/robots.txt":
            return Fetched(url, error="robots", detail=f"robots.txt of {self.origin} says no")
        return None


class Robots:
    """The rules of all origins; `ask` makes one request and follows no redirect, `silent` hears of failures.

    >>> async def ask(url):
    ...     return Fetched(url, 200, body=b"User-agent: *\\nDisallow: /private")
    >>> rules = asyncio.run(Robots(ask, "clew").rules("http://example.org"))
    >>> rules.denial("http://example.org/private/x", now=0).detail
    'robots.txt of http://example.org says no'
    """

    def __init__(
        self,
        ask: Callable[[str], Awaitable[Fetched]],
        agent: str,
        silent: Callable[[str, Fetched], None] = lambda origin, answer: None,
        timeout: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask, self._agent, self._silent = ask, token(agent), silent
        self._timeout, self._clock = timeout, clock
        self._rules: dict[str, Rules] = {}
        self._asking: dict[str, asyncio.Task[Rules]] = {}
        self._size = 0

    def known(self, origin: str) -> Rules | None:
        """The rules of an origin, if they have been read and are still fresh."""
        rules = self._rules.get(origin)
        return rules if rules and rules.until > self._clock() else None

    async def rules(self, origin: str) -> Rules:
        """The rules of an origin; all who ask at the same time wait for one fetch."""
        if rules := self.known(origin):
            return rules
        task = self._asking.get(origin)
        if task is None:
            task = self._asking[origin] = asyncio.create_task(self._fetch(origin))
            task.add_done_callback(lambda done: self._asking.pop(origin, None))
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Stop asking."""
        tasks = list(self._asking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _fetch(self, origin: str) -> Rules:
        try:
            async with asyncio.timeout(self._timeout):
                answer = await self._follow(f"{origin}/robots.txt")
        except TimeoutError:
            answer = Fetched(origin, error="timeout", detail="too slow", transient=True)
        rules = self._read(origin, answer)
        old = self._rules.get(origin)
        if rules.silence and old and not old.silence:  # an old copy is better than none (RFC 9309, 2.4)
            rules = replace(old, until=max(rules.until, self._clock() + AGAIN))
        self._keep(rules)
        if rules.silence:
            self._silent(origin, rules.silence)
        return rules

    async def _follow(self, url: str) -> Fetched:
        """The end of a chain of redirects; a longer one counts as no robots.txt (RFC 9309, 2.3.1.2)."""
        answer = await self._ask(url)
        for _ in range(REDIRECTS):
            if not answer.location:
                break
            answer = await self._ask(answer.location)
            if answer.error:  # of another host perhaps: this one did answer, only not well
                return replace(answer, error="bad answer")
        return answer

    def _read(self, origin: str, answer: Fetched) -> Rules:
        if answer.error not in ("", "bad answer"):
            # Not kept: the host's back-off decides when it is asked again.
            return Rules(origin, self._clock(), silence=_silence(origin, answer, answer.error))
        if answer.status == 429 or answer.status >= 500 or (answer.error and not 300 <= answer.status < 400):
            silence = _silence(origin, answer, "robots", max(AGAIN, min(answer.retry_after, DAY)))
            return Rules(origin, self._clock() + silence.retry_after, silence=silence)
        until = self._clock() + DAY
        if not 200 <= answer.status < 300:
            return Rules(origin, until)
        return Rules(origin, until, robots_txt(answer.body, self._agent), size=1000 + 2 * len(answer.body))

    def _keep(self, rules: Rules) -> None:
        if old := self._rules.pop(rules.origin, None):
            self._size -= old.size
        self._rules[rules.origin] = rules
        self._size += rules.size
        while self._size > ROOM:
            self._size -= self._rules.pop(next(iter(self._rules))).size


def _silence(origin: str, answer: Fetched, word: str, wait: float = 0.0) -> Fetched:
    reason = answer.detail or answer.error or f"status {answer.status}"
    detail = f"robots.txt of {origin} does not answer: {reason}"
    passing = word == "robots" or answer.transient
    return Fetched(origin, error=word, detail=detail, transient=passing, retry_after=wait)
