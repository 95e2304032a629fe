"""A web on loopback that changes when told to."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import clew

DAY = 86_400
WORDS = ["mast", "keel", "rudder", "jib", "anchor", "harbour", "island", "wind", "wave", "tide", "chart", "rope"]


def prose(seed: object, count: int = 300) -> str:
    """Text about sailing, another one for each seed."""
    chance = random.Random(str(seed))
    return "sailing " + " ".join(chance.choice(WORDS) + str(chance.randrange(50)) for _ in range(count))


@dataclass
class Sheet:
    """A page as it is now."""

    text: str
    links: tuple[str, ...] = ()
    tagged: bool = False  # whether it has an ETag and answers 304
    status: int = 200
    to: str = ""
    raw: bytes = b""
    kind: str = "text/html"

    @property
    def body(self) -> bytes:
        anchors = "".join(f'<a href="{url}">sailing {url}</a> ' for url in self.links)
        return self.raw or f"<title>sailing</title><p>{self.text}</p>{anchors}".encode()


@dataclass
class Site:
    """Pages by path; what is asked is remembered."""

    pages: dict[str, Sheet] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str], float]] = field(default_factory=list)
    days: float = 0.0  # that have passed
    slow: float = 0.0
    sheet = Sheet
    prose = staticmethod(prose)

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [path for path, *_ in self.asked if path != "/robots.txt"]

    def now(self) -> float:
        """The time on the site's calendar."""
        return time.time() + self.days * DAY

    def crawl(self, folder: Path, **settings: Any) -> clew.Result:
        usual = {"threshold": 0.1, "strategy": "breadth_first", "delay": 0, "duplicates": "keep", "per_host": 4}
        usual |= {"allow_private": True, "folder": str(folder)}
        return clew.crawl("sailing", [f"{self.root}/"], **{**usual, **settings})

    def recrawl(self, folder: Path, **settings: Any) -> clew.Recrawl:
        return clew.recrawl(folder, **{"every": 0, "now": self.now, **settings})

    def changed(self, result: clew.Recrawl) -> list[str]:
        return sorted(visit.url.removeprefix(self.root) for visit in result.changed)

    def start(self) -> None:
        site = self

        class Answer(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.asked.append((self.path, dict(self.headers), time.monotonic()))
                time.sleep(site.slow)
                sheet = site.pages.get(self.path, Sheet("nothing", status=404))
                tag = f'"{sha1(sheet.body).hexdigest()}"'
                same = sheet.tagged and self.headers.get("If-None-Match") == tag
                self.send_response(304 if same else sheet.status)
                if sheet.tagged:
                    self.send_header("ETag", tag)
                if sheet.to:
                    self.send_header("Location", sheet.to)
                self.send_header("Content-Type", sheet.kind)
                if not same:
                    self.send_header("Content-Length", str(len(sheet.body)))
                self.end_headers()
                if not same:
                    self.wfile.write(sheet.body)

            def log_message(self, *_: object) -> None: ...

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None: ...  # who is killed does not say goodbye

        self.server = Server(("127.0.0.1", 0), Answer)
        self.port = self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    def stop(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    made.start()
    yield made
    made.stop()
