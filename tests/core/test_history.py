"""Providers on the folders of real crawls."""

from __future__ import annotations

from pathlib import Path

import pytest

import clew
from clew.core.history import EarlierCrawls, SearchIndex
from clew.errors import StoreError
from clew.labyrinth import Labyrinth, serving
from clew.parse import host
from clew.strategies import SearchSource

LABYRINTH = Labyrinth(pages=300, seed=2)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two small crawls over HTTP that overlap."""
    made = [tmp_path_factory.mktemp("earlier") / name for name in ("one", "two")]
    with serving(LABYRINTH) as web:
        for folder, strategy in zip(made, ("breadth_first", "best_first"), strict=True):
            settings = {"resolve": [web.resolve], "allow_private": True, "delay": 0, "parallel": 1}
            seeds = LABYRINTH.seeds("sailing", 3)
            clew.crawl("sailing", seeds, strategy=strategy, pages=40, folder=str(folder), **settings)
    return made


def test_back_links_are_those_of_the_pages(folders: list[Path]) -> None:
    earlier: SearchSource = EarlierCrawls(folders[0])
    with clew.Records(folders[0]) as records:
        moved = {record.url: record.location for record in records.pages() if record.state == "redirected"}
        pages = [record for record in records.pages() if record.state == "fetched"]
        links = [(r.url, moved.get(link.url, link.url)) for r in pages for link in records.doc(r).links]
    assert moved
    for target in [record.url for record in pages]:
        sources = list(dict.fromkeys(source for source, to in links if to == target and source != target))
        assert earlier.backlinks(target, most=1000) == sources
        assert earlier.backlinks(target, most=1) == sources[:1]
    assert earlier.backlinks("http://nowhere.example/") == []


def test_links_to_what_was_never_fetched_count_too(folders: list[Path]) -> None:
    with clew.Records(folders[0]) as records:
        [(url, source)] = records.store.db.execute(
            "SELECT url, json_extract(links, '$[0][0]') FROM candidates "
            "WHERE reason = '' AND url NOT IN (SELECT url FROM pages) ORDER BY slot LIMIT 1"
        )
    assert source in EarlierCrawls(folders[0]).backlinks(url)


def test_search_finds_pages_that_hold_the_words(folders: list[Path]) -> None:
    earlier = EarlierCrawls(folders)
    found = earlier.search("sailing boats", most=5)
    assert len(found) == 5
    assert all({"sail", "boat"} & set(earlier.terms(url)) for url in found)
    assert found == EarlierCrawls(folders).search("sailing boats", most=5)
    assert earlier.search("xyzzy") == earlier.search("") == []


def test_hosts_list_their_pages_of_all_crawls_each_once(folders: list[Path]) -> None:
    earlier = EarlierCrawls([str(folder) for folder in folders])
    fetched: dict[str, None] = {}
    for folder in folders:
        with clew.Records(folder) as records:
            fetched |= dict.fromkeys(record.url for record in records.pages() if record.state == "fetched")
    for name in {host(url) for url in fetched}:
        assert earlier.listed(name) == [url for url in fetched if host(url) == name]
    assert earlier.listed("nowhere.example") == []
    assert [url for url in fetched if not earlier.terms(url)] == []
    assert earlier.terms("http://nowhere.example/") == {}


def test_nothing_is_read_before_it_is_asked_for(tmp_path: Path) -> None:
    earlier = EarlierCrawls(tmp_path)
    with pytest.raises(StoreError, match="not a crawl folder"):
        earlier.listed("a.example")


def test_rare_words_and_short_documents_count_more() -> None:
    docs = {"long": {"sail": 1, "wind": 99}, "short": {"sail": 1, "wind": 1}, "rare": {"jib": 1, "wind": 1}}
    index = SearchIndex(docs.items())
    assert index.search(["sail"]) == ["short", "long"]
    assert index.search(["sail", "jib"]) == ["rare", "short", "long"]
    assert index.search(["sail"], most=1) == ["short"]
    assert SearchIndex([]).search(["sail"]) == []
