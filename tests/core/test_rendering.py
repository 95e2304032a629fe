"""Pages written by scripts, from the browser to the archive and back without one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import clew
from clew.errors import ConfigError
from clew.fetch._chromium import located
from clew.store import Records
from clew.store.warc import answers


def shell(code: str) -> bytes:
    return f"<!DOCTYPE html><div id=app></div><script>{code}</script>".encode()


PAGES = {
    "/": shell("app.innerHTML = '<p>sailing boats <a href=/old>old</a> <a href=/plain>plain</a>'"),
    "/old": shell("location.replace('/new')"),
    "/new": shell("fetch('/order', {method: 'POST'}).catch(() => app.append('sailing without wind'))"),
    "/plain": b"<p>" + b"sailing as it came " * 20,
    "/news": shell("fetch('/words').then(r => r.text()).then(t => app.innerHTML = t)"),
    "/words": b"sailing news of old",
}


class Shell(BaseHTTPRequestHandler):
    """Answers with the pages above."""

    def do_GET(self) -> None:
        body = PAGES.get(self.path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *args: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Shell) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_crawl_of_pages_that_scripts_write(site, tmp_path):
    try:
        located("")
    except ConfigError as missing:
        pytest.skip(str(missing))
    settings = {"allow_private": True, "delay": 0.0, "threshold": 0.01, "render": "auto", "duplicates": "keep"}
    folder = tmp_path / "crawl"
    clew.crawl("sailing", [f"{site}/"], folder=str(folder), pages=2, **settings)
    result = clew.resume(folder, pages=10, render_seconds=5.0)
    with result.records as records:
        found = {record.url.removeprefix(site): record for record in records.pages()}
        texts = {path: records.text(record) for path, record in found.items()}
        journal = [detail for _, _, detail in records.journal()]
    assert texts["/"] == "sailing boats old plain"
    assert texts["/new"] == "sailing without wind"
    assert texts["/plain"].startswith("sailing as it came")
    assert all(found[path].relevant for path in ("/", "/new", "/plain"))
    assert any("/order: POST requests are not sent" in line for line in journal)
    assert (found["/old"].state, found["/old"].location) == ("redirected", f"{site}/new")
    assert (result.stats.visited, result.stats.relevant) == (3, 3)


def test_what_scripts_have_loaded_is_archived_too(site, tmp_path):
    try:
        located("")
    except ConfigError as missing:
        pytest.skip(str(missing))
    settings = {"allow_private": True, "delay": 0.0, "threshold": 0.01, "render": "auto", "sitemaps": 0}
    clew.crawl("sailing", [f"{site}/news"], folder=str(tmp_path / "crawl"), **settings)
    [archive] = (tmp_path / "crawl" / "pages").iterdir()
    assert {answer.url: answer.body for answer in answers(archive)} == {
        f"{site}/robots.txt": b"",
        f"{site}/news": PAGES["/news"],
        f"{site}/words": PAGES["/words"],
    }


def test_what_scripts_write_is_seen_to_change(site, tmp_path, monkeypatch):
    try:
        located("")
    except ConfigError as missing:
        pytest.skip(str(missing))
    folder, settings = tmp_path / "crawl", {"allow_private": True, "delay": 0.0, "threshold": 0.01, "render": "auto"}
    settings["sitemaps"] = 0
    clew.crawl("sailing", [f"{site}/news"], folder=str(folder), **settings)
    assert [visit.changed for visit in clew.recrawl(folder, every=0).visits] == [False]
    later = b"sailing <a href=/plain>another wind</a>"
    monkeypatch.setitem(PAGES, "/words", later)
    result = clew.recrawl(folder, every=0)  # the bytes of the page itself are the same
    assert ([visit.changed for visit in result.visits], result.links) == ([True], 1)
    with Records(folder) as records:
        assert [records.text(record) for record in records.newest()] == ["sailing another wind"]
    assert [visit.changed for visit in clew.recrawl(folder, every=0, render="never").visits] == [False]
