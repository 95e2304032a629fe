"""Crawled text is hostile: no script of it runs, no request leaves, and nothing turns the page around."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.serve.report import write_report
from clew.store import Records

from .conftest import Service, service

pytestmark = pytest.mark.slow
ATTACK = "<img src=http://evil.example/x onerror=window.hacked=1><script>window.hacked=1</script>"
ESCAPED = ATTACK.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
BIDI = "\u202esailing\u2066 gnilias\u0007\u200b"
LINKS = (
    "/plain",
    "/%3Cimg%20src=x%20onerror=window.hacked=1%3E",
    '/"onmouseover="window.hacked=1',
    "/bidi",
    "/huge",
    "/end",
    "/waits-1",
    "javascript:window.hacked=1",
    "data:text/html,<script>window.hacked=1</script>",
    "http://evil.example/sailing",
)


def page(path: str) -> str:
    titles = {"/bidi": BIDI, "/huge": "sailing " + "x" * 2_000_000, "/end": "&lt;/script&gt;&lt;/style&gt;&lt;!--"}
    title = titles.get(path, f"sailing {ESCAPED}")
    links = "".join(f"<p><a href='{link}'>sailing {ESCAPED} {BIDI}</a>" for link in LINKS)
    words = f"{path} ".replace("<", " ") + "sailing boats and harbours " * 30
    return f"<!DOCTYPE html><title>{title}</title><main><h1>sailing</h1><p>{ESCAPED} {BIDI} {words}</p>{links}</main>"


class Hostile(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = page(self.path).encode()
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of a site whose every text attacks."""
    root = tmp_path_factory.mktemp("hostile")
    site = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    reach = {"allow_private": True, "resolve": [f"*.example=127.0.0.1:{site.server_port}"], "delay": 0}
    limits = {"pages": None, "visits": 6, "duplicates": "keep", "boilerplate": "keep", "parallel": 1}
    # In a thread of its own: Playwright's loop runs in this one.
    options = {"folder": str(root / "sailing"), **reach, **limits}
    worker = threading.Thread(target=clew.crawl, args=("sailing", ["http://a.example/"]), kwargs=options)
    worker.start()
    worker.join()
    site.shutdown()
    site.server_close()
    return root


@pytest.fixture(scope="module")
def running(hostile: Path) -> Iterator[Service]:
    with service(hostile, "") as running:
        yield running


def test_no_script_runs_and_nothing_leaves(running: Service, viewer: Callable[..., Any]) -> None:
    seen = viewer(running.address)
    look_at_everything(seen.page)
    assert [url for url in seen.asked if not url.startswith(running.origin)] == []
    assert seen.troubles == []


def test_nor_in_the_report(hostile: Path, tmp_path: Path, viewer: Callable[..., Any]) -> None:
    with Records(hostile / "sailing") as records:
        file = write_report(records, tmp_path / "report.html")
    seen = viewer(file.as_uri())
    look_at_everything(seen.page)
    assert seen.asked == [file.as_uri()]
    assert seen.troubles == []


def look_at_everything(page: Any) -> None:
    page.locator("#found [data-card]").first.wait_for()
    page.get_by_label("not relevant ones, too").check()
    page.wait_for_timeout(500)
    for part in ("#found", "#next"):
        more = page.locator(f"{part} .more")
        if more.is_visible():
            more.click()
    page.locator("#found").get_by_role("button", name="Why?").first.click()
    page.get_by_role("dialog").locator("h3").wait_for()
    page.wait_for_timeout(500)
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script, main iframe, dialog img").count() == 0
    shown = page.locator("body").inner_text()
    # The attack is there to be read.
    assert "onerror=window.hacked" in shown
    assert not set(shown) & set("\u202e\u2066\u200b\u0007")
    links = page.locator("main a[href], dialog a[href]").evaluate_all("links => links.map(a => [a.href, a.rel])")
    assert {link.partition(":")[0] for link, rel in links if rel} <= {"http", "https"}
    assert all(rel == "noreferrer noopener" for link, rel in links if "example" in link)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
