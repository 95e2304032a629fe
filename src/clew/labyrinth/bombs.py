"""Bombs, made when first needed: a few kilobytes that unpack to many megabytes, or that cost a parser gigabytes."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache
from typing import Final

import brotli

BOMB: Final = 64_000_000  # bytes of zeros, unpacked
MEGABYTE: Final = bytes(1_000_000)


def _zeros(wbits: int) -> bytes:
    """The zeros in the format that zlib calls `wbits`: 31 is gzip, 15 zlib, -15 a bare deflate stream."""
    # Megabyte by megabyte: whoever makes a bomb should not need the memory that it costs.
    compressor = zlib.compressobj(6, zlib.DEFLATED, wbits)
    return b"".join(compressor.compress(MEGABYTE) for _ in range(BOMB // len(MEGABYTE))) + compressor.flush()


@cache
def _gzip_bomb() -> bytes:
    return _zeros(31)


@cache
def _zlib_bomb() -> bytes:
    return _zeros(15)


@cache
def _raw_bomb() -> bytes:
    return _zeros(-15)


@cache
def _double_bomb() -> bytes:
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
    return compressor.compress(_gzip_bomb()) + compressor.flush()


@cache
def _brotli_bomb() -> bytes:
    compressor = brotli.Compressor(quality=1)
    packed = b"".join(compressor.process(MEGABYTE) for _ in range(BOMB // len(MEGABYTE)))
    return packed + bytes(compressor.finish())


# "deflate" comes twice: the header means zlib's format, but servers send bare streams as well (RFC 9110, 8.4.1.2).
BOMBS: Final[tuple[tuple[str, Callable[[], bytes]], ...]] = (
    ("gzip", _gzip_bomb),
    ("deflate", _zlib_bomb),
    ("deflate", _raw_bomb),
    ("gzip, gzip", _double_bomb),
    ("br", _brotli_bomb),
)


# Each made to cost a parser memory or time with the square of its size; the last ones are only large.
MARKUP: Final[tuple[tuple[bytes, int], ...]] = (
    (b"<div>", 100_000),
    (b"x<tr a=b>", 300_000),
    (b"<frameset><frame src=a>", 200_000),
    (b"<table>x<tr a=b><td>y</td>x", 100_000),
    (b"x</body a=b><!--y-->", 200_000),
    (b"<b id=%d><table><td></b></table><p>x", 20_000),
    (b"<span><div></span></div>", 100_000),
    (b"<p>x", 7_000_000),
    (b"<a href=/%d>y</a>", 1_000_000),
    (b"The boats lie in the harbour. ", 900_000),
)


@cache
def markup_bomb(number: int) -> bytes:
    """One of the pages that are made to choke a parser, compressed with gzip."""
    piece, times = MARKUP[number % len(MARKUP)]
    compressor = zlib.compressobj(6, zlib.DEFLATED, 31)
    blocks = (_repeated(piece, start, min(start + 10_000, times)) for start in range(0, times, 10_000))
    return b"".join(map(compressor.compress, blocks)) + compressor.flush()


def _repeated(piece: bytes, start: int, end: int) -> bytes:
    # The number makes tags different that would be equal.
    return b"".join([piece % number for number in range(start, end)]) if b"%d" in piece else piece * (end - start)
