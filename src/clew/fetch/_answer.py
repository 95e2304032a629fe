"""From aiohttp's response to our own value: what is read of it, and what its headers say."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final

import aiohttp

from clew.parse.body import Body, Failure
from clew.parse.url import canonical
from clew.types import Fetched

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
TRANSIENT: Final = frozenset({429, 500, 502, 503, 504})
YEAR: Final = 31_536_000.0
SURROGATE: Final = re.compile("[\udc80-\udcff]")
READABLE: Final = re.compile(
    r"\s*(|text/[^;]*|application/(xhtml\+)?xml|(?!image/)[^/;]+/[^;]+\+xml)\s*(;.*)?", re.I | re.S
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read of an answer; with `cut` a longer one is cut there, and any type will do."""

    max_bytes: int
    max_body: int
    cut: bool = False


async def read(response: aiohttp.ClientResponse, limits: Limits) -> Body | None:
    """The body, if it is of a kind and a size that we want."""
    kind = response.headers.get("Content-Type", "")
    if not limits.cut and not READABLE.fullmatch(kind):
        raise Failure("content type", f"{kind} is not text")
    if not limits.cut and (response.content_length or 0) > limits.max_bytes:
        raise Failure("too large", f"{response.content_length} bytes announced, {limits.max_bytes} allowed")
    body = Body(response.headers.get("Content-Encoding", ""), limits.max_bytes, limits.max_body)
    readany = response.content.readany
    try:
        while chunk := await readany():
            body.feed(chunk)
        body.end()
    except Failure as error:
        if not (limits.cut and error.word == "too large"):
            raise
    return body


def answered(url: str, response: aiohttp.ClientResponse, body: Body | None, seconds: float) -> Fetched:
    raw, plain = body.both() if body else (b"", b"")
    headers, status = response.headers, response.status
    location = canonical(_unicode(headers["Location"]), url) if status in REDIRECTS and "Location" in headers else ""
    return Fetched(
        url,
        status,
        _latin(response.raw_headers),
        plain,
        raw,
        error="bad answer" if location is None else "",
        detail=f"redirect to nowhere: {headers['Location']!r}" if location is None else "",
        location=location or "",
        seconds=seconds,
        transient=status in TRANSIENT,
        retry_after=retry_after(headers["Retry-After"]) if "Retry-After" in headers else 0.0,
    )


def failed(url: str, response: aiohttp.ClientResponse | None, trouble: Failure | None, seconds: float) -> Fetched:
    return Fetched(
        url,
        response.status if response else 0,
        _latin(response.raw_headers) if response else (),
        error=trouble.word if trouble else "bad answer",
        detail=trouble.detail if trouble else "nothing came",
        seconds=seconds,
        transient=trouble is not None and trouble.transient,
    )


def retry_after(value: str, now: Callable[[], float] = time.time) -> float:
    """Seconds from either form of Retry-After; 0 where it makes no sense.

    >>> retry_after("120"), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", now=lambda: 0)
    (120.0, 60.0)
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value), YEAR)
    try:
        return min(max(0.0, parsedate_to_datetime(value).timestamp() - now()), YEAR)
    except (ValueError, OverflowError):
        return 0.0


def _latin(headers: tuple[tuple[bytes, bytes], ...]) -> tuple[tuple[str, str], ...]:
    """Header bytes as text that gives the same bytes back."""
    return tuple([(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers])


def _unicode(text: str) -> str:
    """Bytes that are no UTF-8 come from aiohttp as lone surrogates; in a URL they are percent-encoded."""
    return SURROGATE.sub(lambda found: f"%{ord(found[0]) - 0xDC00:02X}", text)
