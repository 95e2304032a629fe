"""Archived bodies decode to what was fetched."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest

from clew.parse import document, packed
from clew.parse.body import KEPT_BYTES, Body, BodyFailure, decoded
from clew.types import Fetched


@pytest.mark.parametrize(
    ("raw", "coding"),
    [
        (gzip.compress(b"page"), "gzip"),
        (gzip.compress(b"page") + b"garbage", "x-gzip"),
        (zlib.compress(b"page")[2:-4], "deflate"),
        (brotli.compress(b"page"), "br"),
        (b"page", "utf-8"),
        (b"page", "none"),
        (b"page", "gzip, br"),
    ],
    ids=["gzip", "gzip with more behind", "bare deflate", "br", "no coding", "none", "two codings"],
)
def test_what_is_archived_is_read_as_it_came(raw: bytes, coding: str) -> None:
    assert decoded(raw, coding) == b"page"


def test_an_empty_or_broken_archive_body_does_no_harm() -> None:
    assert decoded(b"", "br") == b""
    assert decoded(b"no gzip at all", "gzip") == b""


def test_a_large_body_is_held_as_it_came_and_decoded_when_asked_for() -> None:
    page = b"<p>The boats lie in the harbour. " * 200_000
    body = Body("gzip", max_bytes=1_000_000, max_body=10_000_000)
    raw = gzip.compress(page)
    for start in range(0, len(raw), 1000):
        body.feed(raw[start : start + 1000])
    assert body.length == len(page) > KEPT_BYTES
    assert sum(map(len, body._plain)) < 5000
    assert body.head(1024)[:1024] == page[:1024]
    assert body.both() == (raw, page)


def test_a_large_body_that_is_cut_has_the_first_bytes_up_to_the_limit() -> None:
    body = Body("br", max_bytes=1_000_000, max_body=3_000_000)
    with pytest.raises(BodyFailure, match="too large"):
        body.feed(brotli.compress(b"x" * 4_000_000))
    assert body.both()[1] == b"x" * 3_000_000


def test_a_large_answer_that_waits_takes_no_more_memory_than_it_took_on_the_wire() -> None:
    page = b"<title>Boats</title>" + b"<p>The boats lie in the harbour. " * 200_000
    answer = Fetched("http://a.org/", 200, (("Content-Encoding", "gzip"),), page, gzip.compress(page))
    waiting = packed(answer)
    assert waiting.body == b""
    assert document(waiting) == document(answer)
    assert document(waiting).title == "Boats"
    small = Fetched("http://a.org/", 200, (("Content-Encoding", "gzip"),), b"<p>page", gzip.compress(b"<p>page"))
    assert packed(small) is small
