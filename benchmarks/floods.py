"""Fetches of fifty honest hosts in some seconds, alone and beside two hosts that flood the crawler.

    python benchmarks/floods.py [SECONDS]

The server is a process of its own; every host is asked one page after the other, without a delay.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection

from clew.config import Fetch
from clew.fetch import HttpFetcher

HONEST = 50
FLOODING = 2
PAGE = b"<title>sailing</title><p>" + b"sailing is fine " * 200
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
FLOODS = {
    "interim answers": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n" * 2000),
    "interim answers with headers": (b"", (b"HTTP/1.1 102 Processing\r\n" + b"X-Wait: yes\r\n" * 100 + b"\r\n") * 50),
    "chunks of one byte": (CHUNKED, b"1\r\nx\r\n" * 10_000),
    "chunk extensions": (CHUNKED, b"1;" + b"x" * 8000 + b"\r\nx\r\n"),
    "a chunk extension without an end": (CHUNKED + b"1;", b"x" * 60_000),
    "trailers": (CHUNKED + b"1\r\nx\r\n0\r\n", b"X-More: yes\r\n" * 5000),
    "header lines": (OK, b"X-More: yes\r\n" * 5000),
    "a header line without an end": (OK + b"X-More: ", b"x" * 60_000),
    "blank lines": (b"", b"\r\n" * 30_000),
    "answers that nobody asked for": (b"", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" * 1000),
}


def serve(pipe: Connection) -> None:
    """Listen on a port, and answer as the path says."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await reader.readuntil(b"\r\n\r\n"):
                path = request.split(b" ")[1].decode()
                head, piece = FLOODS.get(path[1:].replace("-", " "), (b"", b""))
                if not piece:
                    writer.write(OK + b"Content-Length: %d\r\n\r\n" % len(PAGE) + PAGE)
                writer.write(head)
                while piece:
                    writer.write(piece)
                    await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def listen() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=200)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(listen())


@contextmanager
def serving() -> Iterator[int]:
    """The port of a server in a process of its own."""
    here, there = Pipe()
    process = Process(target=serve, args=(there,), daemon=True)
    process.start()
    yield here.recv()
    process.terminate()
    process.join()


async def measure(port: int, flood: str, seconds: float) -> tuple[int, int, str]:
    """Fetches of the honest hosts, those of the others, and what became of the latest of these."""
    settings = Fetch(
        allow_private=True, delay=0.0, robots=False, per_domain=0, host_failures=0, resolve=[f"*=127.0.0.1:{port}"]
    )
    fetcher = HttpFetcher(settings)
    end = time.monotonic() + seconds
    counts = [0, 0]
    latest = ""

    async def ask(url: str, which: int) -> None:
        nonlocal latest
        while time.monotonic() < end:
            answer = await fetcher.get(url)
            assert which or answer.ok, answer
            counts[which] += time.monotonic() < end
            latest = f"{answer.error}: {answer.detail}" if which else latest

    honest = [ask(f"http://h{n}.example/", 0) for n in range(HONEST)]
    others = [ask(f"http://f{n}.example/{flood.replace(' ', '-')}", 1) for n in range(FLOODING if flood else 0)]
    tasks = [asyncio.create_task(each) for each in (*honest, *others)]
    await asyncio.wait(tasks, timeout=seconds + 1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await fetcher.close()
    return counts[0], counts[1], latest


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    for flood in ("", *FLOODS):
        # A server of its own for each: a flood that goes on must not slow down the next one.
        with serving() as port:
            honest, others, latest = asyncio.run(measure(port, flood, seconds))
        print(f"{flood or 'no flood':<34}{honest:>6} fetches of honest hosts,{others:>6} others {latest}", flush=True)
