"""The records of a WARC 1.1 file, each as a gzip member of its own, which can be read from its offset."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha1
from http import HTTPStatus
from typing import Final
from uuid import uuid4

from isal import isal_zlib

from clew.types import Fetched

# A name of its own: under the URL of the page, other tools would show the rendered page in place of the answer.
RENDERED: Final = "urn:clew:rendered:"
# The body is stored without its transfer encoding; headers that describe the encoding would be wrong.
TRANSFER_HEADERS: Final = frozenset({"transfer-encoding", "content-length", "connection", "keep-alive", "trailer"})
REVISIT_PROFILE: Final = "http://netpreserve.org/warc/1.1/revisit/"
GZIP_WINDOW_BITS: Final = 31  # the largest window, with a gzip header
REQUEST_TYPE: Final = "application/http; msgtype=request"
RESPONSE_TYPE: Final = "application/http; msgtype=response"
HTML_TYPE: Final = "text/html; charset=utf-8"

Fields = Sequence[tuple[str, str]]


def answer(fetched: Fetched, at: float) -> bytes:
    """An answer: its response record, then the request, and the page as a browser has rendered it."""
    if fetched.body and not fetched.raw:
        fetched = _unpacked(fetched)
    number = _new_id()
    block = _head(fetched) + fetched.raw
    fields = [("WARC-Payload-Digest", _digest(fetched.raw)), *_circumstances(fetched)]
    members = [_member("response", number, at, fetched.url, RESPONSE_TYPE, block, fields), request(fetched, at, number)]
    if fetched.rendered:
        members.append(rendered(fetched.url, fetched.rendered, at, number))
    if fetched.cache:
        members.append(origin(fetched, number))
    return b"".join(members)


def revisit(fetched: Fetched, at: float, earlier: float) -> bytes:
    """An answer that equals the one of an earlier time, and its request; the server says so (304) or the bytes do."""
    number = _new_id()
    fields = [("WARC-Refers-To-Target-URI", fetched.url), ("WARC-Refers-To-Date", date(earlier))]
    if fetched.status == HTTPStatus.NOT_MODIFIED:
        fields.append(("WARC-Profile", f"{REVISIT_PROFILE}server-not-modified"))
    else:
        fields.append(("WARC-Profile", f"{REVISIT_PROFILE}identical-payload-digest"))
        fields.append(("WARC-Payload-Digest", _digest(fetched.raw)))
    fields += _circumstances(fetched)
    member = _member("revisit", number, at, fetched.url, RESPONSE_TYPE, _head(fetched), fields)
    return member + request(fetched, at, number)


def request(fetched: Fetched, at: float, answer_id: str) -> bytes:
    """The request that led to an answer; nothing if its headers are unknown, as those of a simulated web are."""
    if not fetched.request_headers:
        return b""
    lines = [f"GET {_path(fetched.url)} HTTP/1.1", *(f"{name}: {value}" for name, value in fetched.request_headers)]
    block = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")
    fields = [("WARC-Concurrent-To", answer_id)]
    return _member("request", _new_id(), at, fetched.url, REQUEST_TYPE, block, fields)


def rendered(url: str, html: bytes, at: float, answer_id: str) -> bytes:
    """The page after its scripts have run."""
    fields = [("WARC-Concurrent-To", answer_id), ("WARC-Payload-Digest", _digest(html))]
    return _member("resource", _new_id(), at, RENDERED + url, HTML_TYPE, html, fields)


def origin(fetched: Fetched, answer_id: str) -> bytes:
    """Where an answer comes from that no server has just sent: the response itself has the date of its fetching."""
    block = f"fetched-from-cache: {fetched.cache}\r\nfetched-at: {date(fetched.fetched_at)}\r\n".encode()
    now = datetime.now(UTC).timestamp()
    fields = [("WARC-Refers-To", answer_id)]
    return _member("metadata", _new_id(), now, fetched.url, "application/warc-fields", block, fields)


def info(software: str) -> bytes:
    """The first record of a file, which says who wrote it."""
    block = f"software: {software}\r\nformat: WARC File Format 1.1\r\n".encode()
    return _member("warcinfo", _new_id(), datetime.now(UTC).timestamp(), "", "application/warc-fields", block)


def date(at: float) -> str:
    """The time as it stands in WARC-Date; a reference to a record must repeat its date to the letter.

    >>> date(0), date(1.25)
    ('1970-01-01T00:00:00Z', '1970-01-01T00:00:01.250000Z')
    """
    return datetime.fromtimestamp(at, UTC).isoformat().removesuffix("+00:00") + "Z"


def _member(
    kind: str, number: str, at: float, target: str, content_type: str, block: bytes, fields: Fields = ()
) -> bytes:
    # Written by hand: this is in the path of every page, and record objects cost more than the record.
    lines = ["WARC/1.1", f"WARC-Type: {kind}", f"WARC-Record-ID: {number}", f"WARC-Date: {date(at)}"]
    if target:
        lines.append(f"WARC-Target-URI: {target}")
    lines += [f"{name}: {value}" for name, value in fields]
    lines += [f"WARC-Block-Digest: {_digest(block)}", f"Content-Type: {content_type}", f"Content-Length: {len(block)}"]
    head = ("\r\n".join(lines) + "\r\n\r\n").encode()
    return isal_zlib.compress(b"".join((head, block, b"\r\n\r\n")), level=1, wbits=GZIP_WINDOW_BITS)


def _unpacked(fetched: Fetched) -> Fetched:
    """The answer of a fetcher that knows only the decoded body: it is archived as if it had been sent so."""
    headers = tuple([field for field in fetched.headers if field[0].lower() != "content-encoding"])
    return replace(fetched, raw=fetched.body, headers=headers)


def _circumstances(fetched: Fetched) -> Fields:
    """Who answered, and why the body is not all that was sent."""
    fields = [("WARC-IP-Address", fetched.address), ("WARC-Truncated", fetched.truncated)]
    return [field for field in fields if field[1]]


def _head(fetched: Fetched) -> bytes:
    lines = [f"HTTP/1.1 {fetched.status} {_phrase(fetched.status)}"]
    lines += [f"{name}: {value}" for name, value in fetched.headers if name.lower() not in TRANSFER_HEADERS]
    lines.append(f"Content-Length: {len(fetched.raw)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Unknown"


def _path(url: str) -> str:
    """What the first line of a request names.

    >>> _path("http://a.org/x?y=1"), _path("http://a.org")
    ('/x?y=1', '/')
    """
    return "/" + url.partition("://")[2].partition("/")[2]


def _digest(data: bytes) -> str:
    return f"sha1:{b32encode(sha1(data).digest()).decode()}"


def _new_id() -> str:
    return f"<urn:uuid:{uuid4()}>"
