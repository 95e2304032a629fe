"""The requests of a page in the browser: every one is made by our own fetcher, or not at all."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from clew.fetch._base import NOT_YET
from clew.parse.url import canonical
from clew.types import Fetched

if TYPE_CHECKING:
    from playwright.async_api import Request, Route

BUSY_RETRY_SECONDS: Final = 0.1
REQUESTS: Final = 100  # of one page
HOPS: Final = 5
SHELF: Final = 64_000_000  # bytes of scripts kept for other pages
FETCHED: Final = frozenset({"script", "xhr", "fetch"})
PASSED_ON: Final = frozenset({"content-type", "content-security-policy", "x-content-type-options"})

Ask = Callable[[str], Awaitable[Fetched]]


class ResourceCache:
    """Scripts that several pages share, the latest so many bytes of them.

    >>> cache = ResourceCache(10)
    >>> for name in "ab":
    ...     cache.put(Fetched(name, 200, body=b"12345678"))
    >>> cache.get("a"), cache.get("b").url
    (None, 'b')
    """

    def __init__(self, room: int = SHELF) -> None:
        self._room, self._held = room, OrderedDict[str, Fetched]()

    def get(self, url: str) -> Fetched | None:
        """What was asked for before."""
        return self._held.get(url)

    def put(self, answer: Fetched) -> None:
        """Keep it, in the place of the oldest."""
        if answer.url not in self._held:
            self._held[answer.url] = answer
            self._room -= len(answer.body)
        while self._room < 0:
            self._room += len(self._held.popitem(last=False)[1].body)


class Traffic:
    """Answers what a page asks for: scripts and data from the web, style sheets empty, nothing else."""

    def __init__(self, ask: Ask, cache: ResourceCache, max_bytes: int) -> None:
        self._ask, self._cache = ask, cache
        self._requests, self._room = REQUESTS, max_bytes
        self.refused: dict[str, str] = {}  # URL -> why
        self.notes: tuple[str, ...] = ()

    async def serve(self, route: Route) -> None:
        """One request that is not for a page."""
        kind = route.request.resource_type
        answer = await self._fetch(route.request) if kind in FETCHED else None
        if kind == "stylesheet":  # scripts wait for it, and nobody looks at it
            await route.fulfill(status=200, content_type="text/css", body="")
        elif answer and not answer.error:
            await fulfil(route, answer)
        else:
            if answer:
                self.refuse(answer.url, answer.detail or answer.error)
            await route.abort("blockedbyclient")

    def refuse(self, url: str, why: str) -> None:
        """Remember what was not done."""
        self.refused.setdefault(url, why)

    async def _fetch(self, request: Request) -> Fetched:
        """Redirects included: the browser would follow them past us."""
        url = request.url
        if request.method != "GET":
            return Fetched(url, error="method", detail=f"{request.method} is not sent")
        for _ in range(HOPS):
            answer = await self._asked(url)
            if not answer.location or answer.error:
                if request.resource_type == "script" and answer.ok:
                    self._cache.put(answer)
                return answer
            url = answer.location
        return Fetched(request.url, error="redirects", detail=f"more than {HOPS} redirects")

    async def _asked(self, url: str) -> Fetched:
        address = canonical(url)
        if not address:
            return Fetched(url, error="address", detail="not a URL that can be fetched")
        if known := self._cache.get(address):
            return known
        self._requests -= 1
        if self._requests < 0 or self._room <= 0:
            return Fetched(url, error="too much", detail="the page asks for too much")
        while (answer := await self._ask(address)).error == NOT_YET:
            await asyncio.sleep(answer.retry_after or BUSY_RETRY_SECONDS)
        self._room -= len(answer.body)
        self.notes += answer.notes
        return answer


async def fulfil(route: Route, answer: Fetched) -> None:
    """Hand an answer to the browser; we asked without cookies or Origin, so any page may see what anybody may."""
    headers = {name.lower(): value for name, value in answer.headers if name.lower() in PASSED_ON}
    origin = route.request.headers.get("origin", "*")
    headers["access-control-allow-origin"] = origin
    if origin != "*":
        headers["access-control-allow-credentials"] = "true"
    await route.fulfill(status=answer.status, headers=headers, body=answer.body)
