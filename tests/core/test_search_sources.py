"""Search sources: the ways to give one, what is recorded, and how they are asked over HTTP."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import clew
from clew.config import Fetch, Topic, configure, read
from clew.core.checkpoint import replay_all
from clew.core.feedback import state_of_folder
from clew.core.found_seeds import questions
from clew.core.http_search import OpenSearch
from clew.core.own_parts import OwnParts
from clew.core.search_sources import RecordedSearch, build_search_source, written_source
from clew.errors import ClewError, ConfigError
from clew.store import MemoryStore
from clew.strategies import Stale, Strategy
from clew.types import Candidate, Doc, Fetched, Page

HOME = "http://a.example/"


@dataclass
class Pages:
    """A web of pages that no links connect; only a search knows them."""

    asked: list[str] = field(default_factory=list)

    async def get(self, url: str) -> Fetched:
        self.asked.append(url)
        body = f"<title>{url}</title><p>sailing sailing {url[-3:]} {hash(url) % 1000}".encode()
        return Fetched(url, 200, (("Content-Type", "text/html"),), body, body)

    def pause(self, url: str) -> float:
        return 0.0

    async def close(self) -> None: ...


@dataclass
class Fickle:
    """Never gives the same answer twice."""

    questions: list[tuple[str, str]] = field(default_factory=list)

    def search(self, words: str, most: int = 20) -> Sequence[str]:
        self.questions.append(("search", words))
        return [f"{HOME}{len(self.questions)}-{n}" for n in range(2)]

    def backlinks(self, url: str, most: int = 20) -> Sequence[str]:
        self.questions.append(("backlinks", url))
        return [f"{HOME}b{len(self.questions)}"]


@dataclass
class Asking(Strategy):
    """Searches after every page, and asks for back-links."""

    told: list[str] = field(default_factory=list, init=False)

    def learn(self, page: Page) -> Stale:
        source = self._crawl.search_source
        if source is None:
            return ()
        answers = [*source.search(f"sail {page.order}"), *source.backlinks(page.url)]
        self.told += answers
        return answers

    def value(self, candidate: Candidate) -> float:
        return 1.0


SETTINGS = {"delay": 0, "parallel": 1, "judge": "plain", "duplicates": "keep", "traps": False, "sitemaps": 0}


def crawl(folder: Path, source: object, pages: int = 6, **more: object) -> clew.Result:
    return clew.crawl(
        "sailing",
        [HOME],
        strategy=Asking(),
        folder=str(folder),
        fetcher=Pages(),
        search_sources=[source],  # type: ignore[list-item]
        pages=pages,
        **{**SETTINGS, **more},  # type: ignore[arg-type]
    )


def visited(folder: Path) -> list[str]:
    with clew.Records(folder) as records:
        return [record.url for record in records.pages()]


def test_an_object_is_asked_and_its_answers_become_candidates(tmp_path: Path) -> None:
    source = Fickle()
    crawl(tmp_path / "crawl", source)
    assert visited(tmp_path / "crawl")[:3] == [HOME, f"{HOME}1-0", f"{HOME}1-1"]
    assert source.questions[:2] == [("search", "sailing 0"), ("backlinks", HOME)]


def test_a_replay_gets_the_recorded_answers(tmp_path: Path) -> None:
    """The source would say something else now, or is gone; whoever replays the crawl must not notice."""
    source = Fickle()
    crawl(tmp_path / "crawl", source)
    before = visited(tmp_path / "crawl")
    strategy = Asking()
    with clew.Records(tmp_path / "crawl") as records:
        # Without the object: the folder knows its answers.
        state = state_of_folder(records.config, records.store, OwnParts(strategy=strategy))
        replay_all(state, records.store)
    assert strategy.told[:4] == [f"{HOME}1-0", f"{HOME}1-1", f"{HOME}b2", f"{HOME}3-0"]
    assert clew.explain(tmp_path / "crawl", before[2]).state == "fetched"
    count = len(source.questions)
    again = {"strategy": Asking(), "fetcher": Pages(), "search_sources": [source], "pages": 9}
    clew.resume(tmp_path / "crawl", **again)  # type: ignore[arg-type]
    assert visited(tmp_path / "crawl")[: len(before)] == before
    assert ("search", "sailing 0") not in source.questions[count:]
    assert len(source.questions) > count


def test_resume_wants_the_object_again(tmp_path: Path) -> None:
    crawl(tmp_path / "crawl", Fickle())
    with pytest.raises(ConfigError, match=r"an object for search_sources .* clew.resume\(folder, search_sources=...\)"):
        clew.resume(tmp_path / "crawl", strategy=Asking(), fetcher=Pages())


def test_a_source_that_fails_has_nothing_to_say(tmp_path: Path) -> None:
    class Broken:
        def search(self, words: str, most: int = 20) -> Sequence[str]:
            raise OSError("no route")

    result = crawl(tmp_path / "crawl", Broken())
    assert result.stats.visited == 1
    with clew.Records(tmp_path / "crawl") as records:
        notes = [entry[2] for entry in records.journal() if entry[1] == "search source"]
    assert notes == ["Broken cannot answer search 'sailing 0': OSError: no route"]


def test_sources_take_turns() -> None:
    class Fixed:
        def __init__(self, *names: str) -> None:
            self.names = names

        def search(self, words: str, most: int = 20) -> Sequence[str]:
            return [HOME + name for name in self.names]

    both = RecordedSearch([Fixed("a", "b", "c"), Fixed("x", "b")], MemoryStore(), is_online=True)
    assert both.search("words", 4) == [HOME + name for name in "axbc"]
    assert both.backlinks(HOME) == []
    assert (both.terms(HOME), both.listed("a.example")) == ({}, [])


def test_offline_nobody_is_asked() -> None:
    source = Fickle()
    assert RecordedSearch([source], MemoryStore()).search("words") == []
    assert source.questions == []


def test_asked_with_words_as_pages_write_them() -> None:
    source = Fickle()
    search = RecordedSearch([source], MemoryStore(), is_online=True)
    search.read(Doc(HOME, text="Policies of the sailors"))
    search.search("polici sailor xyz")
    assert source.questions == [("search", "policies sailors xyz")]
    assert search.search("polici sailor xyz") == [f"{HOME}1-0", f"{HOME}1-1"], "recorded by the stems"


MODULE = """
class Mine:
    def __init__(self, limit=1):
        self.limit = limit
    def search(self, words, most=20):
        return ["http://a.example/mine"] * self.limit
