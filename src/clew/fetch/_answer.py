"""From aiohttp's response to our own value: what is read of it, and what its headers say."""

from __future__ import annotations

import asyncio
import re
import time
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final

import aiohttp

from clew.fetch._failure import brief
from clew.parse import mime
from clew.parse.body import Body, BodyFailure
from clew.parse.sniff import SNIFF, magic, noise
from clew.parse.url import canonical
from clew.types import Fetched

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
TRANSIENT: Final = frozenset({429, 500, 502, 503, 504})
YEAR: Final = 31_536_000.0
SURROGATE: Final = re.compile("[\udc80-\udcff]")
GRACE: Final = 10.0  # seconds before an answer must keep to the least rate

PDF: Final = "application/pdf"
GZIP: Final = "application/gzip"


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read of an answer; with `cut` a longer one is cut there, and any type will do."""

    max_bytes: int
    max_body: int
    cut: bool = False
    min_rate: float = 0.0  # bytes a second
    pdf: bool = False
    any_type: bool = False  # scripts and data too, for a page that is rendered


async def read(response: aiohttp.ClientResponse, limits: Limits) -> Body | None:
    """The body, if it is of a kind and a size that we want."""
    if not limits.cut:
        _check_head(response, limits)
    body = Body(response.headers.get("Content-Encoding", ""), limits.max_bytes, limits.max_body)
    try:
        await _pour(response, body, limits)
        body.end()
    except BodyFailure as error:
        if not (limits.cut and error.word == "too large"):
            raise
    return body


def _check_head(response: aiohttp.ClientResponse, limits: Limits) -> None:
    kind = response.headers.get("Content-Type", "")
    if not limits.any_type and not wanted(kind, limits.pdf) and not _packed(response):
        raise BodyFailure("content type", f"{kind[:100]} is not text")
    if (response.content_length or 0) > limits.max_bytes:
        raise BodyFailure("too large", f"{response.content_length} bytes announced, {limits.max_bytes} allowed")


def wanted(content_type: str, pdf: bool = False) -> bool:
    """Whether an answer that calls itself so is worth reading.

    >>> wanted("text/html; charset=x"), wanted("image/png"), wanted(""), wanted("nonsense")
    (True, False, True, True)
    """
    kind = mime.of(content_type)
    return kind.readable or (pdf and kind.essence == PDF)


async def _pour(response: aiohttp.ClientResponse, body: Body, limits: Limits) -> None:
    """Until the end, or until it takes too long, is too large or turns out to be no text."""
    loop, readany = asyncio.get_running_loop(), response.content.readany
    due, sniffed = loop.time() + GRACE, limits.cut or limits.any_type
    try:
        async with asyncio.timeout_at(due if limits.min_rate else None) as patience:
            while chunk := await readany():
                body.feed(chunk)
                if not sniffed and (sniffed := body.length >= SNIFF):
                    _check_content(response, body, limits)
                if limits.min_rate:
                    patience.reschedule(due + body.came / limits.min_rate)
    except TimeoutError:
        if not patience.expired():
            raise
        raise BodyFailure("timeout", f"less than {limits.min_rate:g} bytes a second", transient=True) from None
    if not sniffed:
        _check_content(response, body, limits)


def _check_content(response: aiohttp.ClientResponse, body: Body, limits: Limits) -> None:
    """Refuse what its own first bytes call a picture, an archive, a program, whatever the header says."""
    head, told = body.head(SNIFF), response.headers.get("Content-Type", "")
    kind = magic(head)
    if not kind and (mime.of(told).essence == PDF or (noise(head) and not _wide(head, told))):
        kind = "application/octet-stream"
    if kind and not (kind == PDF and limits.pdf) and not (kind == GZIP and _packed(response)):
        raise BodyFailure("content type", f"{kind} by its first bytes, not text")


def _packed(response: aiohttp.ClientResponse) -> bool:
    """Sitemaps may be gzip files; nobody asks for such a file who wants no sitemaps."""
    return response.url.raw_path.endswith((".xml.gz", ".txt.gz"))


def _wide(head: bytes, content_type: str) -> bool:
    """UTF-16 has a NUL in every other byte."""
    return head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or "utf-16" in content_type.lower()


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
        detail=brief(f"redirect to nowhere: {headers['Location']!r}") if location is None else "",
        location=location or "",
        seconds=seconds,
        transient=status in TRANSIENT,
        retry_after=retry_after(headers["Retry-After"]) if "Retry-After" in headers else 0.0,
    )


def failed(url: str, response: aiohttp.ClientResponse | None, trouble: BodyFailure | None, seconds: float) -> Fetched:
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
