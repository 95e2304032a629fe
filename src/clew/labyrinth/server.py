"""Serves a labyrinth over real HTTP: one process on the loopback interface for all host names."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from clew.labyrinth.answer import Answer
from clew.labyrinth.connection import Connection
from clew.labyrinth.hostile import INSIDE, Hostile
from clew.labyrinth.web import Web
from clew.labyrinth.witness import Witness

HERE: Final = "127.0.0.1"
PRIVATE: Final = "127.66.0.1"  # where those names of hostile labyrinths lead that nobody should follow


class Server:
    """A labyrinth that is being served; created by `serve`.

    >>> from clew.labyrinth import Labyrinth
    >>> async def visit():
    ...     async with await serve(Labyrinth(pages=100)) as server:
    ...         return server.resolve.startswith("*.labyrinth=127.0.0.1:")
    >>> asyncio.run(visit())
    True
    """

    def __init__(
        self, labyrinth: Web, delay: float, log: str | Path | None, zipped: bool, witness: str | Path | None
    ) -> None:
        self.labyrinth = labyrinth
        self.delay = delay
        self.zipped = zipped
        self.port = 0
        self.requests = 0
        self.asked: Counter[str] = Counter()  # host -> requests
        self.connections: set[Connection] = set()
        self.witness = Witness(witness) if witness else None
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644) if log else None
        self._listeners: list[asyncio.Server] = []

    @property
    def resolve(self) -> str:
        """The value of clew's `resolve` setting that leads here."""
        return resolve(self.port)

    async def listen(self, port: int) -> Self:
        """Start to answer; port 0 takes a free one."""
        await self._listen(HERE, port)
        self.port = self._listeners[0].sockets[0].getsockname()[1]
        if isinstance(self.labyrinth, Hostile):
            # Not every system has more than one loopback address.
            with suppress(OSError):
                await self._listen(PRIVATE, self.port)
        return self

    async def _listen(self, address: str, port: int) -> None:
        loop = asyncio.get_running_loop()
        self._listeners.append(await loop.create_server(lambda: Connection(self), address, port, backlog=1024))

    def answer(self, method: str, host: str, path: str) -> Answer:
        """Count and log a request; return its answer."""
        now = time.time()
        self.requests += 1
        earlier = self.asked[host]
        self.asked[host] += 1
        if self._log is not None:
            os.write(self._log, f"{now:.6f}\t{host}\t{path}\n".encode())
        if method not in ("GET", "HEAD"):
            return Answer(405, (("Allow", "GET, HEAD"),))
        return self.labyrinth.reply(f"http://{host}{path}", earlier, now)

    async def close(self) -> None:
        """Stop listening and close all connections."""
        for listener in self._listeners:
            listener.close()
        for connection in list(self.connections):
            connection.hang_up()
        for listener in self._listeners:
            await listener.wait_closed()
        self._listeners.clear()
        if self.witness:
            self.witness.close()
            self.witness = None
        if self._log is not None:
            os.close(self._log)
            self._log = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def resolve(port: int) -> str:
    """The value of clew's `resolve` setting for a labyrinth on this port."""
    return f"*.labyrinth={HERE}:{port}"


def resolve_inside(port: int) -> str:
    """The entry of clew's `resolve` setting for the names that lead to a private address."""
    return f"*.{INSIDE}={PRIVATE}:{port}"


async def serve(
    labyrinth: Web,
    port: int = 0,
    delay: float = 0.0,
    log: str | Path | None = None,
    zipped: bool = False,
    witness: str | Path | None = None,
) -> Server:
    """Serve a labyrinth in this process; `delay` holds back each answer, `log` records each request.

    `witness` records when each request came, and which other requests its host was answering at that time.
    """
    return await Server(labyrinth, delay, log, zipped, witness).listen(port)
