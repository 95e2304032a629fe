"""Robots' rules and sitemaps over real HTTP, and again from the archive."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

import clew
from clew.core import feedback
from clew.core.checkpoint import replay
from clew.store import Records

TEXT = "text/plain"
HTML = "text/html"
XML = "application/xml"
SAILING = b"<p>sailing sailing sailing"
Answer = tuple[str, bytes, dict[str, str]]
PAGES: dict[str, Answer] = {
    "/": (HTML, SAILING + b"<a href=/quiet>sailing</a><a href=/marked rel=nofollow>m</a>", {}),
    "/robots.txt": (
        TEXT,
        b"User-agent: *\nDisallow: /no\nCrawl-delay: 0.01\nSitemap: /index.xml\nSitemap: /index.xml",
        {},
    ),
    "/index.xml": (
        XML,
        b"<sitemapindex><loc>/1.xml.gz</loc><loc>/2.txt</loc><loc>/index2.xml</loc></sitemapindex>",
        {},
    ),
    "/1.xml.gz": ("application/x-gzip", gzip.compress(b"<urlset><loc>/a</loc><loc>/no/b</loc></urlset>"), {}),
    "/2.txt": (TEXT, b"http://site.example/c\n", {}),
    "/index2.xml": (XML, b"<sitemapindex><loc>/index3.xml</loc></sitemapindex>", {}),
    "/index3.xml": (XML, b"<sitemapindex><loc>/index4.xml</loc></sitemapindex>", {}),
    "/a": (HTML, SAILING, {"X-Robots-Tag": "noindex"}),
    "/c": (HTML, SAILING, {}),
    "/quiet": (HTML, SAILING + b"<a href=/secret>s</a>", {"X-Robots-Tag": "nofollow"}),
    "/secret": (HTML, SAILING, {}),
    "/marked": (HTML, SAILING, {}),
}


@contextmanager
def serving(asked: list[str], pages: Mapping[str, Answer] = PAGES) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            kind, body, headers = pages.get(self.path, (HTML, b"<p>There is no such page here.", {}))
            location = "Location" in headers
            self.send_response(301 if location else 200 if self.path in pages else 404)
            for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"*.example=127.0.0.1:{server.server_port}"
        server.shutdown()


def crawl(folder: Path, web: Mapping[str, Answer] = PAGES, **settings: object) -> tuple[list[str], Records]:
    asked: list[str] = []
    usual = {
        "duplicates": "keep",
        "delay": 0.0,
        "parallel": 1,
        "threshold": 0.1,
        "strategy": "breadth_first",
        "allow_private": True,
    }
    with serving(asked, web) as resolve:
        result = clew.crawl(
            "sailing", ["http://site.example/"], resolve=[resolve], folder=str(folder), **{**usual, **settings}
        )
    return asked, result.records


def path(url: str) -> str:
    return url.removeprefix("http://site.example")


def test_without_sitemaps_pages_are_obeyed(tmp_path: Path) -> None:
    asked, records = crawl(tmp_path / "crawl", sitemaps=0)
    assert asked == ["/robots.txt", "/", "/quiet", "/marked"]
    quiet = records.find("http://site.example/quiet")
    assert quiet is not None
    assert quiet.reason == "nofollow: its links are not followed"
    told = [detail for _, event, detail in records.journal() if event == "host"]
    assert told == ["robots.txt of site.example asks for 0.01 seconds between requests"]


def test_the_rules_can_be_set(tmp_path: Path) -> None:
    assert "/marked" not in crawl(tmp_path / "links", nofollow="links")[0]
    assert "/secret" in crawl(tmp_path / "ignore", nofollow="ignore")[0]


def test_sitemaps_lead_to_pages(tmp_path: Path) -> None:
    asked, records = crawl(tmp_path / "crawl", sitemaps=10)
    assert {"/index.xml", "/1.xml.gz", "/2.txt", "/index4.xml", "/a", "/c"} <= set(asked)
    assert "/no/b" not in asked
    refused = records.find("http://site.example/no/b")
    assert refused is not None
    assert refused.state == "refused"
    relevant = {path(page.url) for page in records.pages(relevant=True)}
    assert relevant == {"/", "/quiet", "/marked", "/c"}
    stats = records.stats()
    assert (stats.pages, stats.sitemaps) == (5, 7)  # 7: robots.txt and six sitemaps, the last of which is missing
    assert [step.kind for step in records.path("http://site.example/c")] == ["start", "index", "index", "sitemap"]
    kept = crawl(tmp_path / "kept", sitemaps=10, noindex="keep")[1]
    assert "/a" in {path(page.url) for page in kept.pages(relevant=True)}


@pytest.mark.parametrize("most", [1, 4, 5])
def test_so_many_and_no_more(tmp_path: Path, most: int) -> None:
    asked, _ = crawl(tmp_path / "crawl", sitemaps=most)
    lists = [place for place in asked if place.endswith((".xml", ".gz", "2.txt"))]
    assert len(lists) == most
    assert lists == sorted(set(lists), key=lists.index)


def test_the_scope_lets_a_sitemap_through_for_the_sake_of_its_pages(tmp_path: Path) -> None:
    asked, _ = crawl(tmp_path / "crawl", sitemaps=9, allow=["http://site.example/c"], within="hosts")
    assert "/c" in asked
    assert "/a" not in asked


def test_a_replay_comes_to_the_same_place(tmp_path: Path) -> None:
    _, records = crawl(tmp_path / "crawl", sitemaps=4, pages=9)
    with records.store as store:
        ended = feedback.state_of_folder(records.config, store)
        replay(ended, store)
        begun = feedback.state_of_folder(records.config, store)
        begun.frontier.slot_for("http://site.example/")
        store.checkpoint = dict  # as if it had been lost
        replay(begun, store)
    assert begun.sitemaps.read == ended.sitemaps.read == {"site.example": 4}
    assert begun.frontier._table.column("key").tolist() == ended.frontier._table.column("key").tolist()
    assert begun.frontier._table.column("state").tolist() == ended.frontier._table.column("state").tolist()


def test_a_site_must_have_a_relevant_page_first(tmp_path: Path) -> None:
    pages = {**PAGES, "/": (HTML, b"<p>rowing<a href=/next>on</a>", {}), "/next": (HTML, b"<p>rowing", {})}
    asked, records = crawl(tmp_path / "crawl", pages)
    assert asked == ["/robots.txt", "/", "/next"]
    assert records.stats().sitemaps == 0


def site(**others: Answer) -> dict[str, Answer]:
    """A site with a start page and a page that only its sitemap names."""
    listed = (XML, b"<urlset><url><loc>/listed</loc></url></urlset>", {})
    usual = {
        "": (HTML, SAILING + b"<a href=/one>one</a>", {}),
        "one": (HTML, SAILING, {}),
        "listed": (HTML, SAILING, {}),
    }
    pages = {**usual, "sitemap.xml": listed, **others}
    return {f"/{name}": answer for name, answer in pages.items()}


@pytest.mark.parametrize("robots", [None, b"User-agent: *\nDisallow: /x"])
def test_the_usual_sitemap_is_tried_where_robots_txt_names_none(tmp_path: Path, robots: bytes | None) -> None:
    pages = site() if robots is None else site(**{"robots.txt": (TEXT, robots, {})})
    asked, records = crawl(tmp_path / "crawl", pages)
    assert asked == ["/robots.txt", "/", "/robots.txt", "/sitemap.xml", "/one", "/listed"]
    states = {path(page.url): page.state for page in records.pages()}
    assert states == {
        "/": "fetched",
        "/robots.txt": "sitemap",
        "/sitemap.xml": "sitemap",
        "/one": "fetched",
        "/listed": "fetched",
    }
    stats = records.stats()
    assert (stats.visited, stats.relevant, stats.failed, stats.sitemaps) == (3, 3, 0, 2)


def test_a_missing_sitemap_is_no_failure_and_teaches_nothing(tmp_path: Path) -> None:
    pages = {name: answer for name, answer in site().items() if name != "/sitemap.xml"}
    asked, records = crawl(tmp_path / "crawl", pages)
    assert asked == ["/robots.txt", "/", "/robots.txt", "/sitemap.xml", "/one"]
    missing = records.find("http://site.example/sitemap.xml")
    assert missing is not None
    assert (missing.state, missing.reason, missing.status) == ("sitemap", "HTTP 404", 404)
    stats = records.stats()
    assert (stats.visited, stats.failed, stats.harvest, stats.sitemaps) == (2, 0, 1.0, 2)
    with records.store as store:
        state = feedback.state_of_folder(records.config, store)
        replay(state, store)
    assert state.filters.soft_errors.errors == {}
    assert state.filters.budgets.visits == {"site.example": 1}


def test_a_sitemap_may_have_moved(tmp_path: Path) -> None:
    moved = ("", b"", {"Location": "/wp-sitemap.xml"})
    other = (XML, b"<urlset><url><loc>/listed</loc></url></urlset>", {})
    asked, records = crawl(tmp_path / "crawl", site(**{"sitemap.xml": moved, "wp-sitemap.xml": other}))
    assert asked[3:] == ["/sitemap.xml", "/wp-sitemap.xml", "/one", "/listed"]
    assert records.stats().sitemaps == 2


def test_a_sitemap_that_has_moved_to_a_page_is_that_page(tmp_path: Path) -> None:
    moved = ("", b"", {"Location": "/home"})
    _, records = crawl(tmp_path / "crawl", site(**{"sitemap.xml": moved, "home": (HTML, SAILING, {})}))
    home = records.find("http://site.example/home")
    assert home is not None
    assert (home.state, home.relevant) == ("fetched", True)


def test_links_are_counted_only_without_sitemaps(tmp_path: Path) -> None:
    assert "/sitemap.xml" not in crawl(tmp_path / "crawl", site(), max_depth=5)[0]
