"""A judge that learns, and the strategy that follows it: a crawl that was killed goes on as if it had not been."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from clew.base.single_thread import one_thread
from clew.config import Config, configure
from clew.core.build import frontier
from clew.core.engine import Engine
from clew.core.state import CrawlState
from clew.interests import LearningInterest, build, crawl_judge
from clew.labyrinth import Labyrinth
from clew.store import Records, SqliteStore
from clew.strategies import make
from clew.types import Fetched


class Killed(Exception):
    """Stands for a kill."""


@dataclass
class Pages:
    """The pages of a labyrinth, until it has had enough."""

    labyrinth: Labyrinth
    left: int = 10**9

    async def get(self, url: str) -> Fetched:
        self.left -= 1
        if self.left < 0:
            raise Killed
        answer = self.labyrinth.page(url)
        headers = dict(answer.headers)
        if answer.status >= 300:
            return Fetched(url, answer.status, location=headers.get("Location", ""))
        return Fetched(url, answer.status, answer.headers, answer.body, answer.body)

    def pause(self, url: str) -> float:
        return 0.0

    async def close(self) -> None: ...


def run(folder: Path, config: Config, fetcher: Pages, new: bool) -> list[tuple[str, float, bool]]:
    with one_thread(), SqliteStore(folder, new=config if new else None) as store:
        interest = LearningInterest(build("sailing", threshold=0.5))
        state = CrawlState(config, interest, make("adaptive"), store, frontier(config, store))
        engine = Engine(state, fetcher, store)
        if not new:
            engine.resume(store)
        asyncio.run(engine.run())
    with Records(folder) as records:
        return [(record.url, record.relevance, record.relevant) for record in records.pages()]


@pytest.mark.parametrize(("kill", "checkpoints"), [(33, 1000), (70, 0), (121, 1000)])
def test_killed_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kill: int, checkpoints: float) -> None:
    # Few rows a step, so that a kill comes between two of them.
    monkeypatch.setattr(crawl_judge, "ROWS_PER_STEP", 9)
    labyrinth = Labyrinth(pages=600, seed=3)
    seeds = labyrinth.seeds("sailing", 3)
    config = configure(interest="sailing", seeds=seeds, visits=160, parallel=1, delay=0, commit_pages=1)
    config = configure(config, checkpoint_seconds=checkpoints)
    whole = run(tmp_path / "whole", config, Pages(labyrinth), new=True)
    with pytest.raises(Killed):
        run(tmp_path / "killed", config, Pages(labyrinth, kill), new=True)
    with SqliteStore(tmp_path / "killed") as store:
        judged_again = store.db.execute("SELECT count(*) FROM earlier_judgements").fetchone()[0]
    # New verdicts need no checkpoint: they are replayed.
    assert (judged_again > 10) == (kill > 100)
    assert run(tmp_path / "killed", config, Pages(labyrinth), new=False) == whole
    assert 10 < sum(relevant for _, _, relevant in whole) < 150
