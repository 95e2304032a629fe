"""Serves the requests of a page in the browser: each is made by our own fetcher, or not at all."""

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
MAX_REQUESTS_PER_PAGE: Final = 100
MAX_REDIRECTS: Final = 5
CACHE_BYTES: Final = 64_000_000  # of scripts that several pages share
FETCHED_TYPES: Final = frozenset({"script", "xhr", "fetch"})
PASSED_HEADERS: Final = frozenset({"content-type", "content-security-policy", "x-content-type-options"})

Ask = Callable[[str], Awaitable[Fetched]]


class ResourceCache:
    """Scripts that several pages share; the oldest go when there are too many bytes.

    >>> cache = ResourceCache(10)
    >>> for name in "ab":
    ...     cache.put(Fetched(name, 200, body=b"12345678"))
    >>> cache.get("a"), cache.get("b").url
    (None, 'b')
    """

    def __init__(self, room: int = CACHE_BYTES) -> None:
        self._room = room
        self._answers: OrderedDict[str, Fetched] = OrderedDict()

    def get(self, url: str) -> Fetched | None:
        """The answer for a URL, if it is here."""
        return self._answers.get(url)

    def put(self, answer: Fetched) -> None:
        """Keep an answer; the oldest ones make room."""
        if answer.url not in self._answers:
            self._answers[answer.url] = answer
            self._room -= len(answer.body)
        while self._room < 0:
            _, oldest = self._answers.popitem(last=False)
            self._room += len(oldest.body)


class Traffic:
    """Answers the requests of one page: fetches scripts and data, sends empty style sheets, refuses the rest."""

    def __init__(self, ask: Ask, cache: ResourceCache, max_bytes: int) -> None:
        self._ask = ask
        self._cache = cache
        self._requests_left = MAX_REQUESTS_PER_PAGE
        self._bytes_left = max_bytes
        self.refused: dict[str, str] = {}  # URL -> reason
        self.notes: tuple[str, ...] = ()

    async def serve(self, route: Route) -> None:
        """Serve one request that is not a navigation."""
        kind = route.request.resource_type
        answer = await self._fetch(route.request) if kind in FETCHED_TYPES else None
        if kind == "stylesheet":
            # Scripts wait for style sheets, but nobody looks at the page.
            await route.fulfill(status=200, content_type="text/css", body="")
        elif answer and not answer.error:
            await fulfil(route, answer)
        else:
            if answer:
                self.refuse(answer.url, answer.detail or answer.error)
            await route.abort("blockedbyclient")

    def refuse(self, url: str, reason: str) -> None:
        """Remember a request that was refused, for the journal."""
        self.refused.setdefault(url, reason)

    async def _fetch(self, request: Request) -> Fetched:
        """The answer at the end of all redirects, which the browser would follow without asking us."""
        url = request.url
        if request.method != "GET":
            return Fetched(url, error="method", detail=f"{request.method} requests are not sent")
        for _ in range(MAX_REDIRECTS):
            answer = await self._fetch_once(url)
            if not answer.location or answer.error:
                if request.resource_type == "script" and answer.ok:
                    self._cache.put(answer)
                return answer
            url = answer.location
        return Fetched(request.url, error="redirects", detail=f"more than {MAX_REDIRECTS} redirects")

    async def _fetch_once(self, url: str) -> Fetched:
        target = canonical(url)
        if not target:
            return Fetched(url, error="address", detail="not a URL that can be fetched")
        if cached := self._cache.get(target):
            return cached
        self._requests_left -= 1
        if self._requests_left < 0 or self._bytes_left <= 0:
            return Fetched(url, error="too much", detail="the page makes too many requests, or too large ones")
        while (answer := await self._ask(target)).error == NOT_YET:
            await asyncio.sleep(answer.retry_after or BUSY_RETRY_SECONDS)
        self._bytes_left -= len(answer.body)
        self.notes += answer.notes
        return answer


async def fulfil(route: Route, answer: Fetched) -> None:
    """Hand an answer to the browser."""
    headers = {name.lower(): value for name, value in answer.headers if name.lower() in PASSED_HEADERS}
    # The request carried neither cookies nor Origin, so the answer is public and any page may read it.
    origin = route.request.headers.get("origin", "*")
    headers["access-control-allow-origin"] = origin
    if origin != "*":
        headers["access-control-allow-credentials"] = "true"
    await route.fulfill(status=answer.status, headers=headers, body=answer.body)
