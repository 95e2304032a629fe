"""The decisions of the filters follow from the visits: an interrupted crawl goes on as if it had not been."""

from __future__ import annotations

import asyncio
import random
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import clew
from clew.config import Config, configure
from clew.core.build import frontier
from clew.core.engine import Engine
from clew.core.state import CrawlState
from clew.store import Records, SqliteStore
from clew.strategies import make
from clew.testing.fixed_interest import FixedInterest
from clew.types import Fetched

WORDS = [f"word{number}" for number in range(2000)]
HOME = "http://a.example/"


class Broken(Exception):
    """Stands for a kill."""


def body(path: str) -> bytes:
    """A web with duplicates, a useless parameter, error pages, a calendar, and names, folders and hosts without end."""
    number = int("0" + "".join(c for c in path.partition("?")[0] if c.isdigit()))
    text = " ".join(random.Random(number // 2).choices(WORDS, k=100))
    title = "Page not found" if number % 11 == 10 else f"page {number}"
    links = [f"/n{number * 2 + 1}?ref={number}", f"/n{number * 2 + 2}", f"/n{number + 3}?ref=9&b={number % 3}"]
    links += [f"http://n{number}-{n}.c.example/" for n in range(3)]
    links += [f"{path.rstrip('/')}/d{number}/", f"/to/{number}"]
    links += [f"/cal?date=2{number:03}-01", f"http://b{number % 3}.example/m{number * 3 + 1}", f"{path}/x/x"]
    text = "error" if "not found" in title else text
    anchors = "".join(f'<p><a href="{link}">{n}</a></p>' for n, link in enumerate(links))
    return f"<title>{title}</title><p>{text}</p>{anchors}".encode()


@dataclass
class Endless:
    """Answers until it has had enough."""

    left: int = 10**9

    async def get(self, url: str) -> Fetched:
        self.left -= 1
        if self.left < 0:
            raise Broken
        path = url[url.index("/", 8) :]
        if path.startswith("/to/") and len(path) % 4:
            return Fetched(url, 301, location=f"http://a.example/to/{len(path)}{path[4:]}")
        page = body(path)
        return Fetched(url, 200, (("Content-Type", "text/html"),), page, page)

    def pause(self, url: str) -> float:
        return 0.0

    async def close(self) -> None: ...


@dataclass(frozen=True, eq=False)
class Seventh(FixedInterest):
    """Every seventh page is relevant."""

    def relevance(self, url: str) -> float:
        return float(int("0" + "".join(c for c in url if c.isdigit())) % 7 == 0)

    def rate(self, text: str) -> float:
        return 0.0


def run(folder: Path, config: Config, fetcher: Endless, new: bool) -> list[tuple[str, str, str]]:
    with SqliteStore(folder, new=config if new else None) as store:
        state = CrawlState(config, Seventh().at(0.5), make("breadth_first"), store, frontier(config, store))
        engine = Engine(state, fetcher, store)
        if not new:
            engine.resume(store)
        asyncio.run(engine.run())
    with Records(folder) as records:
        return [(record.url, record.state, record.reason) for record in records.pages()]


@pytest.mark.parametrize(("kill", "checkpoints"), [(5, 1000), (37, 0), (90, 1000), (151, 0), (151, 1000)])
def test_broken_off_and_resumed(tmp_path: Path, kill: int, checkpoints: float):
    config = configure(
        interest="x", seeds=[HOME], pages=220, parallel=1, delay=0, threshold=0.5, host_pages=15, commit_pages=1
    )
    config = configure(config, checkpoint_seconds=checkpoints)
    whole = run(tmp_path / "whole", config, Endless(), new=True)
    with pytest.raises(Broken):
        run(tmp_path / "broken", config, Endless(kill), new=True)
    assert run(tmp_path / "broken", config, Endless(), new=False) == whole
    assert {"fetched", "duplicate", "failed", "redirected"} <= {state for _, state, _ in whole}
    assert 10 < len({url.split("/")[2] for url, _, _ in whole if ".c.example" in url}) <= 50


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        missing = self.path == "/robots.txt"
        page = b"" if missing else body(self.path)
        self.send_response(404 if missing else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *args: object) -> None:
        """Quiet."""


def test_over_http_with_reasons(tmp_path: Path):
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            clew.crawl(
                "word1 OR word2 OR word3",
                [HOME],
                folder=str(tmp_path / "crawl"),
                resolve=[f"*.example=127.0.0.1:{server.server_port}"],
                allow_private=True,
                delay=0,
                parallel=1,
                pages=120,
                threshold=0.01,
                strategy="breadth_first",
            )
        finally:
            server.shutdown()
            thread.join()
    with Records(tmp_path / "crawl") as records:
        pages = list(records.pages())
        twin = next(record for record in pages if record.state == "duplicate")
    assert any(record.reason.startswith("soft 404") and record.state == "failed" for record in pages)
    assert not any(record.relevant for record in pages if record.state != "fetched")
    assert clew.explain(tmp_path / "crawl", twin.url).reason.startswith("same as http://")