"""


def test_given_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_search.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    template = "https://find.example/?q={searchTerms}"
    config = configure(search_sources=["my_search:Mine(limit=3)", template, f"opensearch(template={template!r})"])
    source = build_search_source(config, OwnParts())
    assert source is not None
    mine, plain, named = source.sources
    assert (mine.limit, plain.template, named.template) == (3, template, template)
    sys.modules.pop("my_search")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("opensearch(template='https://find.example/')", r"a place for \{searchTerms\}"),
        ("https://find.example/?q=words", r"a place for \{searchTerms\}"),
        ("opensearch(where='x')", "has no parameter 'where'"),
        ("json:loads", "needs the method search or backlinks"),
    ],
)
def test_bad_texts(text: str, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        build_search_source(configure(search_sources=[text]), OwnParts())


def test_a_class_or_something_else_is_refused() -> None:
    with pytest.raises(ConfigError, match="pass an instance"):
        build_search_source(configure(), OwnParts(search_sources=[Fickle]))  # type: ignore[list-item]
    with pytest.raises(ConfigError, match="needs the method search or backlinks"):
        build_search_source(configure(), OwnParts(search_sources=[7]))  # type: ignore[list-item]


def test_folders_in_a_file_are_relative_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one").mkdir()
    template = "https://find.example/?q={searchTerms}"
    (tmp_path / "crawl.toml").write_text(f'search_sources = ["one", "{template}", "mine:Source"]')
    found = read(tmp_path / "crawl.toml").what.search_sources
    assert found == (str(tmp_path / "one"), template, "mine:Source")
    monkeypatch.chdir(tmp_path)
    assert [written_source(text) for text in ("one", template, "mine:Source(n=1)")] == [
        str(tmp_path / "one"),
        template,
        "mine:Source(n=1)",
    ]


# Over HTTP

Respond = Callable[[str], tuple[int, bytes]]


@contextmanager
def service(respond: Respond) -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            status, body = respond(self.path)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def connected(template: str, fetch: Fetch, **more: object) -> Iterator[OpenSearch]:
    source = OpenSearch(template, **more)  # type: ignore[arg-type]
    source.connect(fetch)
    try:
        yield source
    finally:
        source.close()


LOCAL = configure(allow_private=True, delay=0, retries=0).fetch


def listing(path: str) -> tuple[int, bytes]:
    if path == "/robots.txt":
        return 404, b""
    return 200, json.dumps([f"{HOME}{path.rpartition('=')[2]}"]).encode()


def test_searches_and_backlinks_over_http() -> None:
    with service(listing) as (address, asked):
        more = {"backlink_template": f"{address}/links?to={{url}}"}
        with connected(f"{address}/find?q={{searchTerms}}", LOCAL, **more) as source:
            assert source.search("boats") == [f"{HOME}boats"]
            assert len(source.backlinks(HOME)) == 1
        assert asked == ["/robots.txt", "/find?q=boats", "/links?to=http%3A%2F%2Fa.example%2F"]


def test_fewer_words_where_nothing_has_them_all() -> None:
    def respond(path: str) -> tuple[int, bytes]:
        return (200, b"[]") if "+" in path else listing(path)

    with service(respond) as (address, asked), connected(f"{address}/find?q={{searchTerms}}", LOCAL) as source:
        assert source.search("boats sails masts keels") == [f"{HOME}boats"]
        assert asked[1:] == ["/find?q=boats+sails+masts+keels", "/find?q=boats+sails", "/find?q=boats"]


def test_the_guard_holds_and_so_does_robots_txt() -> None:
    def respond(path: str) -> tuple[int, bytes]:
        return (200, b"User-agent: *\nDisallow: /find") if path == "/robots.txt" else listing(path)

    with service(respond) as (address, asked):
        template = f"{address}/find?q={{searchTerms}}"
        with connected(template, configure(delay=0).fetch) as source, pytest.raises(ClewError, match="address"):
            source.search("boats")
        assert asked == []
        with connected(template, LOCAL) as source, pytest.raises(ClewError, match="robots"):
            source.search("boats")
        assert asked == ["/robots.txt"]


def test_questions_have_the_delay_of_a_crawl_and_an_end() -> None:
    import time

    with service(listing) as (address, asked):
        fetch = configure(allow_private=True, delay=0.3, delay_factor=0).fetch
        with connected(f"{address}/find?q={{searchTerms}}", fetch, max_questions=2) as source:
            start = time.monotonic()
            assert [len(source.search(word)) for word in ("a", "b", "c")] == [1, 1, 0]
            assert time.monotonic() - start >= 0.3
        assert len(asked) == 3


def test_from_inside_a_crawl(tmp_path: Path) -> None:
    """The strategy asks while the event loop of the crawl runs."""
    with service(listing) as (address, asked):
        crawl(tmp_path / "crawl", f"{address}/find?q={{searchTerms}}", pages=3, allow_private=True)
        assert visited(tmp_path / "crawl") == [HOME, f"{HOME}sailing+0", f"{HOME}sailing+1"]
        assert len(asked) == 4


def test_start_pages_come_from_a_search_where_none_are_given(tmp_path: Path) -> None:
    source = Fickle()
    settings = {"strategy": "breadth_first", "fetcher": Pages(), "pages": 2, **SETTINGS}
    folder = tmp_path / "crawl"
    clew.crawl("boats AND (sails OR oars)", folder=str(folder), search_sources=[source], **settings)  # type: ignore[arg-type]
    assert source.questions == [("search", "boats sails"), ("search", "boats oars")]
    with clew.Records(folder) as records:
        assert records.config.what.seeds == tuple(f"{HOME}{name}" for name in ("1-0", "2-0", "1-1", "2-1"))


def test_a_search_that_finds_no_start_page() -> None:
    class Empty:
        def search(self, words: str, most: int = 20) -> Sequence[str]:
            return []

    with pytest.raises(ConfigError, match="the search sources find no start page for 'boats'"):
        clew.crawl("boats", search_sources=[Empty()])
    with pytest.raises(ConfigError, match="give at least one start page"):
        clew.crawl("boats")


def test_what_is_searched_for() -> None:
    topics = {"water sports": Topic(keywords=("sailing", "rowing", "surfing", "diving"))}
    assert questions("water sports", topics) == ["sailing rowing surfing"]
    assert questions('word("keel") OR url(".org") OR NOT golf', {}) == ["keel"]
    assert len(questions(" OR ".join(f"w{n}" for n in range(20)), {})) == 5
