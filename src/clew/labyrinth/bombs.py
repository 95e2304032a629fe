"""Bombs: a few kilobytes that become many megabytes when they are unpacked; made when first asked for."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache
from typing import Final

import brotli

BOMB: Final = 64_000_000  # bytes of zeros
MEGABYTE: Final = bytes(1_000_000)


def _zeros(wbits: int) -> bytes:
    press = zlib.compressobj(6, zlib.DEFLATED, wbits)
    return b"".join(press.compress(MEGABYTE) for _ in range(BOMB // len(MEGABYTE))) + press.flush()


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
    press = zlib.compressobj(9, zlib.DEFLATED, 31)
    return press.compress(_gzip_bomb()) + press.flush()


@cache
def _brotli_bomb() -> bytes:
    press = brotli.Compressor(quality=1)
    return b"".join(press.process(MEGABYTE) for _ in range(BOMB // len(MEGABYTE))) + bytes(press.finish())


BOMBS: Final[tuple[tuple[str, Callable[[], bytes]], ...]] = (
    ("gzip", _gzip_bomb),
    ("deflate", _zlib_bomb),
    ("deflate", _raw_bomb),
    ("gzip, gzip", _double_bomb),
    ("br", _brotli_bomb),
)
