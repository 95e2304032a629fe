"""What a crawl over HTTP leaves in its archive."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

import clew

HOME = b"<p>sailing <a href=/gone>gone</a> <a href=/moved>moved</a> <a href=/huge>huge</a>"
PAGES: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/robots.txt": (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /private"),
    "/": (200, {}, HOME),
    "/gone": (404, {}, b"<p>no such boat"),
    "/moved": (301, {"Location": "/new"}, b"<p>it is elsewhere"),
    "/new": (200, {}, b"<p>sailing again"),
    "/huge": (200, {}, b"sailing " * 10_000),
}


class Site(BaseHTTPRequestHandler):
    """Answers with the pages above."""

    def do_GET(self) -> None:
        status, headers, body = PAGES[self.path]
        self.send_response(status)
        for name, value in ({"Content-Type": "text/html"} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def crawl(site: str, folder: Path, **settings: Any) -> Path:
    usual = {"allow_private": True, "delay": 0.0, "threshold": 0.01, "max_bytes": 50_000}
    clew.crawl("sailing", [f"{site}/"], folder=str(folder), **{**usual, **settings})
    [archive] = (folder / "pages").iterdir()
    return archive


def records(archive: Path) -> list[Any]:
    found = []
    with archive.open("rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            record.body = record.content_stream().read()
            found.append(record)
    return found


def test_every_answer_is_archived_with_its_request_and_its_server(site: str, tmp_path: Path) -> None:
    archive = crawl(site, tmp_path / "crawl")
    subprocess.run([Path(sys.executable).with_name("warcio"), "check", archive], check=True)
    found = records(archive)
    answers = {record.rec_headers["WARC-Target-URI"]: record for record in found if record.rec_type == "response"}
    requests = {record.rec_headers["WARC-Concurrent-To"]: record for record in found if record.rec_type == "request"}
    assert {url.removeprefix(site) for url in answers} == set(PAGES)
    for url, record in answers.items():
        status, _, body = PAGES[url.removeprefix(site)]
        assert int(record.http_headers.get_statuscode()) == status
        assert record.rec_headers["WARC-IP-Address"] == "127.0.0.1"
        is_huge = url.endswith("/huge")
        assert (record.body, record.rec_headers["WARC-Truncated"]) == ((b"", "length") if is_huge else (body, None))
        request = requests[record.rec_headers["WARC-Record-ID"]]
        assert request.http_headers.statusline == f"{url.removeprefix(site)} HTTP/1.1"
        assert request.http_headers["User-Agent"].startswith("clew/")
        assert request.http_headers["Host"] == site.removeprefix("http://")


def test_a_resumed_crawl_keeps_what_was_committed(site: str, tmp_path: Path) -> None:
    archive = crawl(site, tmp_path / "crawl", pages=1)
    before = [record.rec_headers["WARC-Record-ID"] for record in records(archive)]
    clew.resume(tmp_path / "crawl", pages=10)
    after = [record.rec_headers["WARC-Record-ID"] for record in records(archive)]
    assert after[: len(before)] == before
    assert len(after) > len(before)


def test_behind_a_proxy_the_server_is_unknown_and_passwords_are_not_kept(
    site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = site.replace("http://", "http://user:secret@")
    for path, answer in list(PAGES.items()):
        # The proxy is the site itself, which is asked for whole URLs.
        monkeypatch.setitem(PAGES, f"http://boats.example{path}", answer)
    archive = crawl("http://boats.example", tmp_path / "crawl", proxy=proxy, pages=1)
    heads = b"".join(record.rec_headers.to_ascii_bytes() for record in records(archive))
    assert b"WARC-Target-URI: http://boats.example/robots.txt" in heads
    assert b"WARC-IP-Address" not in heads
    assert not any("Proxy-Authorization" in record.http_headers for record in records(archive) if record.http_headers)
