"""Pages are parsed in the process of the crawl, or in processes beside it where the setting `parse_processes` asks.

A page is the same document wherever it is parsed, so nothing else changes: not the visits, not what a replay makes.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field, replace
from typing import Final

from clew.base.described import described
from clew.config import Scope
from clew.core.parse_process import ParseProcess, ProcessDied
from clew.parse import document, pdf
from clew.types import Fetched

MAX_DEATHS: Final = 3  # of processes; then the crawl parses all pages itself
MIN_BYTES: Final = 2000  # of a body; a smaller page is parsed in less time than it takes to hand it over

log = logging.getLogger("clew.parse")


async def parsed_if_slow(fetched: Fetched, scope: Scope, with_main_text: bool = False) -> Fetched:
    """An answer that takes seconds to parse is parsed beside the event loop: other fetches must not wait for it."""
    if not pdf.is_one(fetched.body):
        return fetched
    loop = asyncio.get_running_loop()
    doc = await loop.run_in_executor(pdf.READERS, document, fetched, scope, with_main_text)
    return replace(fetched, doc=doc)


@dataclass
class Parsing:
    """Reads answers before they land: beside the crawl if there are processes for it, else only what takes long."""

    scope: Scope
    processes: int = 0
    with_main_text: bool = False
    deaths: int = 0
    workers: list[ParseProcess] = field(default_factory=list)

    async def start(self) -> None:
        """Start the processes."""
        for _ in range(self.processes):
            await self._add()

    async def stop(self) -> None:
        """End them."""
        workers, self.workers = self.workers, []
        await asyncio.gather(*(worker.stop() for worker in workers))

    async def read(self, fetched: Fetched) -> Fetched:
        """The answer, with its document if it was parsed beside the crawl."""
        is_page = fetched.ok and fetched.doc is None and not pdf.is_one(fetched.body)
        if not self.workers or not is_page or len(fetched.body or fetched.raw) < MIN_BYTES:
            return await parsed_if_slow(fetched, self.scope, self.with_main_text)
        worker = min(self.workers, key=lambda each: len(each.asked))
        try:
            return replace(fetched, doc=await worker.read(fetched))
        except ProcessDied:
            await self._replace(worker)
            return fetched

    async def _add(self) -> None:
        worker = ParseProcess(self.scope, self.with_main_text)
        try:
            await worker.start()
        # Not every event loop, and not every system at every time, can start a process.
        except (OSError, RuntimeError, NotImplementedError) as error:
            log.warning("cannot start a process that parses pages: %s; the crawl parses them itself", described(error))
            return
        self.workers.append(worker)

    async def _replace(self, worker: ParseProcess) -> None:
        """Start another process in place of one that has ended; after some, do without."""
        if worker not in self.workers:
            return
        self.workers.remove(worker)
        self.deaths += 1
        log.warning("a process that parses pages has ended; its pages are parsed by the crawl itself")
        await worker.stop()
        if self.deaths < MAX_DEATHS:
            await self._add()
