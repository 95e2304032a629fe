"""Images in whole crawls over HTTP: stored, judged by what is said about them, and asked for only on request."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

import clew
from clew.cli.main import main
from clew.core import feedback
from clew.core.checkpoint import replay_all
from clew.store import Record, Records, SqliteStore
from clew.types import Fetched

PROSE = "Sailing boats of oak sail around the island, and everybody on the island sails. " * 4
OTHER = "Some words on nothing at all. " * 5
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
PAGES = {
    "/": f"""<title>Sailing</title><p>{PROSE}<a href=/race.html>The race</a> and <a href=/golf.html>golf</a>
        <p>{OTHER}<a href=/photo.png>a photo of sailing</a></p>""",
    "/race.html": f"""<title>The sailing race</title><p>{PROSE}</p>
        <figure><img src=/boat.png><figcaption>A sailing boat at the start</figcaption></figure>
        <p>{OTHER}<img src=/logo.png alt="Bank">{OTHER}</p>
        <img src=/secret.png alt="Sailing in secret"><img src=/noindex.png alt="Sailing alone">
        <img src=/wrong.png alt="Sailing nowhere"><img src=/count.gif width=1 height=1>""",
    "/golf.html": "<title>Golf</title><p>Golf on green grass. <img src=/green.png alt='The green'></p>",
    "/robots.txt": "User-agent: *\nDisallow: /secret",
}


class Pages(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        is_image = self.path.endswith(".png")
        body = PNG + self.path.encode() if is_image else PAGES.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        text = "text/plain" if self.path == "/robots.txt" else "text/html"
        self.send_header("Content-Type", "image/png" if is_image and "wrong" not in self.path else text)
        if self.path == "/noindex.png":
            self.send_header("X-Robots-Tag", "noindex")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None: ...


@pytest.fixture
def site() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Pages,), {"asked": asked})) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


def crawl(folder: Path, site: str, **settings: object) -> dict[str, Record]:
    plain = {"judge": "plain", "strategy": "hybrid", "allow_private": True, "delay": 0, "parallel": 1, "sitemaps": 0}
    clew.crawl("sailing", [site + "/"], folder=str(folder), **{**plain, **settings})  # type: ignore[arg-type]
    with Records(folder) as records:
        return {record.url.removeprefix(site): record for record in records.pages()}


def test_an_image_is_stored_and_judged_by_what_is_said_about_it(tmp_path: Path, site: tuple[str, list[str]]) -> None:
    visits = crawl(tmp_path / "c", site[0], media=True)
    boat = visits["/boat.png"]
    assert (boat.state, boat.title, boat.words, boat.is_media) == ("fetched", "A sailing boat at the start", 0, True)
    with Records(tmp_path / "c") as records:
        assert records.store.answer(boat).body == PNG + b"/boat.png"
        assert records.content_type(boat) == "image/png"
        page = records.store.page(boat.url)
        assert page is not None
        assert (dict(page.terms), page.links) == ({}, ())
        assert boat.url in [hit.url for hit in records.search("boat start")]
    relevant = {path for path, record in visits.items() if record.relevant}
    assert relevant == {"/", "/race.html", "/boat.png", "/photo.png"}
    assert {"/logo.png", "/green.png"} <= visits.keys()


def test_without_the_setting_nobody_asks_for_images(tmp_path: Path, site: tuple[str, list[str]]) -> None:
    visits = crawl(tmp_path / "c", site[0])
    assert list(visits) == ["/", "/race.html", "/golf.html"]
    assert set(site[1]) == {"/robots.txt", *visits}


def test_images_are_fetched_by_the_rules_of_pages(tmp_path: Path, site: tuple[str, list[str]]) -> None:
    visits = crawl(tmp_path / "c", site[0], media=True, max_bytes=100_000)
    assert visits["/secret.png"].state == "refused"
    assert "/secret.png" not in site[1]
    assert "noindex" in visits["/noindex.png"].reason
    assert visits["/wrong.png"].state == "failed"
    assert "/count.gif" not in visits
    small = crawl(tmp_path / "small", site[0], media=True, max_bytes=3000)
    assert small["/boat.png"].reason.startswith("too large")


def test_the_judge_that_learns_judges_images_and_learns_nothing_from_them(
    tmp_path: Path, site: tuple[str, list[str]]
) -> None:
    visits = crawl(tmp_path / "c", site[0], media=True, judge="learning")
    assert visits["/boat.png"].relevance > visits["/green.png"].relevance
    with SqliteStore(tmp_path / "c", reading=True) as store:
        state = feedback.state_of_folder(feedback.settings_in(store), store)
        replay_all(state, store)
        assert state.verdicts.judge is not None
        assert len(state.verdicts.judge.table) == 3


def test_another_interest_judges_images_by_the_same_words(tmp_path: Path, site: tuple[str, list[str]]) -> None:
    crawl(tmp_path / "c", site[0], media=True)
    clew.resume(tmp_path / "c", interest="golf OR green")
    with Records(tmp_path / "c") as records:
        relevant = {record.url.removeprefix(site[0]) for record in records.pages(relevant=True)}
    assert {path for path in relevant if path.endswith(".png")} == {"/green.png"}


def test_exports_hold_images(
    tmp_path: Path, site: tuple[str, list[str]], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    crawl(tmp_path / "c", site[0], media=True)
    assert main(["export", str(tmp_path / "c"), "--relevant", "-o", str(tmp_path / "out.warc.gz")]) == 0
    assert PNG + b"/boat.png" in gzip.decompress((tmp_path / "out.warc.gz").read_bytes())
    capsysbinary.readouterr()
    assert main(["export", str(tmp_path / "c"), "--relevant", "--text"]) == 0
    rows = capsysbinary.readouterr().out
    assert rows.count(b'"image/png"') == 2
    assert main(["explain", str(tmp_path / "c"), site[0] + "/boat.png"]) == 0
    shown = b" ".join(capsysbinary.readouterr().out.split())
    assert b"sailing" in shown
    assert b"judged by the links that lead there" in shown


def test_a_resumed_crawl_visits_the_same_images(tmp_path: Path, site: tuple[str, list[str]]) -> None:
    whole = crawl(tmp_path / "whole", site[0], media=True)
    crawl(tmp_path / "c", site[0], media=True, pages=4)
    clew.resume(tmp_path / "c", pages=1000)
    with closing(Records(tmp_path / "c")) as records:
        assert [record.url.removeprefix(site[0]) for record in records.pages()] == list(whole)


def test_a_fetcher_of_ones_own_may_bring_images(tmp_path: Path) -> None:
    class Album:
        async def get(self, url: str) -> Fetched:
            if url.endswith(".png"):
                return Fetched(url, 200, (("Content-Type", "image/png"),), PNG)
            body = b"<title>Sailing</title><p>Sailing boats <img src=/boat.png alt='Sailing boat'></p>"
            return Fetched(url, 200, (("Content-Type", "text/html"),), body)

        def pause(self, url: str) -> float:
            return 0.0

        async def close(self) -> None: ...

    visits = crawl(tmp_path / "c", "http://a.example", media=True, fetcher=Album())
    assert visits["/boat.png"].relevant
