"""The body of an answer as it streams in: counted on the wire and after decompression."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

import brotli

CODINGS: Final = "gzip, deflate, br"  # zstd would need a dependency before Python 3.14
HUGE: Final = 2**31 - 2  # no limit, as far as the decoders can count
MEMBERS: Final = 1000  # gzip streams in a row; each costs a copy of what is left of the chunk


class Failure(Exception):
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
        self._came = self._decoded = 0

    def feed(self, chunk: bytes) -> None:
        """Take in a chunk; a Failure says which limit is passed, and what fits is kept."""
        self._came += len(chunk)
        if self._came > self._max_bytes:
            self._raw.append(chunk[: self._max_bytes - self._came])
            raise Failure("too large", f"more than {self._max_bytes} bytes on the wire")
        self._raw.append(chunk)
        if self._coding:
            self._decode(self._coding, chunk)
        elif self._came > self._max_body:
            raise Failure("too large", f"more than {self._max_body} bytes")

    def both(self) -> tuple[bytes, bytes]:
        """What came over the wire, and the same decompressed."""
        raw = _joined(self._raw)
        return raw, (_joined(self._plain) if self._coding else raw[: self._max_body])

    def end(self) -> None:
        """The sender says that this is all; a coding that is not at its end is broken."""
        if self._coding and self._came and not self._coding.finished():
            raise Failure("bad answer", f"the {self._name} stream ends too early")

    def _decode(self, coding: Coding, chunk: bytes) -> None:
        room = self._max_body - self._decoded
        try:
            plain = coding.feed(chunk, room)
        except (zlib.error, brotli.error) as error:
            raise Failure("bad answer", f"broken {self._name} stream: {error}") from None
        self._plain.append(plain[:room])
        self._decoded += len(plain)
        if len(plain) > room:
            raise Failure("too large", f"more than {self._max_body} bytes after {self._came} on the wire")


def _joined(parts: list[bytes]) -> bytes:
    return parts[0] if len(parts) == 1 else b"".join(parts)


class Gzip:
    """gzip, also several streams in a row; what follows the last one is ignored, as browsers do."""

    def __init__(self) -> None:
        self._members = 0
        self._begin()

    def feed(self, data: bytes, room: int) -> bytes:
        """Decode on, over the ends of streams."""
        plain = b""
        while data and len(plain) <= room:
            if self._stream.eof:
                if not b"\x1f\x8b".startswith(data[:2]):
                    break
                self._begin()
            plain += self._stream.decompress(data, room + 1 - len(plain))
            data = self._stream.unused_data
        return plain

    def finished(self) -> bool:
        """Whether the last stream is whole."""
        return self._stream.eof

    def _begin(self) -> None:
        if self._members == MEMBERS:
            raise zlib.error(f"more than {MEMBERS} streams in a row")
        self._members += 1
        self._stream = zlib.decompressobj(31)


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
    "gzip": Gzip,
    "x-gzip": Gzip,
    "deflate": Deflate,
    "br": Brotli,
}


def decoder(coding: str) -> Coding | None:
    """The decoder for a Content-Encoding, None where there is nothing to decode.

    Unknown words ("utf-8", "none") are mistakes of servers and mean nothing, as in browsers.
    """
    if not coding:
        return None
    words = [word for word in coding.replace(" ", "").lower().split(",") if word not in ("", "identity")]
    if len(words) > 1 or words in (["zstd"], ["compress"], ["dcb"], ["dcz"]):
        raise Failure("bad answer", f"encoded as {coding!r}, which we did not ask for")
    return DECODERS[words[0]]() if words and words[0] in DECODERS else None


def decoded(raw: bytes, coding: str) -> bytes:
    """What was archived, read as it was when it came; of a broken stream what could be read.

    >>> decoded(zlib.compress(b"page", wbits=31) + b"garbage", "x-gzip"), decoded(b"page", "utf-8")
    (b'page', b'page')
    """
    try:
        body = Body(coding, len(raw), HUGE)
    except Failure:
        return raw
    if raw:
        with suppress(Failure):
            body.feed(raw)
    return body.both()[1]
