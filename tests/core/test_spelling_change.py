"""Folders written before escapes had one spelling: known pages stay known, visits since the checkpoint are replayed.

`tests/fixtures/crawl_folders/spelling-killed` is a crawl of the pages below that was killed after eight visits, seven
of them after its checkpoint. The version that wrote it knew `/%7Ejoe/` and `/~joe/` as two URLs, and took invalid meta
refreshes for links, so that a replay of today numbers the URLs otherwise.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote

import pytest

import clew
from clew.core import feedback
from clew.core.checkpoint import replay
from clew.core.state import CrawlState
from clew.store import Records, SqliteStore

FOLDER = Path(__file__).parents[1] / "fixtures" / "crawl_folders" / "spelling-killed"
SITE = "http://old.example"
SPELLINGS = ("%7Ejoe/", "m%c3%bchle", "%70lan", "%7Eann/", "%7eann/x", "w%c3%bcste", "%7Ezoe/")
LINKS = {
    "/": ["%7Ejoe/", "m%c3%bchle", "plain", "%70lan"],
    "/~joe/": ["/~joe/", "/plan", "/%7Eann/", "/more1"],
    "/mühle": ["/M%C3%BChle", "/m%C3%BChle", "/more2", "/w%c3%bcste"],
    "/plain": ["/~joe/", "/%7ejoe/", "/more3"],
    "/plan": ["/~ann/", "/%7eann/x", "/more4"],
    "/~ann/": ["/%7Ejoe/", "/%7Ezoe/", "/more5"],
    "/more1": ["/~ann/x", "/more6"],
    "/~ann/x": ["/~ann/", "/last"],
    "/more6": ["/w%C3%BCste", "/%7ezoe/"],
    "/last": ["/~zoe/", "/~joe/", "/plan"],
}
REFRESHES = {"/mühle": "soon; url=/never", "/plan": "9; url='/waited' (please wait)"}


def page_at(path: str) -> bytes:
    """A page of the site, of its own words, or nothing."""
    if path not in LINKS and not path.startswith(("/more", "/M", "/w", "/~zoe")):
        return b""
    links = "".join(f'<p>sailing to <a href="{link}">sailing {link}</a>' for link in LINKS.get(path, []))
    meta = f'<meta http-equiv=refresh content="{REFRESHES[path]}">' if path in REFRESHES else ""
    words = " ".join(f"{path.strip('/~')}{n} sailing" for n in range(30))
    return f"<title>{path}</title>{meta}<p>{words}{links}".encode()


@contextmanager
def serving(asked: list[str]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = page_at(unquote(self.path))
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"old.example=127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "killed"))


def known(folder: Path) -> list[str]:
    with Records(folder) as records:
        return [url for (url,) in records.store.db.execute("SELECT url FROM candidates ORDER BY slot")]


def visited(folder: Path) -> list[str]:
    with Records(folder) as records:
        return [record.url for record in records.pages()]


def replayed(folder: Path) -> CrawlState:
    with SqliteStore(folder, reading=True) as store:
        with Records(folder) as records:
            state = feedback.state_of_folder(records.config, store)
        replay(state, store)
    return state


def test_the_fixture_is_what_it_is_meant_to_be(folder: Path) -> None:
    assert set(SPELLINGS) <= {url.removeprefix(f"{SITE}/") for url in known(folder)}
    with SqliteStore(folder) as store:
        assert not store.is_parsed_today()
        assert len(list(store.visits())) == 8


def test_visits_since_the_checkpoint_are_replayed_as_todays_parser_reads_them(folder: Path) -> None:
    state = replayed(folder)
    assert state.order == 8
    assert [state.frontier.is_visited(url) for url in visited(folder)] == [True] * 8
    # What an earlier version took for a refresh is no URL any more, and the other way round.
    assert state.frontier.find(f"{SITE}/soon;%20url=/never") is None
    assert state.frontier.find(f"{SITE}/waited") is not None


def test_a_known_page_stays_known_by_its_spelling(folder: Path) -> None:
    state = replayed(folder)
    assert state.frontier.find(f"{SITE}/%7Ezoe/") is not None
    assert state.frontier.find(f"{SITE}/~zoe/") is None
    assert state.filters.fold(f"{SITE}/~zoe/") == f"{SITE}/%7Ezoe/"
    assert state.filters.fold(f"{SITE}/~joe/") == f"{SITE}/~joe/"  # known by both spellings


def test_it_resumes_and_visits_no_page_again_under_another_spelling(folder: Path) -> None:
    before = known(folder)
    asked: list[str] = []
    with serving(asked) as resolve:
        clew.resume(folder, resolve=[resolve], delay=0)
    visits = visited(folder)
    assert visits[:8] == before[:8]
    assert len(visits) == len(set(visits)) == len(known(folder))
    fresh = [url for url in visits if url not in before]
    assert sorted(fresh) == [f"{SITE}/{path}" for path in ("last", "more6", "waited")]
    assert len(asked) == len(set(asked))


def test_slots_are_those_of_today_after_the_next_commit(folder: Path) -> None:
    with serving([]) as resolve:
        clew.resume(folder, pages=9, resolve=[resolve], delay=0)
    with SqliteStore(folder) as store:
        assert store.is_parsed_today()
        slots = {record.slot: record.url for record in store.visits()}
        assert {slot: entry.url for slot, entry in store.entries(list(slots)).items()} == slots
    state = replayed(folder)
    assert {state.frontier.find(url): url for url in slots.values()} == slots
    assert len(known(folder)) == len(state.frontier)
    # The old spellings are known for good.
    assert state.filters.fold(f"{SITE}/~zoe/") == f"{SITE}/%7Ezoe/"


@pytest.mark.parametrize("url", ["m%c3%bchle", "%70lan", "~zoe/", "%7Ezoe/", "%7ezoe/", "plain"])
def test_either_spelling_is_explained(folder: Path, url: str) -> None:
    explained = clew.explain(folder, f"{SITE}/{url}")
    assert explained.state in ("fetched", "queued", "duplicate")


def test_a_label_finds_its_page(folder: Path) -> None:
    [label] = clew.label(folder, f"{SITE}/~zoe/", True)
    assert label.url == f"{SITE}/%7Ezoe/"


def test_a_new_folder_has_one_spelling(tmp_path: Path) -> None:
    asked: list[str] = []
    with serving(asked) as resolve:
        clew.crawl(
            "sailing",
            [f"{SITE}/"],
            threshold=0.1,
            delay=0,
            sitemaps=0,
            resolve=[resolve],
            allow_private=True,
            folder=str(tmp_path / "new"),
        )
    assert len(asked) == len(set(asked))
    assert not any(path in asked for path in ("/%7Ejoe/", "/m%c3%bchle", "/%70lan"))
    with SqliteStore(tmp_path / "new", reading=True) as store:
        assert store.is_parsed_today()
        assert store.spellings() == {}
