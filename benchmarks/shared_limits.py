"""Crawls 200 hosts that share one limit: how near the permitted rate it comes, and what the waiting costs.

    python benchmarks/shared_limits.py [PAGES]

The hosts belong to one registered domain (`per_domain`), or are ports of one address (`per_address`); with limits of 4
and a delay of a second, 4 requests a second are permitted. The server is a process of its own.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from typing import Any

import clew
from clew.config import configure
from clew.fetch import NOT_YET, HttpFetcher
from clew.fetch.http import NONE
from clew.types import Fetched

HOSTS = 200
LATENCY = 0.05  # seconds
PAGE = b"<title>sailing</title><p>sailing is fine"
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(PAGE), PAGE)


class Counting(HttpFetcher):
    """The usual fetcher; it counts the requests that were put off, and notes when the others began."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        super().__init__(configure(**settings).fetch)
        self.put_off = 0
        self.times: list[float] = []

    async def get(self, url: str, conditions: Mapping[str, str] = NONE) -> Fetched:
        answer = await super().get(url, conditions)
        if answer.error == NOT_YET:
            self.put_off += 1
        else:
            self.times.append(time.monotonic())
        return answer


def serve(pipe: Connection, address: str, ports: int) -> None:
    """Listen on so many ports of an address."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                await asyncio.sleep(LATENCY)
                writer.write(ANSWER)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def listen() -> None:
        servers = [await asyncio.start_server(answer, address, 0) for _ in range(ports)]
        pipe.send([server.sockets[0].getsockname()[1] for server in servers])
        await asyncio.Event().wait()

    asyncio.run(listen())


@contextmanager
def serving(address: str, ports: int) -> Iterator[list[str]]:
    """The addresses, with their ports, of a server in a process of its own."""
    here, there = Pipe()
    process = Process(target=serve, args=(there, address, ports), daemon=True)
    process.start()
    yield [f"{address}:{port}" for port in here.recv()]
    process.terminate()
    process.join()


def measure(name: str, seeds: list[str], pages: int, **settings: Any) -> None:
    """Crawl, and print a line."""
    settings |= {"allow_private": True, "robots": False, "traps": False}
    fetcher = Counting(settings)
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        settings |= {"folder": f"{folder}/crawl", "threshold": 0.1, "strategy": "breadth_first", "pages": pages}
        clew.crawl("sailing", seeds, fetcher=fetcher, **settings)
    cpu = (time.process_time() - began) / pages
    rate = (pages - 1) / (fetcher.times[-1] - fetcher.times[0])
    print(f"{name:<22}{rate:6.2f} pages/s{fetcher.put_off / pages:8.2f} put off a page{1000 * cpu:8.1f} ms CPU a page")


if __name__ == "__main__":
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    names = [f"http://h{n}.farm.example/" for n in range(HOSTS)]
    with serving("127.0.0.1", 1) as [place]:
        resolve = [f"*.example={place}"]
        measure("no shared limit", names, pages, per_domain=0, resolve=resolve)
        measure("one domain", names, pages, per_domain=4, resolve=resolve)
        measure("one domain, no delay", names, pages, per_domain=4, delay=0.0, resolve=resolve)
    with serving("127.0.0.2", HOSTS) as places:
        measure("one address", [f"http://{place}/" for place in places], pages, per_domain=0, per_address=4)
