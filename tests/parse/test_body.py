"""Archived bodies decode to what was fetched."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest

from clew.parse.body import decoded


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
