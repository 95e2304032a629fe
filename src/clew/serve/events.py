"""Server-sent events: the numbers of a crawl whenever it has committed something."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse

from clew.errors import ClewError
from clew.serve.data.summary import change_mark, summary
from clew.serve.problems import Problem
from clew.serve.service import Service
from clew.store import Records

LOOK_SECONDS: Final = 1.0
QUIET_SECONDS: Final = 15.0  # after which a comment shows that the connection is alive
MAX_STREAMS: Final = 64
RETRY_MILLISECONDS: Final = 2_000

log = logging.getLogger("clew.serve")


class Streams:
    """The viewers that are attached now."""

    def __init__(self) -> None:
        self.open = 0

    def response(self, service: Service, crawl: str, request: Request) -> StreamingResponse:
        """The events of a crawl, until the viewer leaves."""
        if self.open >= MAX_STREAMS:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, f"{MAX_STREAMS} viewers are attached already; close some")
        folder = service.folder(crawl)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(
            self._events(service, folder, request), media_type="text/event-stream", headers=headers
        )

    async def _events(self, service: Service, folder: Path, request: Request) -> AsyncIterator[str]:
        self.open += 1
        mark: object = None
        quiet = 0.0
        try:
            yield f"retry: {RETRY_MILLISECONDS}\n\n"
            while not service.is_over and not await request.is_disconnected():
                mark, news = await run_in_threadpool(_news, folder, mark)
                quiet = 0.0 if news else quiet + LOOK_SECONDS
                if news:
                    yield event("summary", news)
                elif quiet >= QUIET_SECONDS:
                    quiet = 0.0
                    yield ": still here\n\n"
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            self.open -= 1


def event(name: str, value: Any) -> str:
    """An event as text; JSON has no line breaks, so one line of data is enough.

    >>> event("summary", {"visited": 3})
    'event: summary\\ndata: {"visited": 3}\\n\\n'
    """
    return f"event: {name}\ndata: {json.dumps(value, allow_nan=False)}\n\n"


def _news(folder: Path, before: object) -> tuple[object, dict[str, Any] | None]:
    """The mark of now, and the summary if it is another than before."""
    try:
        with Records(folder) as records:
            mark = change_mark(records)
            return mark, None if mark == before else summary(records)
    except ClewError as error:
        # A crawl that has just begun may have no database yet.
        log.debug("%s: %s", folder, error)
        return before, None
