"""The body of a response as it streams in, with limits on the wire and after decompression."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol

import brotli

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CODINGS: Final = "gzip, deflate, br, zstd"
NO_LIMIT_BYTES: Final = 2**31 - 2  # the greatest limit that the decoders accept
MAX_STREAMS_PER_BODY: Final = 1000  # each costs a copy of the rest of the chunk
ZSTD_WINDOW: Final = {int(zstd.DecompressionParameter.window_log_max): 23}  # 8 MB, the maximum in HTTP (RFC 9659)
BROKEN_STREAM: Final = (zlib.error, brotli.error, zstd.ZstdError)
CHUNK_BYTES: Final = 65_536  # of a complete body, decoded at once
KEPT_BYTES: Final = 2_000_000  # of a body that can be decoded again; few pages are larger
HEAD_BYTES: Final = 4096  # enough to recognise what kind of file it is


class BodyFailure(Exception):
    """Why a body cannot be used: a word or two, a sentence, and whether a retry may help."""

    def __init__(self, word: str, detail: str, transient: bool = False) -> None:
        super().__init__(word, detail)
        self.word = word
        self.detail = detail
        self.transient = transient


class Coding(Protocol):
    """A streaming decoder for one content coding."""

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode data; a result longer than `room` means that the limit is exceeded."""
        ...

    def finished(self) -> bool:
        """Whether the stream is complete."""
        ...


class Body:
    """Collects chunks, raw and decoded, and stops at either limit.

    A large body is decoded as it comes, to hold it to the limits, and once more when it is asked for: many may come at
    the same time, and a few kilobytes of each can hold thirty megabytes.

    >>> body = Body("gzip", max_bytes=1000, max_body=100_000)
    >>> body.feed(zlib.compress(b"a" * 90_000, wbits=31))
    >>> raw, plain = body.both()
    >>> len(raw) < 200, len(plain)
    (True, 90000)
    """

    def __init__(self, coding: str, max_bytes: int, max_body: int) -> None:
        self._coding = decoder(coding)
        self._name = coding
        self._max_bytes = max_bytes
        self._max_body = max_body
        self._raw: list[bytes] = []
        self._plain: list[bytes] = []
        self.came = 0  # bytes on the wire
        self.is_cut = False  # the rest was not read
        self._decoded = 0  # bytes after decompression
        self._is_dropped = False  # only the head is kept of what was decoded

    def feed(self, chunk: bytes) -> None:
        """Take in a chunk; raise a BodyFailure if a limit is exceeded or the stream is broken."""
        self.came += len(chunk)
        if self.came > self._max_bytes:
            # The part that fits is kept: the caller may settle for a truncated page.
            self._raw.append(chunk[: self._max_bytes - self.came])
            raise BodyFailure("too large", f"more than {self._max_bytes} bytes on the wire")
        self._raw.append(chunk)
        if self._coding:
            self._decode(self._coding, chunk)
        elif self.came > self._max_body:
            raise BodyFailure("too large", f"more than {self._max_body} bytes")

    @property
    def length(self) -> int:
        """The number of bytes so far, decompressed."""
        return self._decoded if self._coding else self.came

    def head(self, size: int) -> bytes:
        """At least the first `size` bytes, decompressed, if there are so many."""
        first: list[bytes] = []
        for part in self._plain if self._coding else self._raw:
            first.append(part)
            size -= len(part)
            if size <= 0:
                break
        return _joined(first)

    def both(self) -> tuple[bytes, bytes]:
        """The bytes on the wire, and the same decompressed."""
        raw = _joined(self._raw)
        if not self._coding:
            return raw, raw[: self._max_body]
        return raw, decoded(raw, self._name, self._max_body) if self._is_dropped else _joined(self._plain)

    def end(self) -> None:
        """The body is complete; raise a BodyFailure if its stream is not."""
        if self._coding and self.came and not self._coding.finished():
            raise BodyFailure("bad answer", f"the {self._name} stream ends too early")

    def _decode(self, coding: Coding, chunk: bytes) -> None:
        room = self._max_body - self._decoded
        try:
            plain = coding.feed(chunk, room)
        except BROKEN_STREAM as error:
            raise BodyFailure("bad answer", f"broken {self._name} stream: {error}") from None
        self._decoded += len(plain)
        if self._decoded <= KEPT_BYTES:
            self._plain.append(plain[:room])
        elif not self._is_dropped:
            self._is_dropped = True
            self._plain = [_joined([*self._plain, plain])[:HEAD_BYTES]]
        if len(plain) > room:
            raise BodyFailure("too large", f"more than {self._max_body} bytes after {self.came} on the wire")


