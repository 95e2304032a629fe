"""Seen from the server: how often each host is asked, redirects and retries included."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from time import monotonic

import clew
from clew.config import Fetch, configure
from clew.fetch import NOT_YET, HttpFetcher, Politeness
from clew.fetch.http import NONE
from clew.fetch.politeness import RequestSlots
from clew.labyrinth import Labyrinth, serving
from clew.types import Fetched

DELAY = 0.2
EARLY = 0.95  # clocks and sockets are not exact
LATE = 0.2  # seconds that a busy machine may keep a request on its way


@dataclass
class Witness:
    """Servers on loopback that take their time and remember when they were asked, and by which name."""

    took: float = 0.03
    links: list[str] = field(default_factory=list)
    log: list[tuple[str, str, str, float, float]] = field(default_factory=list)  # address, host, path, begin, end

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = writer.get_extra_info("sockname")[0]
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode():
                begin, path = monotonic(), head.split(" ")[1]
                host = head.partition("Host: ")[2].partition("\r\n")[0]
                await asyncio.sleep(self.took)
                links = "".join(f'<a href="{url}">sailing</a>' for url in self.links)
                body = f"<title>sailing</title><p>sailing here {links}".encode()
                status = "404 No" if path == "/robots.txt" else "200 OK"
                fields = f"Content-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
                self.log.append((address, host, path, begin, monotonic()))
                writer.write(f"HTTP/1.1 {status}\r\n{fields}".encode() + body)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            writer.close()

    @contextmanager
    def at(self, *addresses: str) -> Iterator[list[str]]:
        """Serve on these addresses, each time on a port of its own; the places as host:port."""
        loop, places, servers = asyncio.new_event_loop(), list[str](), list[asyncio.Server]()

        async def listen() -> None:
            for address in addresses:
                server = await asyncio.start_server(self.answer, address, 0)
                servers.append(server)
                places.append(f"{address}:{server.sockets[0].getsockname()[1]}")

        async def rest() -> None:
            for server in servers:
                server.close()
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0.01)  # lets the connections' callbacks run

        loop.run_until_complete(listen())
        thread = threading.Thread(target=loop.run_forever)
        thread.start()
        try:
            yield places
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.run_until_complete(rest())
            loop.close()

    def check(self, key: int, most: int, gap: float) -> None:
        """At each place at most so many at once, and so far apart: a late one may be close to the next, not to more."""
        groups = defaultdict(list)
        for entry in self.log:
            groups[entry[key]].append(entry[3:])
        for times in groups.values():
            times.sort()
            for n, (begin, _) in enumerate(times):
                assert sum(a <= begin < b for a, b in times) <= most
                assert all(times[i][0] - begin >= (i - n) * gap * EARLY - LATE for i in range(n + 1, len(times)))


class Diary(Politeness):
    """The usual politeness; it writes down when each place was asked, before the request is on its way."""

    def __init__(self, config: Fetch) -> None:
        super().__init__(config)
        self.times: dict[str, list[float]] = defaultdict(list)

    def begin(self, slots: RequestSlots) -> None:
        super().begin(slots)
        for place in (slots.host, *slots.shared):
            self.times[place].append(monotonic())


class Counting(HttpFetcher):
    """The usual fetcher; it counts the requests that it had to put off."""

    def __init__(self, config: Fetch) -> None:
        super().__init__(config)
        self.politeness = self.diary = Diary(config)
        self.put_off = 0

    async def get(self, url: str, conditions: Mapping[str, str] = NONE) -> Fetched:
        answer = await super().get(url, conditions)
        self.put_off += answer.error == NOT_YET
        return answer


def crawl(witness: Witness, seeds: list[str], folder: Path, **settings: object) -> clew.Crawl:
    usual = {"threshold": 0.1, "strategy": "breadth_first", "parallel": 16, "allow_private": True, "sitemaps": 0}
    witness.links = seeds
    return clew.crawl("sailing", seeds, folder=str(folder), **{**usual, **settings})


def test_hosts_of_one_domain_share_a_limit(tmp_path: Path) -> None:
    witness = Witness()
    names = [f"h{n}.farm.example" for n in range(8)] + ["lone.example"]
    with witness.at("127.0.0.1") as [place]:
        seeds = [f"http://{name}/{n}" for n in range(2) for name in names]
        result = crawl(witness, seeds, tmp_path, delay=DELAY, per_domain=2, resolve=[f"*.example={place}"])
    assert result.stats.visited == len(seeds)
    witness.check(1, 1, DELAY)
    witness.log = [("", "farm", *entry[2:]) for entry in witness.log if "farm" in entry[1]]
    assert len(witness.log) == 24
    witness.check(1, 2, DELAY / 2)


def test_many_names_at_one_address_share_a_limit(tmp_path: Path) -> None:
    witness = Witness()
    with witness.at(*["127.0.0.2"] * 5, *["127.0.0.3"] * 2) as places:
        seeds = [f"http://{place}/{n}" for n in range(2) for place in places]
        result = crawl(witness, seeds, tmp_path, delay=DELAY, per_domain=0, per_address=2)
    assert result.stats.visited == len(seeds)
    witness.check(1, 1, DELAY)
    witness.check(0, 2, DELAY / 2)


def test_many_hosts_of_one_domain_cost_no_busy_loop(tmp_path: Path) -> None:
    witness = Witness()
    settings = {"delay": DELAY, "per_domain": 4, "robots": False, "allow_private": True}
    with witness.at("127.0.0.1") as [place]:
        seeds = [f"http://h{n}.farm.example/" for n in range(200)]
        settings["resolve"] = [f"*.example={place}"]
        fetcher = Counting(configure(**settings).fetch)
        result = crawl(witness, seeds, tmp_path, fetcher=fetcher, pages=50, **settings)
    assert result.stats.visited == 50
    assert fetcher.put_off <= 100  # it was more than 100,000
    witness.log = [("", "farm", *entry[2:]) for entry in witness.log]
    witness.check(1, 4, DELAY / 4)
    assert all(b - a >= DELAY / 4 for a, b in pairwise(fetcher.diary.times["domain farm.example"]))


def test_many_hosts_at_one_address_cost_no_busy_loop(tmp_path: Path) -> None:
    witness = Witness()
    settings = {"delay": DELAY, "per_domain": 0, "per_address": 4, "robots": False, "allow_private": True}
    with witness.at(*["127.0.0.2"] * 60) as places:
        fetcher = Counting(configure(**settings).fetch)
        seeds = [f"http://{place}/" for place in places]
        result = crawl(witness, seeds, tmp_path, fetcher=fetcher, pages=30, **settings)
    assert result.stats.visited == 30
    assert fetcher.put_off <= 120
    witness.check(0, 4, DELAY / 4)
    assert all(b - a >= DELAY / 4 for a, b in pairwise(fetcher.diary.times["address 127.0.0.2"]))


def test_limits_without_a_delay(tmp_path: Path) -> None:
    witness = Witness(took=0.01)
    names = [f"h{n}.farm.example" for n in range(12)]
    with witness.at("127.0.0.1") as [place]:
        seeds = [f"http://{name}/{n}" for n in range(8) for name in names]
        result = crawl(witness, seeds, tmp_path, delay=0, per_domain=3, resolve=[f"*.example={place}"])
    assert result.stats.visited == len(seeds)
    witness.check(1, 1, 0)
    witness.log = [("", "", *entry[2:]) for entry in witness.log]
    witness.check(1, 3, 0)


def test_several_connections_to_a_host_share_one_delay(tmp_path: Path) -> None:
    witness = Witness(took=1.0)
    with witness.at("127.0.0.1") as [place]:
        seeds = [f"http://{place}/{n}" for n in range(6)]
        result = crawl(witness, seeds, tmp_path, delay=0.4, delay_factor=0, per_host=3)
    assert result.stats.visited == len(seeds)
    witness.check(1, 3, 0.4)  # so long that a busy machine does not blur it
    times = sorted(entry[3:] for entry in witness.log)
    assert any(b[0] < a[1] for a, b in pairwise(times))  # they do overlap


def test_a_slow_host_is_left_alone_for_longer(tmp_path: Path) -> None:
    witness = Witness(took=0.1)
    with witness.at("127.0.0.1") as [place]:
        crawl(witness, [f"http://{place}/{n}" for n in range(4)], tmp_path, delay=0.01, delay_factor=3)
    pages = [entry[3:] for entry in witness.log if entry[2] != "/robots.txt"]
    assert all(b[0] - a[1] >= 0.3 * EARLY for a, b in pairwise(pages))


def test_a_host_is_left_alone_between_two_fetches(tmp_path: Path) -> None:
    labyrinth = Labyrinth(pages=400, seed=4, redirects=0.2)
    log = tmp_path / "requests.tsv"
    with serving(labyrinth, log=log) as web:
        result = clew.crawl(
            "sailing",
            labyrinth.seeds(labyrinth.topics[0], 3),
            threshold=0.5,
            strategy="breadth_first",
            pages=200,
            parallel=8,
            delay=DELAY,
            resolve=[web.resolve],
            allow_private=True,
            sitemaps=0,
            folder=str(tmp_path / "crawl"),
        )
    assert result.stats.redirects > 0
    asked: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for line in log.read_text().splitlines():
        at, host, path = line.split("\t")
        asked[host].append((float(at), path))
    assert max(map(len, asked.values())) > 5
    for requests in asked.values():
        assert [path for _, path in requests].count("/robots.txt") == 1
        assert requests[0][1] == "/robots.txt"
        assert all(later - earlier >= DELAY * EARLY for (earlier, _), (later, _) in pairwise(requests))
