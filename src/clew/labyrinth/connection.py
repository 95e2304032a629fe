"""One client connection of the labyrinth's server; its requests are answered one after the other."""

from __future__ import annotations

import asyncio
import gzip
import re
import socket
import struct
from collections.abc import Iterator
from typing import Final, Protocol, cast

from clew.labyrinth.answer import CLOSE, RESET, Answer, head
from clew.labyrinth.witness import Witness

MAX_HEAD_BYTES: Final = 65_536
HOST: Final = re.compile(rb"\r\nhost:[ \t]*([^\r\n]*)", re.IGNORECASE)
CONNECTION_CLOSE: Final = re.compile(rb"\r\n(?:proxy-)?connection:[^\r\n]*close", re.IGNORECASE)
ACCEPTS_GZIP: Final = re.compile(rb"\r\naccept-encoding:[^\r\n]*gzip", re.IGNORECASE)
HAS_BODY: Final = re.compile(rb"\r\n(?:transfer-encoding:|content-length:[ \t]*[1-9])", re.IGNORECASE)
NO_LINGER: Final = struct.pack("ii", 1, 0)  # makes a reset of a close

Steps = Iterator[tuple[float, bytes]]


class Answers(Protocol):
    """The part of the server that a connection needs."""

    delay: float
    zipped: bool
    witness: Witness | None
    connections: set[Connection]

    def answer(self, method: str, host: str, path: str) -> Answer:
        """The answer to a request."""
        ...


class Connection(asyncio.Protocol):
    """One client connection; an answer that breaks the rules of HTTP is sent step by step."""

    def __init__(self, server: Answers) -> None:
        self.server = server
        self.buffer = bytearray()
        self.held = False  # no further request is read, until the delay has passed or for good
        self.full = False  # the client does not read fast enough
        self.waiting: tuple[Steps, str] | None = None  # steps that go on when the client reads
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.server.connections.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        self.server.connections.discard(self)
        self.transport = None
        if self.server.witness:
            self.server.witness.end(self, left=True)

    def fileno(self) -> int:
        """The file descriptor of its socket; -1 if it is closed."""
        connection = self.transport.get_extra_info("socket") if self.transport else None
        return int(connection.fileno()) if connection else -1

    def hang_up(self) -> None:
        """Close without sending what is still waiting."""
        if self.transport:
            self.transport.abort()

    def pause_writing(self) -> None:
        self.full = True

    def resume_writing(self) -> None:
        self.full = False
        if self.waiting:
            steps, end = self.waiting
            self.waiting = None
            self._play(steps, end)
        self._answer_requests()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        self._answer_requests()

    def _answer_requests(self) -> None:
        """Answer the complete requests in the buffer."""
        while self.transport and not (self.held or self.full):
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                if len(self.buffer) > MAX_HEAD_BYTES:
                    self._send(Answer(431), last=True)
                return
            request = bytes(self.buffer[: end + 2])
            del self.buffer[: end + 4]
            self._reply_after_delay(request)

    def _reply_after_delay(self, request: bytes) -> None:
        if not self.server.delay:
            self._reply(request)
            return
        self.held = True
        asyncio.get_running_loop().call_later(self.server.delay, self._reply_and_go_on, request)

    def _reply_and_go_on(self, request: bytes) -> None:
        self.held = False
        if self.transport:
            self._reply(request)
            self._answer_requests()

    def _reply(self, request: bytes) -> None:
        try:
            method, target, version = request[: request.index(b"\r\n")].decode("ascii").split(" ")
        except ValueError:
            self._send(Answer(400), last=True)
            return
        host, path = _host_and_path(target, request)
        answer = self.server.answer(method, host, path)
        if self.server.witness:
            self.server.witness.begin(self, host, path, answer)
        if answer.wire:
            self.held = True
            self._play(iter(answer.wire.steps), answer.wire.end)
            return
        if self.server.zipped and answer.status == 200 and ACCEPTS_GZIP.search(request):
            answer = _zipped(answer)
        # The body of a request is not read here; it would be taken for the next request.
        has_body = bool(HAS_BODY.search(request))
        last = version != "HTTP/1.1" or has_body or bool(CONNECTION_CLOSE.search(request))
        self._send(answer, last, with_body=method != "HEAD")

    def _send(self, answer: Answer, last: bool, with_body: bool = True) -> None:
        if self.transport is None:
            return
        start = head(answer.status, answer.headers, len(answer.body), last)
        self._put(start + answer.body if with_body else start)
        self._over()
        if last:
            self.transport.close()
            self.transport = None

    def _play(self, steps: Steps, end: str) -> None:
        """Schedule the next step of an answer, or end it."""
        # An endless answer would fill our memory if the client did not read it.
        if self.full:
            self.waiting = steps, end
            return
        if self.transport is None:
            return
        step = next(steps, None)
        if step is not None:
            seconds, data = step
            asyncio.get_running_loop().call_later(seconds, self._write, data, steps, end)
        elif end == RESET:
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
            self._over()
            self.transport.abort()
        elif end == CLOSE:
            self._over()
            self.transport.close()

    def _write(self, data: bytes, steps: Steps, end: str) -> None:
        if self.transport:
            self._put(data)
            self._play(steps, end)

    def _put(self, data: bytes) -> None:
        if self.server.witness:
            self.server.witness.writing(self)
        if self.transport:
            self.transport.write(data)

    def _over(self) -> None:
        if self.server.witness:
            self.server.witness.end(self)


def _host_and_path(target: str, request: bytes) -> tuple[str, str]:
    """Host and path, from an absolute target, as proxies get it, or from the Host header."""
    if target.startswith("http://"):
        host, slash, path = target[7:].partition("/")
        target = slash + path or "/"
    else:
        header = HOST.search(request)
        host = header[1].decode("latin-1").strip() if header else ""
    return host.partition(":")[0].lower(), target


def _zipped(answer: Answer) -> Answer:
    body = gzip.compress(answer.body, compresslevel=1, mtime=0)
    return Answer(answer.status, (*answer.headers, ("Content-Encoding", "gzip")), body)
