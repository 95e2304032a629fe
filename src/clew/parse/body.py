"""The body of an answer as it streams in: counted on the wire and after decompression."""

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
HUGE: Final = 2**31 - 2  # no limit, as far as the decoders can count
MEMBERS: Final = 1000  # streams in a row; each costs a copy of what is left of the chunk
WINDOW: Final = {int(zstd.DecompressionParameter.window_log_max): 23}  # 8 MB, the most in HTTP (RFC 9659)
PIECE: Final = 65_536  # bytes of an archived body decoded at once


class BodyFailure(Exception):
    """One word or two, a sentence, and whether another try may help; it becomes a Fetched."""

    def __init__(self, word: str, detail: str, transient: bool = False) -> None:
        super().__init__(word, detail)
        self.word, self.detail, self.transient = word, detail, transient


class Coding(Protocol):
    """One content coding."""

    def feed(self, data: bytes, room: int) -> bytes:
        """What the data decodes to; more than `room` means that there is no room for it."""
        ...

    def finished(self) -> bool:
        """Whether the stream has come to its own end."""
        ...


class Body:
    """Takes chunks, keeps what came and what it means, stops at either limit.

    >>> body = Body("gzip", max_bytes=1000, max_body=100_000)
    >>> body.feed(zlib.compress(b"a" * 90_000, wbits=31))
    >>> raw, plain = body.both()
    >>> len(raw) < 200, len(plain)
    (True, 90000)
    """

    def __init__(self, coding: str, max_bytes: int, max_body: int) -> None:
        self._coding = decoder(coding)
        self._name = coding
        self._max_bytes, self._max_body = max_bytes, max_body
        self._raw: list[bytes] = []
        self._plain: list[bytes] = []
        self.came = self._decoded = 0

    def feed(self, chunk: bytes) -> None:
        """Take in a chunk; a Failure says which limit is passed, and what fits is kept."""
        self.came += len(chunk)
        if self.came > self._max_bytes:
            self._raw.append(chunk[: self._max_bytes - self.came])
            raise BodyFailure("too large", f"more than {self._max_bytes} bytes on the wire")
        self._raw.append(chunk)
        if self._coding:
            self._decode(self._coding, chunk)
        elif self.came > self._max_body:
            raise BodyFailure("too large", f"more than {self._max_body} bytes")

    @property
    def length(self) -> int:
        """Bytes so far, decompressed."""
        return self._decoded if self._coding else self.came

    def head(self, size: int) -> bytes:
        """The first bytes, decompressed."""
        first: list[bytes] = []
        for part in self._plain if self._coding else self._raw:
            first.append(part)
            if (size := size - len(part)) <= 0:
                break
        return _joined(first)

    def both(self) -> tuple[bytes, bytes]:
        """What came over the wire, and the same decompressed."""
        raw = _joined(self._raw)
        return raw, (_joined(self._plain) if self._coding else raw[: self._max_body])

    def end(self) -> None:
        """The sender says that this is all; a coding that is not at its end is broken."""
        if self._coding and self.came and not self._coding.finished():
            raise BodyFailure("bad answer", f"the {self._name} stream ends too early")

    def _decode(self, coding: Coding, chunk: bytes) -> None:
        room = self._max_body - self._decoded
        try:
            plain = coding.feed(chunk, room)
        except (zlib.error, brotli.error, zstd.ZstdError) as error:
            raise BodyFailure("bad answer", f"broken {self._name} stream: {error}") from None
        self._plain.append(plain[:room])
        self._decoded += len(plain)
        if len(plain) > room:
            raise BodyFailure("too large", f"more than {self._max_body} bytes after {self.came} on the wire")


def _joined(parts: list[bytes]) -> bytes:
    return parts[0] if len(parts) == 1 else b"".join(parts)


class Streams:
    """A coding of which several streams may follow each other; what comes after the last one is ignored.

    Browsers do so too. The new streams begin with the magic number.
    """

    def __init__(self, begin: Callable[[], Any], magic: bytes) -> None:
        self._begin, self._magic = begin, magic
        self._count, self._stream = 1, begin()

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode on, over the ends of streams."""
        parts: list[bytes] = []
        while data and room >= 0:
            if self._stream.eof:
                if not self._magic.startswith(data[: len(self._magic)]):
                    break
                self._next()
            parts.append(self._stream.decompress(data, room + 1))
            room -= len(parts[-1])
            data = self._stream.unused_data
        return _joined(parts)

    def finished(self) -> bool:
        """Whether the last stream is whole."""
        return bool(self._stream.eof)

    def _next(self) -> None:
        if self._count == MEMBERS:
            raise zlib.error(f"more than {MEMBERS} streams in a row")
        self._count, self._stream = self._count + 1, self._begin()


def gzip() -> Coding:
    """The decoder for gzip."""
    return Streams(lambda: zlib.decompressobj(31), b"\x1f\x8b")


def zstandard() -> Coding:
    """The decoder for zstd, in the memory that the standard allows it."""
    return Streams(lambda: zstd.ZstdDecompressor(options=WINDOW), b"\x28\xb5\x2f\xfd")


class Deflate:
    """deflate in both forms that servers send: in a zlib envelope, as it should be, and bare."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode; the first byte tells the form."""
        if self._stream is None:
            self._stream = zlib.decompressobj(15 if data[0] & 15 == 8 else -15)
        return self._stream.decompress(data, room + 1)

    def finished(self) -> bool:
        """Whether the stream is whole."""
        return self._stream is not None and self._stream.eof


class Brotli:
    """br; the decoder is told where to stop, for 34 bytes can hold gigabytes."""

    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode."""
        plain: bytes = self._stream.process(data, output_buffer_limit=room + 1)
        return plain

    def finished(self) -> bool:
        """Whether the stream is whole."""
        return bool(self._stream.is_finished())


DECODERS: Final[dict[str, Callable[[], Coding]]] = {
    "gzip": gzip,
    "x-gzip": gzip,
    "deflate": Deflate,
    "br": Brotli,
    "zstd": zstandard,
}


def decoder(coding: str) -> Coding | None:
    """The decoder for a Content-Encoding, None where there is nothing to decode.

    Unknown words ("utf-8", "none") are mistakes of servers and mean nothing, as in browsers.
    """
    if not coding:
        return None
    words = [word for word in coding.replace(" ", "").lower().split(",") if word not in ("", "identity")]
    if len(words) > 1 or words in (["compress"], ["x-compress"], ["dcb"], ["dcz"]):
        raise BodyFailure("bad answer", f"encoded as {coding!r}, which we did not ask for")
    return DECODERS[words[0]]() if words and words[0] in DECODERS else None


def decoded(raw: bytes, coding: str) -> bytes:
    """What was archived, read as it was when it came; of a broken stream what could be read.

    >>> decoded(zlib.compress(b"page", wbits=31) + b"garbage", "x-gzip"), decoded(b"page", "utf-8")
    (b'page', b'page')
    """
    try:
        body = Body(coding, len(raw), HUGE)
    except BodyFailure:
        return raw
    if raw:
        with suppress(BodyFailure):
            for start in range(0, len(raw), PIECE):
                body.feed(raw[start : start + PIECE])
    return body.both()[1]
