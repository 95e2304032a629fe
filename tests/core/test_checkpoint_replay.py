"""A crawl broken off at any visit and resumed ends like one that was left alone, for every kind of strategy."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from clew.config import Config, configure
from clew.core import rescoring
from clew.core.build import frontier
from clew.core.engine import Engine
from clew.core.state import CrawlState
from clew.store import Records, SqliteStore
from clew.strategies import ALL, HOLD, Stale, Strategy, make
from clew.testing.random_web import random_web
from clew.testing.tiny_web import Broken, TinyWebFetcher, TinyWebInterest, name_of, url_of
from clew.types import Candidate, Page


@dataclass
class Shifting(Strategy):
    """Scores that change with every page."""

    def value(self, candidate: Candidate) -> float:
        return float((candidate.found * 7 + self._crawl.visited * 3) % 11)


@dataclass
class Refreshed(Shifting):
    rescore_top = 3


@dataclass
class Swept(Shifting):
    rescore_all_every = 4


@dataclass
class Restless(Shifting):
    def learn(self, page: Page) -> Stale:
        return ALL if page.order % 3 == 0 else ()


@dataclass
class Hesitant(Strategy):
    """Holds back what is not yet its turn; only a second look lets it go."""

    seen: int = field(default=0, init=False)

    def learn(self, page: Page) -> Stale:
        self.seen += 1
        return ()

    def value(self, candidate: Candidate) -> float:
        return 1.0 if candidate.found < self.seen + 4 else HOLD


WORLD = random_web(pages=60, links=5, seed=3)
WIDE = random_web(pages=300, links=8, seed=3)
KINDS = ["breadth_first", "best_first", "best_first(n=4)", "shark", "backlink", "random_order"]
ODD = [Shifting, Refreshed, Swept, Restless, Hesitant]


def crawl(folder: Path, strategy: Strategy, left: int = 10**9, resumed: bool = False, **more: object) -> None:
    names = list(WORLD.pages)
    seeds, reserve = [url_of(name) for name in names[:3]], [url_of(names[-1])]
    plain = {"parallel": 1, "delay": 0, "retries": 0, "commit_pages": 3, "threshold": 0.5}
    config = configure(Config(), **{"interest": "x", "seeds": seeds, "reserve": reserve, **plain, **more})
    with SqliteStore(folder, new=None if resumed else config, max_warc=3000) as store:
        state = CrawlState(config, TinyWebInterest(WORLD), strategy, store, frontier(config, store))

        async def main() -> None:
            engine = Engine(state, TinyWebFetcher(WORLD, left), store)
            engine.resume(store)
            await engine.run()

        asyncio.run(main())


class Witness(SqliteStore):
    """Knows what the strategy had learnt at the last commit."""

    learnt = b""

    def bind(self, strategy: Strategy) -> None:
        self.strategy = strategy

    def commit(self, *parts: Any) -> None:
        super().commit(*parts)
        self.learnt = self.strategy.save()


def broken_off(folder: Path, left: int, resumed: bool) -> tuple[bytes, bytes]:
    """What adaptive knows after the replay of a crawl, and after some further visits with pages in the air."""
    plain = {"parallel": 4, "per_host": 4, "delay": 0, "retries": 0, "commit_pages": 1, "checkpoint_seconds": 1000}
    seeds = [url_of(name) for name in list(WIDE.pages)[:3]]
    config = configure(Config(), interest="x", seeds=seeds, threshold=0.5, **plain)
    with Witness(folder, new=None if resumed else config) as store:
        store.bind(strategy := make("adaptive"))
        engine = Engine(
            CrawlState(config, TinyWebInterest(WIDE), strategy, store, frontier(config, store)),
            TinyWebFetcher(WIDE, left),
            store,
        )
        engine.resume(store)
        replayed = strategy.save()
        with pytest.raises(Broken):
            asyncio.run(engine.run())
        return replayed, store.learnt


def story(folder: Path) -> tuple[list[tuple[str, str, float]], list[tuple[str, ...]]]:
    """Visits in order, and the path to each of them."""
    with Records(folder) as records:
        visits = list(records.pages())
        paths = [tuple(step.url for step in records.path(record.url)) for record in visits]
        return [(name_of(r.url), r.state, r.score) for r in visits], paths


@pytest.mark.parametrize("kind", [Swept, Restless], ids=str)
def test_broken_off_in_the_middle_of_rescoring_it_ends_the_same(
    tmp_path: Path, kind: type[Strategy], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, number in (("AT_ONCE", 6), ("BEST", 3), ("SLICE", 2), ("SPAN", 9)):
        monkeypatch.setattr(rescoring, name, number)
    test_broken_off_anywhere_it_ends_the_same(tmp_path, kind)


@pytest.mark.parametrize("kind", [*KINDS, *ODD], ids=str)
def test_broken_off_anywhere_it_ends_the_same(tmp_path: Path, kind: str | type[Strategy]) -> None:
    def fresh() -> Strategy:
        return make(kind) if isinstance(kind, str) else kind()

    crawl(tmp_path / "whole", fresh())
    wanted = story(tmp_path / "whole")
    for left in (4, 5, 9, 17, 33):
        folder = tmp_path / str(left)
        for attempt in range(3):
            try:
                crawl(folder, fresh(), left, resumed=attempt > 0, checkpoint_seconds=0 if left % 2 else 1000)
            except Broken:
                continue
        crawl(folder, fresh(), resumed=True)
        assert story(folder) == wanted, f"broken off after {left} fetches"


@pytest.mark.parametrize("left", [20, 40, 60])
def test_links_that_came_while_a_page_was_in_the_air_are_no_evidence_after_a_kill(tmp_path: Path, left: int) -> None:
    _, learnt = broken_off(tmp_path, left, resumed=False)
    for _ in range(2):
        replayed, later = broken_off(tmp_path, left, resumed=True)
        assert replayed == learnt
        learnt = later


def test_little_room_changes_nothing(tmp_path: Path) -> None:
    crawl(tmp_path / "whole", make("shark"), capacity=12)
    with pytest.raises(Broken):
        crawl(tmp_path / "broken", make("shark"), 20, capacity=12)
    crawl(tmp_path / "broken", make("shark"), resumed=True, capacity=12)
    assert story(tmp_path / "whole") == story(tmp_path / "broken")


def test_more_start_pages_than_are_read_first_survive_a_kill(tmp_path: Path) -> None:
    seeds = [url_of(f"p{n}") for n in range(130)]
    with pytest.raises(Broken):
        crawl(tmp_path, make("breadth_first"), 108, seeds=seeds)
    crawl(tmp_path, make("breadth_first"), resumed=True, seeds=seeds)
    with Records(tmp_path) as records:
        assert {record.url for record in records.pages()} >= set(seeds)
