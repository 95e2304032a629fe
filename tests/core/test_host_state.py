"""Seen from the server: a crawl that was killed and resumed asks nobody before the time."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import pytest

import clew
from clew.config import Fetch
from clew.fetch import Politeness
from clew.store import SqliteStore
from clew.types import Fetched

NAMES = ("plain.example", "busy.example", "calm.example")
DELAY, RETRY_AFTER, CRAWL_DELAY = 0.5, 2.0, 1.5
EARLY = 0.98  # clocks and sockets are not exact


class Site:
    """Three hosts; what they are asked is remembered with its time."""

    def __init__(self) -> None:
        self.log: dict[str, list[tuple[float, str, int]]] = defaultdict(list)
        site = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                host = self.headers["Host"]
                nth = sum(path != "/robots.txt" for _, path, _ in site.log[host])
                robots = self.path == "/robots.txt"
                busy = host == NAMES[1] and nth == 1 and not robots
                links = "".join(f'<a href="http://{name}/{n}">sailing</a>' for name in NAMES for n in range(9))
                body = f"sailing {self.path} {links}"
                if robots:
                    body = f"User-agent: *\nCrawl-delay: {CRAWL_DELAY}\n" if host == NAMES[2] else ""
                site.log[host].append((time.monotonic(), self.path, 429 if busy else 200))
                self.send_response(429 if busy else 200)
                if busy:
                    self.send_header("Retry-After", f"{RETRY_AFTER:.0f}")
                self.send_header("Content-Type", "text/plain" if robots else "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.resolve = f"*.example=127.0.0.1:{self.server.server_port}"

    def pages(self, host: str) -> int:
        return sum(path != "/robots.txt" for _, path, _ in self.log[host])

    def gaps(self, host: str) -> list[tuple[float, int]]:
        """Seconds between two requests, with the status of the first."""
        return [(later[0] - before[0], before[2]) for before, later in pairwise(self.log[host])]


def asked(folder: Path) -> set[str]:
    """The hosts whose wishes are kept already."""
    if not (folder / "crawl.db").exists():
        return set()
    with closing(sqlite3.connect(f"{(folder / 'crawl.db').as_uri()}?mode=ro", uri=True)) as db:
        return {host for (host,) in db.execute("SELECT host FROM manners")}


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.02,))
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


def test_a_resumed_crawl_knows_how_long_everybody_must_be_left_alone(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    words = ["--seeds", *(f"http://{name}/" for name in NAMES), "--resolve", site.resolve, "--allow-private"]
    words += ["--threshold", "0.01", "--delay", str(DELAY), "--duplicates", "keep", "--folder", str(folder), "--quiet"]
    # What came after the start pages is not committed when the kill comes: only its manners are known.
    words += ["--commit-seconds", "60", "--strategy", "breadth_first", "--per-domain", "0"]
    process = subprocess.Popen([sys.executable, "-m", "clew", "crawl", "sailing", *words])
    deadline = time.monotonic() + 30
    while site.pages(NAMES[2]) < 2 or not asked(folder) >= set(NAMES[1:]):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = {name: len(site.log[name]) for name in NAMES}
    clew.resume(folder, pages=13)
    assert all(len(site.log[name]) > before[name] + 1 for name in NAMES)
    assert all(gap >= DELAY * EARLY for gap, _ in site.gaps(NAMES[0]))
    assert all(gap >= (RETRY_AFTER if status == 429 else DELAY) * EARLY for gap, status in site.gaps(NAMES[1]))
    assert 429 in [status for _, status in site.gaps(NAMES[1])]
    # The wish is not known before the first robots.txt has come.
    assert all(gap >= CRAWL_DELAY * EARLY for gap, _ in site.gaps(NAMES[2]))


def test_rests_and_failures_outlive_a_run_but_not_an_hour(tmp_path: Path) -> None:
    now = [1000.0]
    config, polite = Fetch(delay=2.0), Politeness(Fetch(delay=2.0), lambda: now[0], lambda: now[0])
    with SqliteStore(tmp_path / "crawl", new=clew.configure()) as store:
        polite.keep = store.save_host_state
        polite.note("rests.example", Fetched("", 503, retry_after=100.0))
        for _ in range(config.host_failures):
            polite.note("dead.example", Fetched("", error="timeout"))
        polite.note("fine.example", Fetched("", 200))
        kept = store.load_host_state(60.0)
    assert [manners.host for manners in kept] == ["dead.example", "rests.example"]
    now[0] += 30.0
    later = Politeness(config, lambda: now[0], lambda: now[0])
    later.remember(kept, keep=print)
    assert later.pause("rests.example") == pytest.approx(70.0)
    assert later.given_up("dead.example")
    assert later.quiet == now[0] + 2.0
    now[0] += 2 * 3600.0
    forgiven = Politeness(config, lambda: now[0], lambda: now[0])
    forgiven.remember(kept, keep=print)
    assert not forgiven.given_up("dead.example")
