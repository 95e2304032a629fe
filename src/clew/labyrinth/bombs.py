"""Compression bombs: a few kilobytes that unpack to many megabytes, made when first needed."""

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
