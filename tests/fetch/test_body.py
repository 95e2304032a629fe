from __future__ import annotations

import contextlib
import gzip
import zlib

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.parse.body import Body, BodyFailure, zstd


def bare(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(data) + stream.flush()


ENCODE = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "deflate ": bare,
    "br": brotli.compress,
    "zstd": zstd.compress,
    "": bytes,
}


@given(st.sampled_from(sorted(ENCODE)), st.binary(max_size=5000), st.integers(1, 300))
def test_any_split_into_chunks_gives_the_same(coding, data, size):
    wire = ENCODE[coding](data)
    body = Body(coding, 10_000, 10_000)
    for start in range(0, len(wire), size):
        body.feed(wire[start : start + size])
    body.end()
    assert body.both() == (wire, data)


@given(st.sampled_from(["gzip", "deflate", "br", "zstd"]), st.binary(min_size=1, max_size=300))
def test_rubbish_is_a_failure_or_a_body_never_a_crash(coding, rubbish):
    body = Body(coding, 1000, 1000)
    with contextlib.suppress(BodyFailure):
        body.feed(rubbish)
        body.end()
    assert len(body.both()[1]) <= 1000


@pytest.mark.parametrize("coding", sorted(ENCODE))
def test_what_fits_is_kept_at_either_limit(coding):
    data = bytes(range(256)) * 40
    wire = ENCODE[coding](data)
    body = Body(coding, 100_000, 1000)
    with pytest.raises(BodyFailure, match="too large"):
        body.feed(wire)
    assert body.both()[1] == data[:1000]
    body = Body(coding, 50, 100_000)
    with pytest.raises(BodyFailure, match="on the wire"):
        body.feed(wire)
    assert body.both()[0] == wire[:50]


def test_an_empty_body_is_whole_in_any_coding():
    for coding in ENCODE:
        body = Body(coding, 10, 10)
        body.end()
        assert body.both() == (b"", b"")


@pytest.mark.parametrize("coding", ["compress", "dcz", "gzip, gzip", "gzip,br"])
def test_what_we_did_not_ask_for(coding):
    with pytest.raises(BodyFailure, match="did not ask for"):
        Body(coding, 10, 10)


TEXT = b"thread of Ariadne " * 5000
CODED = {
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]),
    "GZIP": gzip.compress(TEXT) + b"\0\0trailing",
    "deflate": zlib.compress(TEXT),
    "Deflate": bare(TEXT),
    "br": brotli.compress(TEXT),
    "zstd": zstd.compress(TEXT),
    "ZSTD": zstd.compress(TEXT[:100]) + zstd.compress(TEXT[100:]) + b"trailing",
    "identity": TEXT,
    "utf-8": TEXT,
}


@pytest.mark.parametrize("coding", CODED)
def test_encodings(get, serve, answer, coding):
    wire = CODED[coding]
    got = get(serve({"/": answer(wire, Content_Encoding=coding)}), "/")
    assert (got.error, got.body == TEXT, got.raw == wire) == ("", True, True)


def test_chunks_are_joined(get, serve):
    wire = gzip.compress(TEXT)
    parts = b"".join(b"%x\r\n%s\r\n" % (len(wire[i : i + 7]), wire[i : i + 7]) for i in range(0, len(wire), 7))
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
    got = get(serve({"/": head + parts + b"0\r\n\r\n"}), "/")
    assert (got.raw, got.body) == (wire, TEXT)


@pytest.mark.parametrize("kind", ["gzip", "deflate", "br", "zstd"])
def test_bombs_are_stopped(get, serve, answer, shared, kind):
    bomb = (shared / "suites" / "bombs" / f"bomb-{kind}.bin").read_bytes()
    got = get(serve({"/": answer(bomb, Content_Encoding=kind)}), "/", max_body=1_000_000)
    assert (got.error, "after" in got.detail) == ("too large", True)
    assert (got.body, got.status) == (b"", 200)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "deflate ", "br", "zstd"])
def test_the_default_limits_stop_bombs_too(get, serve, answer, coding):
    zeros = bytes(40_000_000)
    bomb = brotli.compress(zeros, quality=1) if coding == "br" else ENCODE[coding](zeros)
    got = get(serve({"/": answer(bomb, Content_Encoding=coding.strip())}), "/")
    assert (got.error, "30000000" in got.detail, got.body) == ("too large", True, b"")


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_many_small_streams_are_a_bomb_too(get, serve, answer, coding):
    got = get(serve({"/": answer(ENCODE[coding](b"") * 5000, Content_Encoding=coding)}), "/")
    assert (got.error, "streams in a row" in got.detail) == ("bad answer", True)


def test_the_plain_body_is_limited(get, serve, answer):
    site = serve({"/": answer(b"x" * 3000), "/gz": answer(gzip.compress(b"x" * 3000), Content_Encoding="gzip")})
    assert [got.error for got in get(site, "/", "/gz", max_body=2999)] == ["too large"] * 2
    assert [got.error for got in get(site, "/", "/gz", max_body=3000)] == [""] * 2


@pytest.mark.parametrize("wire", [b"no gzip at all", gzip.compress(TEXT)[:-20], gzip.compress(TEXT)[:50] + b"?" * 200])
def test_broken_gzip(get, serve, answer, wire):
    got = get(serve({"/": answer(wire, Content_Encoding="gzip")}), "/")
    assert (got.error, got.body, got.transient) == ("bad answer", b"", False)


def test_a_zstd_window_larger_than_http_allows_is_refused():
    stream = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 27})
    wire = stream.compress(TEXT) + stream.flush()
    with pytest.raises(BodyFailure, match="broken zstd"):
        Body("zstd", 10**6, 10**6).feed(wire)


def test_one_large_stream_and_many_small_ones_are_joined_once():
    body = Body("gzip", 10**6, 30_000_000)
    body.feed(gzip.compress(bytes(25_000_000)) + gzip.compress(b"x") * 900)
    assert len(body.both()[1]) == 25_000_900
