"""Turns a response of aiohttp into a `Fetched`: reads its body within limits, and its headers."""

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
from clew.fetch._response import peer, sent_headers, truncation
from clew.parse import mime
from clew.parse.body import Body, BodyFailure
from clew.parse.guess import from_pattern
from clew.parse.sniff import SNIFF, magic, noise
from clew.parse.url import canonical, spelled
from clew.types import Fetched

REDIRECT_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
TRANSIENT_STATUSES: Final = frozenset({429, 500, 502, 503, 504})
MAX_RETRY_AFTER_SECONDS: Final = 31_536_000.0  # a year
SURROGATE: Final = re.compile("[\udc80-\udcff]")
GRACE_SECONDS: Final = 10.0  # before an answer must keep to the minimum rate

PDF: Final = "application/pdf"
GZIP: Final = "application/gzip"


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read of an answer."""

    max_bytes: int  # on the wire
    max_body: int  # bytes after decompression
    cut: bool = False  # a longer answer is cut, not refused; its type does not matter
    min_rate: float = 0.0  # bytes per second
    pdf: bool = False
    media: bool = False  # images, sounds and films
    any_type: bool = False  # scripts and data too, for a page that is rendered


async def read(response: aiohttp.ClientResponse, limits: Limits) -> Body | None:
    """The body; raises BodyFailure if its type or size is not wanted."""
    if not limits.cut:
        _check_head(response, limits)
    body = Body(response.headers.get("Content-Encoding", ""), limits.max_bytes, limits.max_body)
    try:
        await _read_into(body, response, limits)
        body.end()
    except BodyFailure as error:
        if not (limits.cut and error.word == "too large"):
            raise
        body.is_cut = True
    return body


def _check_head(response: aiohttp.ClientResponse, limits: Limits) -> None:
    content_type = response.headers.get("Content-Type", "")
    if not limits.any_type and not wanted(content_type, limits.pdf, limits.media) and not _may_be_gzip_file(response):
        raise BodyFailure("content type", f"{content_type[:100]} is not text")
    if (response.content_length or 0) > limits.max_bytes:
        raise BodyFailure("too large", f"{response.content_length} bytes announced, {limits.max_bytes} allowed")


def wanted(content_type: str, pdf: bool = False, media: bool = False) -> bool:
    """Whether an answer with this Content-Type is read.

    >>> wanted("text/html; charset=x"), wanted("image/png"), wanted(""), wanted("nonsense")
    (True, False, True, True)
    """
    kind = mime.of(content_type)
    return kind.readable or (pdf and kind.essence == PDF) or (media and kind.media)


async def _read_into(body: Body, response: aiohttp.ClientResponse, limits: Limits) -> None:
    """Read to the end; raise BodyFailure if the answer is too slow, too large or turns out not to be text."""
    read_chunk = response.content.readany
    due = asyncio.get_running_loop().time() + GRACE_SECONDS
    checked = limits.cut or limits.any_type or (limits.media and _calls_itself_media(response))
    try:
        async with asyncio.timeout_at(due if limits.min_rate else None) as deadline:
            while chunk := await read_chunk():
                body.feed(chunk)
                # Binary files are refused after their first bytes, not after megabytes.
                if not checked and body.length >= SNIFF:
                    checked = True
                    _check_content(response, body, limits)
                if limits.min_rate:
                    # Every byte buys time, so a fast answer never meets this deadline, but a trickle does.
                    deadline.reschedule(due + body.came / limits.min_rate)
    except TimeoutError:
        if not deadline.expired():
            raise
        raise BodyFailure("timeout", f"slower than {limits.min_rate:g} bytes per second", transient=True) from None
    if not checked:
        _check_content(response, body, limits)


def _check_content(response: aiohttp.ClientResponse, body: Body, limits: Limits) -> None:
    """Refuse a picture, an archive or a program by its first bytes, whatever the header says."""
    head = body.head(SNIFF)
    content_type = response.headers.get("Content-Type", "")
    kind = magic(head)
    if not kind:
        calls_itself_pdf = mime.of(content_type).essence == PDF
        if calls_itself_pdf or (noise(head) and not _is_utf16(head, content_type)):
            kind = "application/octet-stream"
    if not kind:
        return
    allowed = (kind == PDF and limits.pdf) or (kind == GZIP and _may_be_gzip_file(response))
    if not allowed:
        raise BodyFailure("content type", f"{kind} by its first bytes, not text")


def _calls_itself_media(response: aiohttp.ClientResponse) -> bool:
    return mime.of(response.headers.get("Content-Type", "")).media


def _may_be_gzip_file(response: aiohttp.ClientResponse) -> bool:
    """Whether the URL is that of a packed sitemap; only crawls that read sitemaps ask for such a file."""
    return response.url.raw_path.endswith((".xml.gz", ".txt.gz"))


def _is_utf16(head: bytes, content_type: str) -> bool:
    """Whether NUL in every other byte is what the encoding makes of plain text."""
    is_declared = head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or "utf-16" in content_type.lower()
    return is_declared or from_pattern(head).startswith("utf-16")


def answered(
    url: str, response: aiohttp.ClientResponse, body: Body | None, seconds: float, trouble: BodyFailure | None = None
) -> Fetched:
    """An answer that came, of any status; `trouble` says why there is no body."""
    raw, plain = body.both() if body else (b"", b"")
    headers = response.headers
    location: str | None = ""
    if response.status in REDIRECT_STATUSES and "Location" in headers:
        location = _location(headers["Location"], url)
    error = detail = ""
    if location is None:
        error = "bad answer"
        detail = brief(f"redirect to an invalid URL: {headers['Location']!r}")
    return Fetched(
        url,
        response.status,
        _latin(response.raw_headers),
        plain,
        raw,
        error=error,
        detail=detail,
        location=location or "",
        seconds=seconds,
        transient=response.status in TRANSIENT_STATUSES,
        retry_after=retry_after(headers["Retry-After"]) if "Retry-After" in headers else 0.0,
        address=peer(response),
        request_headers=sent_headers(response),
        truncated="length" if body and body.is_cut else truncation(trouble),
    )


def failed(url: str, response: aiohttp.ClientResponse | None, trouble: BodyFailure | None, seconds: float) -> Fetched:
    """A request that failed, with the head of its response if one came."""
    return Fetched(
        url,
        response.status if response else 0,
        _latin(response.raw_headers) if response else (),
        error=trouble.word if trouble else "bad answer",
        detail=trouble.detail if trouble else "no response",
        seconds=seconds,
        transient=trouble is not None and trouble.transient,
        address=peer(response),
        request_headers=sent_headers(response),
        truncated=truncation(trouble),
    )


def retry_after(value: str, now: Callable[[], float] = time.time) -> float:
    """Seconds from either form of Retry-After; 0 if it cannot be read.

    >>> retry_after("120"), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", now=lambda: 0)
    (120.0, 60.0)
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value), MAX_RETRY_AFTER_SECONDS)
    try:
        return min(max(0.0, parsedate_to_datetime(value).timestamp() - now()), MAX_RETRY_AFTER_SECONDS)
    except (ValueError, OverflowError):
        return 0.0


def _latin(headers: tuple[tuple[bytes, bytes], ...]) -> tuple[tuple[str, str], ...]:
    """Header bytes as text from which the same bytes can be restored."""
    return tuple([(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers])


def _location(text: str, url: str) -> str | None:
    """Where a redirect leads; None if that is no URL of a page."""
    text = _percent_encoded(text)
    target = canonical(text, url)
    # A server that redirects to the same URL insists on another spelling of its escapes.
    return spelled(text, url) if target == url else target


def _percent_encoded(location: str) -> str:
    """The URL with bytes outside UTF-8, which aiohttp decodes as lone surrogates, percent-encoded."""
    return SURROGATE.sub(lambda found: f"%{ord(found[0]) - 0xDC00:02X}", location)
