from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.fetch._body import Body
from clew.fetch._failure import Failure


def bare(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(data) + stream.flush()


ENCODE = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "deflate ": bare,
    "br": brotli.compress,
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


@given(st.sampled_from(["gzip", "deflate", "br"]), st.binary(min_size=1, max_size=300))
def test_rubbish_is_a_failure_or_a_body_never_a_crash(coding, rubbish):
    body = Body(coding, 1000, 1000)
    try:
        body.feed(rubbish)
        body.end()
    except Failure as failure:
        assert failure.word in ("bad answer", "too large")
    assert len(body.both()[1]) <= 1000


@pytest.mark.parametrize("coding", sorted(ENCODE))
def test_what_fits_is_kept_at_either_limit(coding):
    data = bytes(range(256)) * 40
    wire = ENCODE[coding](data)
    body = Body(coding, 100_000, 1000)
    with pytest.raises(Failure, match="too large"):
        body.feed(wire)
    assert body.both()[1] == data[:1000]
    body = Body(coding, 50, 100_000)
    with pytest.raises(Failure, match="on the wire"):
        body.feed(wire)
    assert body.both()[0] == wire[:50]


def test_an_empty_body_is_whole_in_any_coding():
    for coding in ENCODE:
        body = Body(coding, 10, 10)
        body.end()
        assert body.both() == (b"", b"")


@pytest.mark.parametrize("coding", ["zstd", "compress", "gzip, gzip", "gzip,br"])
def test_what_we_did_not_ask_for(coding):
    with pytest.raises(Failure, match="did not ask for"):
        Body(coding, 10, 10)
