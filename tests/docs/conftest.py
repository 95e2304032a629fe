"""A small web on loopback that answers for example.org, so that the examples of the documentation run as printed."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

SAILING = "sailing sail yacht regatta boat harbour mast keel jib skipper rudder wind sea island ferry"
GOLF = "golf green hole caddie bunker fairway putter club swing tee handicap score grass lawn"
EVERYDAY = "morning street paper window story people garden winter music letter table bread river summer road"
PAGES = 30  # of each kind


def page(path: str) -> str | None:
    """The HTML of a page; no two are alike, and golf is never about boats."""
    kind, _, number = path.strip("/").partition("/")
    if path == "/":
        return html("Sailing on the Baltic", SAILING, "start", [f"/boats/{n}" for n in range(5)] + ["/golf/0"])
    if kind not in ("boats", "golf") or not number.isdecimal() or int(number) >= PAGES:
        return None
    n = int(number)
    other = "golf" if kind == "boats" else "boats"
    links = [f"/{kind}/{n + 1}", f"/{kind}/{n + 7}", f"/{other}/{n + 3}"]
    return html(f"About {kind}, part {n}", SAILING if kind == "boats" else GOLF, path, links)


def html(title: str, words: str, seed: str, links: list[str]) -> str:
    """A page whose sentences are drawn by its seed."""
    chance = random.Random(seed)
    text = " ".join(chance.choices(words.split(), k=120) + chance.choices(EVERYDAY.split(), k=120))
    items = "".join(f'<li><a href="{link}">More about {link.split("/")[1]}</a></li>' for link in links)
    return f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1><p>{text}</p><ul>{items}</ul></html>"


class Handler(BaseHTTPRequestHandler):
    """Answers with the pages above, and with 404 for anything else."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        content = page(self.path)
        body = (content or "not here").encode()
        self.send_response(200 if content else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="session")
def example_org() -> Iterator[str]:
    """The value of the setting `resolve` that leads to the small web."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"example.org=127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()
