"""A crawl whose archive was damaged goes on: it says what is lost, keeps the rows, and invents nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from clew.config import Config, configure
from clew.core.build import frontier
from clew.core.engine import Engine
from clew.core.state import CrawlState
from clew.store import Record, Records, SqliteStore
from clew.store.record import LOST
from clew.strategies import make
from clew.testing.random_web import random_web
from clew.testing.tiny_web import Broken, TinyWebFetcher, TinyWebInterest, url_of
from clew.types import UrlState

WORLD = random_web(pages=60, links=5, seed=3)


def crawl(folder: Path, left: int = 10**9, resumed: bool = False, strategy: str = "shark", **more: object) -> None:
    """Crawl until so many fetches are made; no checkpoint is written but the first, so that all else is replayed."""
    seeds = [url_of(name) for name in list(WORLD.pages)[:3]]
    plain = {"parallel": 1, "delay": 0, "retries": 0, "commit_pages": 1, "threshold": 0.5, "checkpoint_seconds": 1000}
    config = configure(Config(), interest="x", seeds=seeds, **plain, **more)
    with SqliteStore(folder, new=None if resumed else config, max_warc=6000) as store:
        state = CrawlState(config, TinyWebInterest(WORLD), make(strategy), store, frontier(config, store))
        engine = Engine(state, TinyWebFetcher(WORLD, left), store)
        engine.resume(store)
        asyncio.run(engine.run())


def broken_off(folder: Path) -> list[Record]:
    """The visits of a crawl that was killed on its way."""
    with pytest.raises(Broken):
        crawl(folder, 30)
    return visits(folder)


def visits(folder: Path) -> list[Record]:
    with Records(folder) as records:
        return list(records.pages())


def half_of(folder: Path, record: Record) -> None:
    """The file ends in the middle of a record."""
    with (folder / "pages" / record.file).open("r+b") as file:
        file.truncate(record.offset + record.length // 2)


def nothing_of(folder: Path, record: Record) -> None:
    (folder / "pages" / record.file).unlink()


def damaged(folder: Path, record: Record) -> None:
    """A few bytes in the middle of a record are wrong."""
    with (folder / "pages" / record.file).open("r+b") as file:
        file.seek(record.offset + record.length // 2)
        file.write(b"\0" * 8)


@pytest.mark.parametrize("damage", [half_of, nothing_of, damaged])
@pytest.mark.parametrize("place", [-1, -4, 10], ids=["the last", "near the end", "in the middle"])
def test_a_killed_crawl_goes_on_without_lost_answers(
    tmp_path: Path, damage: Callable[[Path, Record], None], place: int
) -> None:
    crawl(tmp_path / "whole")
    folder = tmp_path / "damaged"
    before = broken_off(folder)
    damage(folder, before[place])
    files = {path: path.read_bytes() for path in (folder / "pages").iterdir()}
    crawl(folder, resumed=True)
    after = visits(folder)
    assert [(r.url, r.state, r.relevance, r.title) for r in after[: len(before)]] == [
        (r.url, r.state, r.relevance, r.title) for r in before
    ]
    assert {r.url for r in after} == {r.url for r in visits(tmp_path / "whole")}
    for path, content in files.items():
        assert path.read_bytes().startswith(content[: before[place].offset])
        assert damage is damaged or path.read_bytes() == content, "damaged files are left as they are"


def test_lost_answers_are_marked_and_reported_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = broken_off(tmp_path)
    half_of(tmp_path, before[10])
    with caplog.at_level(logging.WARNING, "clew"):
        SqliteStore(tmp_path).close()
    lost = [record for record in visits(tmp_path) if record.is_lost]
    assert lost
    assert {record.order for record in lost} == {
        r.order for r in before if r.file == before[10].file and r.order >= 10 and r.status
    }
    assert all(record.reason.endswith(LOST) and not record.file for record in lost)
    assert "answers are lost" in caplog.text
    caplog.clear()
    SqliteStore(tmp_path).close()
    assert caplog.text == ""
    with Records(tmp_path) as records:
        assert sum(event == "lost" for _, event, _ in records.journal()) == 1


def test_new_answers_never_go_into_a_file_that_was_used(tmp_path: Path) -> None:
    before = broken_off(tmp_path)
    nothing_of(tmp_path, before[-1])
    crawl(tmp_path, resumed=True)
    files = {record.file for record in visits(tmp_path)[len(before) :] if record.file}
    assert min(files) > before[-1].file


def test_readers_survive_lost_answers(tmp_path: Path) -> None:
    crawl(tmp_path)
    page = next(r for r in visits(tmp_path) if r.state == UrlState.FETCHED and r.order > 5)
    damaged(tmp_path, page)
    with Records(tmp_path) as records:
        assert records.text(page) == ""
        assert records.doc(page).title == page.title
        assert page.url not in {record.url for record, _ in records.store.docs()}
        assert records.store.doc(page.url) is None
        assert list(records.store.lost.urls) == [page.url]
        found = records.store.page(page.url)
        assert found is not None
        assert found.ok
        assert found.relevance == page.relevance
        # Evidence in the database names every link that had led to something new.
        targets = {link.url for link in found.links}
        assert targets
        assert all(record.url in targets for record in records.pages() if _parent(records, record) == page.url)


def _parent(records: Records, record: Record) -> str:
    steps = records.path(record.url)
    return steps[-2].url if len(steps) > 1 else ""


@pytest.mark.parametrize("strategy", ["breadth_first", "adaptive", "backlink"])
def test_every_strategy_replays_visits_without_documents(tmp_path: Path, strategy: str) -> None:
    with pytest.raises(Broken):
        crawl(tmp_path, 30, strategy=strategy)
    nothing_of(tmp_path, visits(tmp_path)[5])
    crawl(tmp_path, resumed=True, strategy=strategy)
    crawl(tmp_path, resumed=True, strategy=strategy)
    assert len(visits(tmp_path)) > 40
