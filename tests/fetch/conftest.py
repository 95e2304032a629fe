"""A small web server of our own, so that every kind of answer can be given byte by byte."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from clew.config import Fetch
from clew.fetch import NOT_YET, HttpFetcher
from clew.types import Fetched

Answer = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]
SHARED = Path(__file__).resolve().parents[2].parent / "shared"


class Site:
    """Answers each path with raw bytes or with a coroutine; keeps the requests as they came."""

    def __init__(self, pages: dict[str, Answer], tls: ssl.SSLContext | None = None) -> None:
        self.pages, self.tls = pages, tls
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.skipped = 0.0  # seconds of waiting that we spare ourselves

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{path}"

    def fetcher(self, **settings: object) -> HttpFetcher:
        usual = {"allow_private": True, "delay": 0.0, "robots": False, "timeout": 5.0}
        return HttpFetcher(Fetch(**{**usual, **settings}), self.clock)  # type: ignore[arg-type]

    def clock(self) -> float:
        return time.monotonic() + self.skipped

    async def get(self, fetcher: HttpFetcher, url: str) -> Fetched:
        """The answer when its time has come, which is at once."""
        while (found := await fetcher.get(url)).error == NOT_YET:
            self.skipped += found.retry_after
            await asyncio.sleep(0.001)
        return found

    async def __aenter__(self) -> Site:
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self.tls)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.close()
        await asyncio.sleep(0.01)  # lets the connections' callbacks run before the loop ends

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                await self._answer(head.decode("latin-1"), writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _answer(self, head: str, writer: asyncio.StreamWriter) -> None:
        first, *lines = head.rstrip().split("\r\n")
        path = first.split(" ")[1]
        self.requests.append((path, dict(line.lower().split(": ", 1) for line in lines)))
        answer = self.pages.get(path, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        if isinstance(answer, bytes):
            writer.write(answer)
        else:
            await answer(writer)
        await writer.drain()


def page(body: bytes = b"", status: int = 200, length: int | None = None, **headers: str) -> bytes:
    """An answer on the wire; `Content_Type` becomes Content-Type."""
    fields = {"Content_Type": "text/html", "Content_Length": str(len(body) if length is None else length)}
    lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in (fields | headers).items()]
    return f"HTTP/1.1 {status} Because\r\n{''.join(lines)}\r\n".encode() + body


@pytest.fixture
def serve() -> type[Site]:
    return Site


@pytest.fixture
def answer() -> Callable[..., bytes]:
    return page


@pytest.fixture
def drip() -> Callable[..., Answer]:
    """An answer that begins like this and never ends, a piece at a time."""

    def dripping(head: bytes, piece: bytes, pause: float = 0.01) -> Answer:
        async def drip(writer: asyncio.StreamWriter) -> None:
            writer.write(head)
            while not writer.is_closing():
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(pause)

        return drip

    return dripping


@pytest.fixture
def get() -> Callable[..., Any]:
    """The answers of a site for some paths, one after the other, through one fetcher."""

    def answers(site: Site, *paths: str, **settings: object) -> Any:
        async def run() -> list[Fetched]:
            async with site:
                fetcher = site.fetcher(**settings)
                found = [await site.get(fetcher, site.url(path)) for path in paths]
                await fetcher.close()
                return found

        found = asyncio.run(run())
        return found if len(found) > 1 else found[0]

    return answers


@pytest.fixture
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the shared test vectors are not beside this repository")
    return SHARED
