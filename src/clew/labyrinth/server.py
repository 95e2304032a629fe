"""The labyrinth over real HTTP: one lean process on loopback for all host names."""

from __future__ import annotations

import asyncio
import gzip
import os
import re
import time
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Final, Self, cast

from clew.labyrinth.labyrinth import Answer, Labyrinth

LARGEST_HEAD: Final = 65_536
HOST: Final = re.compile(rb"\r\nhost:[ \t]*([^\r\n]*)", re.IGNORECASE)
CLOSE: Final = re.compile(rb"\r\n(?:proxy-)?connection:[^\r\n]*close", re.IGNORECASE)
GZIP: Final = re.compile(rb"\r\naccept-encoding:[^\r\n]*gzip", re.IGNORECASE)
BODY: Final = re.compile(rb"\r\n(?:transfer-encoding:|content-length:[ \t]*[1-9])", re.IGNORECASE)
REASONS: Final = {status.value: status.phrase for status in HTTPStatus}


class Server:
    """A labyrinth that is being served; made by `serve`.

    >>> async def visit():
    ...     async with await serve(Labyrinth(pages=100)) as server:
    ...         return server.resolve.startswith("*.labyrinth=127.0.0.1:")
    >>> asyncio.run(visit())
    True
    """

    def __init__(self, labyrinth: Labyrinth, delay: float, log: str | Path | None, zipped: bool) -> None:
        self.labyrinth, self.delay, self.zipped = labyrinth, delay, zipped
        self.port = 0
        self.requests = 0
        self.connections: set[Connection] = set()
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644) if log else None
        self._listener: asyncio.Server | None = None

    @property
    def resolve(self) -> str:
        """The value of clew's `resolve` setting that leads here."""
        return resolve(self.port)

    async def listen(self, port: int) -> Self:
        """Begin to answer; port 0 takes a free one."""
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(lambda: Connection(self), "127.0.0.1", port, backlog=1024)
        self.port = self._listener.sockets[0].getsockname()[1]
        return self

    def answer(self, method: str, host: str, path: str) -> Answer:
        """What a request gets, and a line in the log."""
        self.requests += 1
        if self._log is not None:
            os.write(self._log, f"{time.time():.6f}\t{host}\t{path}\n".encode())
        if method not in ("GET", "HEAD"):
            return Answer(405, (("Allow", "GET, HEAD"),))
        return self.labyrinth.page(f"http://{host}{path}")

    async def close(self) -> None:
        """Stop listening and hang up."""
        if self._listener:
            self._listener.close()
            for connection in list(self.connections):
                connection.hang_up()
            await self._listener.wait_closed()
            self._listener = None
        if self._log is not None:
            os.close(self._log)
            self._log = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class Connection(asyncio.Protocol):
    """One client: its requests are answered one after the other, in order."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.buffer = bytearray()
        self.held = False  # until the delay has passed
        self.full = False  # until the client reads
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.server.connections.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        self.server.connections.discard(self)
        self.transport = None

    def hang_up(self) -> None:
        if self.transport:
            self.transport.abort()

    def pause_writing(self) -> None:
        self.full = True

    def resume_writing(self) -> None:
        self.full = False
        self._work()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        self._work()

    def _work(self) -> None:
        while self.transport and not (self.held or self.full):
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                if len(self.buffer) > LARGEST_HEAD:
                    self._send(Answer(431, ()), last=True)
                return
            head = bytes(self.buffer[: end + 2])
            del self.buffer[: end + 4]
            self._take(head)

    def _take(self, head: bytes) -> None:
        if not self.server.delay:
            self._reply(head)
            return
        self.held = True
        asyncio.get_running_loop().call_later(self.server.delay, self._later, head)

    def _later(self, head: bytes) -> None:
        self.held = False
        if self.transport:
            self._reply(head)
            self._work()

    def _reply(self, head: bytes) -> None:
        try:
            method, target, version = head[: head.index(b"\r\n")].decode("ascii").split(" ")
        except ValueError:
            self._send(Answer(400, ()), last=True)
            return
        host, path = _place(target, head)
        answer = self.server.answer(method, host, path)
        if self.server.zipped and answer.status == 200 and GZIP.search(head):
            answer = _zipped(answer)
        # A body that nobody reads would be taken for the next request.
        last = version != "HTTP/1.1" or bool(CLOSE.search(head)) or bool(BODY.search(head))
        self._send(answer, last, method != "HEAD")

    def _send(self, answer: Answer, last: bool, with_body: bool = True) -> None:
        if self.transport is None:
            return
        fields = "".join(f"{name}: {value}\r\n" for name, value in answer.headers)
        head = (
            f"HTTP/1.1 {answer.status} {REASONS[answer.status]}\r\nServer: labyrinth\r\n{fields}"
            f"Content-Length: {len(answer.body)}\r\n{'Connection: close' if last else 'Connection: keep-alive'}\r\n\r\n"
        ).encode("latin-1")
        self.transport.write(head + answer.body if with_body else head)
        if last:
            self.transport.close()
            self.transport = None


def _place(target: str, head: bytes) -> tuple[str, str]:
    """Host and path, from an absolute target as proxies get it, or from the Host header."""
    if target.startswith("http://"):
        host, slash, path = target[7:].partition("/")
        target = slash + path or "/"
    else:
        named = HOST.search(head)
        host = named[1].decode("latin-1").strip() if named else ""
    return host.partition(":")[0].lower(), target


def _zipped(answer: Answer) -> Answer:
    body = gzip.compress(answer.body, compresslevel=1, mtime=0)
    return Answer(answer.status, (*answer.headers, ("Content-Encoding", "gzip")), body)


def resolve(port: int) -> str:
    """The value of clew's `resolve` setting for a labyrinth on this port."""
    return f"*.labyrinth=127.0.0.1:{port}"


async def serve(
    labyrinth: Labyrinth,
    port: int = 0,
    delay: float = 0.0,
    log: str | Path | None = None,
    zipped: bool = False,
) -> Server:
    """Serve a labyrinth in this process; `delay` holds back each answer, `log` records each request."""
    return await Server(labyrinth, delay, log, zipped).listen(port)