def _joined(parts: list[bytes]) -> bytes:
    # A single part need not be copied.
    return parts[0] if len(parts) == 1 else b"".join(parts)


class Streams:
    """A coding that allows several streams in a row, each beginning with a magic number.

    Anything else after a stream is ignored, as in browsers.
    """

    def __init__(self, begin: Callable[[], Any], magic: bytes) -> None:
        self._begin = begin
        self._magic = magic
        self._count = 1
        self._stream = begin()

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode data that may span several streams."""
        parts: list[bytes] = []
        while data and room >= 0:
            if self._stream.eof:
                # A chunk may end within the magic number, so its beginning is enough.
                if not self._magic.startswith(data[: len(self._magic)]):
                    break
                self._next()
            # One byte more than there is room for shows that the limit is exceeded, whatever the stream unpacks to.
            parts.append(self._stream.decompress(data, room + 1))
            room -= len(parts[-1])
            data = self._stream.unused_data
        return _joined(parts)

    def finished(self) -> bool:
        """Whether the last stream is complete."""
        return bool(self._stream.eof)

    def _next(self) -> None:
        if self._count == MAX_STREAMS_PER_BODY:
            raise zlib.error(f"more than {MAX_STREAMS_PER_BODY} streams in a row")
        self._count += 1
        self._stream = self._begin()


def gzip() -> Coding:
    """A decoder for gzip."""
    return Streams(lambda: zlib.decompressobj(31), b"\x1f\x8b")


def zstandard() -> Coding:
    """A decoder for zstd with the memory that the standard allows."""
    return Streams(lambda: zstd.ZstdDecompressor(options=ZSTD_WINDOW), b"\x28\xb5\x2f\xfd")


class Deflate:
    """A decoder for deflate in both forms that servers send: in a zlib envelope, as specified, and bare."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode."""
        if self._stream is None:
            # A zlib envelope begins with its method, 8, in the low bits (RFC 1950).
            self._stream = zlib.decompressobj(15 if data[0] & 15 == 8 else -15)
        return self._stream.decompress(data, room + 1)

    def finished(self) -> bool:
        """Whether the stream is complete."""
        return self._stream is not None and self._stream.eof


class Brotli:
    """A decoder for Brotli."""

    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode."""
        # Without a limit, 34 bytes could unpack to gigabytes.
        plain: bytes = self._stream.process(data, output_buffer_limit=room + 1)
        return plain

    def finished(self) -> bool:
        """Whether the stream is complete."""
        return bool(self._stream.is_finished())


DECODERS: Final[dict[str, Callable[[], Coding]]] = {
    "gzip": gzip,
    "x-gzip": gzip,
    "deflate": Deflate,
    "br": Brotli,
    "zstd": zstandard,
}
UNSUPPORTED: Final = (["compress"], ["x-compress"], ["dcb"], ["dcz"])


def decoder(coding: str) -> Coding | None:
    """The decoder for a Content-Encoding, or None if there is nothing to decode."""
    if not coding:
        return None
    words = [word for word in coding.replace(" ", "").lower().split(",") if word not in ("", "identity")]
    if len(words) > 1 or words in UNSUPPORTED:
        raise BodyFailure("bad answer", f"encoded as {coding!r}, which we did not ask for")
    # Unknown words such as "utf-8" or "none" are mistakes of the server and mean nothing, as in browsers.
    return DECODERS[words[0]]() if words and words[0] in DECODERS else None


def decoded(raw: bytes, coding: str, max_body: int = NO_LIMIT_BYTES) -> bytes:
    """A complete body decoded as it was when it came; of a broken stream, the part before the break.

    >>> decoded(zlib.compress(b"page", wbits=31) + b"garbage", "x-gzip"), decoded(b"page", "utf-8")
    (b'page', b'page')
    """
    try:
        stream = decoder(coding)
    except BodyFailure:
        return raw
    if stream is None:
        return raw
    parts = []
    with suppress(*BROKEN_STREAM):
        for start in range(0, len(raw), CHUNK_BYTES):
            parts.append(stream.feed(raw[start : start + CHUNK_BYTES], max_body))
            max_body -= len(parts[-1])
            if max_body < 0:
                parts[-1] = parts[-1][:max_body]
                break
    return _joined(parts)
