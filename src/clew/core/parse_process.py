"""A process that parses pages beside the crawl."""

from __future__ import annotations

import asyncio
import marshal
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final

from clew.config import Scope
from clew.parse.worker import LENGTH_BYTES, doc_of, packed, question, settings_of
from clew.types import Doc, Fetched

BUFFER_BYTES: Final = 1 << 20  # of answers that nobody has read yet
PIPES: Final[dict[str, Any]] = {"stdin": PIPE, "stdout": PIPE, "limit": BUFFER_BYTES, "start_new_session": True}


class ProcessDied(Exception):
    """A process that parses has ended; what it was asked is parsed elsewhere."""


@dataclass
class ParseProcess:
    """One process that parses. It is asked many things at a time and answers in their order."""

    scope: Scope
    with_main_text: bool
    asked: deque[asyncio.Future[Doc]] = field(default_factory=deque)
    process: Process | None = None

    async def start(self) -> None:
        """Start it; the first answer takes as long as its imports."""
        # -P: a file of the user's folder must not stand in for a module. It starts in a session of its own, so that
        # only the crawl hears of Ctrl-C.
        command = [sys.executable, "-P", "-m", "clew.parse.worker"]
        self.process = await asyncio.create_subprocess_exec(*command, **PIPES)
        self._write(packed(settings_of(self.scope, self.with_main_text)))
        self._listener = asyncio.create_task(self._listen())

    async def read(self, fetched: Fetched) -> Doc:
        """The document of an answer."""
        answer: asyncio.Future[Doc] = asyncio.get_running_loop().create_future()
        self.asked.append(answer)
        try:
            self._write(packed(question(fetched)))
            if self.process and self.process.stdin:
                await self.process.stdin.drain()
        except OSError as error:
            raise ProcessDied from error
        return await answer

    async def stop(self) -> None:
        """End it, whatever it is doing."""
        if self.process is None:
            return
        self._listener.cancel()
        if self.process.returncode is None:
            self.process.kill()
        # Its pipes belong to the event loop, which ends after this.
        await self.process.communicate()

    def _write(self, data: bytes) -> None:
        if self.process is None or self.process.stdin is None:
            raise ProcessDied
        self.process.stdin.write(data)

    async def _listen(self) -> None:
        """Hand answers to those who wait for them, until the process ends."""
        try:
            while self.process and self.process.stdout:
                size = int.from_bytes(await self.process.stdout.readexactly(LENGTH_BYTES))
                answer = self.asked.popleft()
                values = marshal.loads(await self.process.stdout.readexactly(size))
                # Whoever asked may have been called back meanwhile.
                if not answer.done():
                    answer.set_result(doc_of(values))
        except (asyncio.IncompleteReadError, OSError, ValueError, TypeError, EOFError):
            self._give_up()

    def _give_up(self) -> None:
        for answer in self.asked:
            if not answer.done():
                answer.set_exception(ProcessDied())
        self.asked.clear()
