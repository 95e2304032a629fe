"""A cache that crawls share: what it keeps, for how long, and that nobody is asked for what it has."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.errors import StoreError
from clew.labyrinth import Labyrinth, serving
from clew.store import Records
from clew.store.page_cache import CacheFolder, PageCache, is_kept
from clew.types import Fetched

URL = "http://a.example/"
DAY = 86_400.0
TYPE = (("Content-Type", "text/html"),)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[tuple[Any, Path]]:
    """How to crawl a labyrinth, and the log of its server."""
    labyrinth = Labyrinth(pages=300, seed=3)
    log = tmp_path / "requests.log"
    with serving(labyrinth, log=log) as server:

        def crawl(folder: str, **more: Any) -> clew.Result:
            settings: dict[str, Any] = {
                "seeds": labyrinth.seeds("sailing", 3),
                "strategy": "breadth_first",
                "judge": "plain",
                "threshold": 0.3,
                "resolve": [server.resolve],
                "allow_private": True,
                "delay": 0,
                "pages": 60,
                "folder": str(tmp_path / folder),
            }
            return clew.crawl("sailing", **(settings | more))

        yield crawl, log


def asked(log: Path) -> Counter[str]:
    """How often each URL was asked for."""
    return Counter(line.split(maxsplit=1)[1] for line in log.read_text(encoding="utf-8").splitlines())


def visited(folder: Path) -> list[tuple[str, str, str, float]]:
    with Records(folder) as records:
        return [(r.url, r.state, r.title, r.relevance) for r in records.pages()]


def test_two_crawls_with_one_cache_ask_for_each_page_once(web: Any, tmp_path: Path) -> None:
    crawl, log = web
    cache = [str(tmp_path / "cache")]
    first = crawl("one", cache=cache, parallel=1)
    before = asked(log)
    second = crawl("two", cache=cache, parallel=1)
    assert asked(log) == before
    assert set(before.values()) == {1}
    assert visited(tmp_path / "one") == visited(tmp_path / "two")
    assert first.stats.bytes > 0
    with first.records as records:
        # A robots.txt that was read for its rules need not be read again for its sitemaps.
        assert all(record.is_robots_file for record in records.pages() if record.is_cached)
    with second.records as records:
        # What robots.txt forbids is refused; nobody is asked for that either.
        count = sum(record.state != "refused" for record in records.pages())
    assert (second.stats.cached, second.stats.bytes) == (count, 0)


def test_a_crawl_that_needs_more_asks_only_for_what_is_missing(web: Any, tmp_path: Path) -> None:
    crawl, log = web
    cache = [str(tmp_path / "cache")]
    crawl("one", cache=cache, parallel=1)
    result = crawl("two", cache=cache, parallel=1, pages=90)
    assert set(asked(log).values()) == {1}
    with result.records as records:
        from_web = [record for record in records.pages() if not record.is_cached]
    assert 30 <= len(from_web) < 60
    assert result.stats.bytes == sum(record.bytes for record in from_web)


def test_an_earlier_crawl_answers_and_is_not_written_to(web: Any, tmp_path: Path) -> None:
    crawl, log = web
    crawl("one", parallel=1)
    before = (tmp_path / "one" / "crawl.db").read_bytes()
    seen = asked(log)
    result = crawl("two", cache=[str(tmp_path / "one")], parallel=1)
    assert asked(log) == seen
    assert result.stats.cached > 60
    assert (tmp_path / "one" / "crawl.db").read_bytes() == before


def test_crawls_at_the_same_time_can_share_a_cache(web: Any, tmp_path: Path) -> None:
    crawl, log = web
    cache = [str(tmp_path / "cache")]
    failures: list[BaseException] = []

    def work(name: str) -> None:
        try:
            crawl(name, cache=cache)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("one", "two", "three")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    before = asked(log)
    # Whatever they have asked for meanwhile is there for the next one.
    result = crawl("four", cache=cache)
    assert not set(asked(log) - before) & set(before)
    assert result.stats.cached > 40


def test_the_archive_says_where_a_page_comes_from(web: Any, tmp_path: Path) -> None:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    crawl, _ = web
    crawl("one", cache=[str(tmp_path / "cache")], parallel=1)
    crawl("two", cache=[str(tmp_path / "cache")], parallel=1)
    [archive] = (tmp_path / "two" / "pages").glob("*.warc.gz")
    dates: dict[str, str] = {}
    origins: list[str] = []
    with archive.open("rb") as file:
        for record in ArchiveIterator(file):
            if record.record_type == WarcRecordType.response:
                dates[record.record_id] = record.headers["WARC-Date"]
            elif record.record_type == WarcRecordType.metadata:
                fields = dict(line.split(": ", 1) for line in record.reader.read().decode().splitlines())
                assert fields["fetched-from-cache"] == str(tmp_path / "cache")
                # The response has the date at which the server sent it.
                assert dates[record.headers["WARC-Refers-To"]] == fields["fetched-at"]
                origins.append(record.headers["WARC-Target-URI"])
    with Records(tmp_path / "two") as records:
        assert set(origins) >= {record.url for record in records.pages() if record.status}
    warcio = Path(sys.executable).with_name("warcio")
    for folder in ("two", "cache"):
        for path in (tmp_path / folder / "pages").glob("*.warc.gz"):
            subprocess.run([warcio, "check", path], check=True)


def test_a_crawl_from_the_cache_resumes_and_is_explained(web: Any, tmp_path: Path) -> None:
    crawl, _ = web
    cache = str(tmp_path / "cache")
    crawl("one", cache=[cache], parallel=1)
    crawl("two", cache=[cache], parallel=1, pages=30)
    # Without the cache its own archive has everything.
    (tmp_path / "cache").rename(tmp_path / "elsewhere")
    clew.resume(tmp_path / "two", pages=60, cache=[])
    assert visited(tmp_path / "two") == visited(tmp_path / "one")
    with Records(tmp_path / "two") as records:
        page = next(record for record in records.pages() if record.state == "fetched")
        assert records.stats().cached == sum(record.is_cached for record in records.pages())
    assert clew.explain(tmp_path / "two", page.url).reason == f"from the cache {cache}"


def test_robots_rules_hold_for_cached_pages(web: Any, tmp_path: Path) -> None:
    crawl, _ = web
    cache = [str(tmp_path / "cache")]
    # A first crawl that does not obey; the second one must ask for robots.txt, and obey.
    crawl("one", cache=cache, robots=False, pages=150, parallel=1)
    disobeyed = {url for url, *_ in visited(tmp_path / "one")}
    crawl("two", cache=cache, pages=150, parallel=1)
    with Records(tmp_path / "two") as records:
        refused = [record.url for record in records.pages() if record.state == "refused"]
    assert disobeyed & set(refused)


def test_answers_grow_old(tmp_path: Path) -> None:
    now = [1000.0]
    with_limit = PageCache([tmp_path / "c"], days=2.0, now=lambda: now[0])
    with_limit.put(Fetched(URL, 200, TYPE, b"page", b"page"))
    found = with_limit.find(URL)
    assert found is not None
    assert (found.body, found.cache, found.fetched_at) == (b"page", str(tmp_path / "c"), 1000.0)
    now[0] += 1.5 * DAY
    assert with_limit.find(URL)
    assert with_limit.find(URL, max_days=1.0) is None
    now[0] += DAY
    assert with_limit.find(URL) is None
    with_limit.close()
    without = PageCache([tmp_path / "c"], days=None, now=lambda: now[0])
    assert without.find(URL)
    # A newer answer takes the place of the old one.
    without.put(Fetched(URL, 200, TYPE, b"new", b"new"))
    found = without.find(URL)
    assert found is not None
    assert found.body == b"new"
    without.close()


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (Fetched(URL, 200), True),
        (Fetched(URL, 301, location="http://b.example/"), True),
        (Fetched(URL, 404), True),
        (Fetched(URL, 410), True),
        (Fetched(URL, 403), False),
        (Fetched(URL, 429, transient=True), False),
        (Fetched(URL, 503, transient=True), False),
        (Fetched(URL, error="timeout", transient=True), False),
        (Fetched(URL, 200, error="too large"), False),
        (Fetched(URL, 200, truncated="length"), False),
    ],
)
def test_only_answers_that_stand_for_themselves_are_kept(answer: Fetched, kept: bool) -> None:
    assert is_kept(answer) == kept


def test_redirects_keep_their_target(tmp_path: Path) -> None:
    cache = PageCache([tmp_path / "c"], days=None)
    cache.put(Fetched(URL, 301, (("Location", "/x"),), location="http://a.example/x"))
    found = cache.find(URL)
    assert found is not None
    assert found.is_redirect
    assert found.location == "http://a.example/x"
    cache.close()


def test_a_damaged_cache_never_fails_a_crawl(tmp_path: Path) -> None:
    cache = PageCache([tmp_path / "c"], days=None)
    cache.put(Fetched(URL, 200, TYPE, b"page", b"page"))
    cache.close()
    for path in (tmp_path / "c" / "pages").iterdir():
        path.write_bytes(b"")
    again = PageCache([tmp_path / "c"], days=None)
    assert again.find(URL) is None


def test_a_folder_of_other_things_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(StoreError, match="neither a crawl folder nor a cache"):
        PageCache([tmp_path], days=None)


def test_each_process_writes_a_file_of_its_own(tmp_path: Path) -> None:
    first = CacheFolder(tmp_path / "c")
    second = CacheFolder(tmp_path / "c")
    for number in range(3):
        first.put(Fetched(f"{URL}{number}", 200, TYPE, b"one", b"one"), 1.0)
        second.put(Fetched(f"{URL}x{number}", 200, TYPE, b"two", b"two"), 1.0)
    assert len(list((tmp_path / "c" / "pages").iterdir())) == 2
    place = first.find(f"{URL}x2")
    assert place is not None
    assert place.file == "00002.warc.gz"
    first.close()
    second.close()


def test_a_cache_that_another_crawl_is_just_making_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    other = sqlite3.connect(tmp_path / "cache" / "cache.db", check_same_thread=False, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.3, other.execute, ["COMMIT"]).start()
    cache = CacheFolder(tmp_path / "cache")
    assert cache.find(URL) is None
    cache.close()
    other.close()


def test_addresses_that_must_not_be_fetched_are_refused_from_the_cache_too(tmp_path: Path) -> None:
    import asyncio

    from clew.config import Fetch
    from clew.core.cached_fetch import get_cached
    from clew.fetch import HttpFetcher

    private = "http://127.0.0.1:8000/"
    cache = PageCache([tmp_path / "c"], days=None)
    cache.put(Fetched(private, 200, TYPE, b"page", b"page"))

    async def get(**settings: Any) -> Fetched:
        fetcher = HttpFetcher(Fetch(robots=False, **settings))
        answer = await get_cached(private, fetcher, cache)
        await fetcher.close()
        return answer

    assert asyncio.run(get()).error == "address"
    assert asyncio.run(get(allow_private=True)).cache == str(tmp_path / "c")
    cache.close()


def test_a_crawl_from_the_cache_is_sound_and_can_be_exported(web: Any, tmp_path: Path) -> None:
    from clew.core.verification import verify
    from clew.store.warc_export import write_warc

    crawl, _ = web
    for name in ("one", "two"):
        crawl(name, cache=[str(tmp_path / "cache")], parallel=1)
    assert verify(tmp_path / "two").findings == []
    with Records(tmp_path / "two") as records, (tmp_path / "out.warc.gz").open("wb") as file:
        assert write_warc(records, records.pages(relevant=True), file) == records.stats().relevant > 0
    subprocess.run([Path(sys.executable).with_name("warcio"), "check", tmp_path / "out.warc.gz"], check=True)
