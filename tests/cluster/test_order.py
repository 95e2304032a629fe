"""One page at a time, and mail at once: any number of shards visits the pages in the order of one process."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.cluster import shard
from clew.cluster.crawl import LeadCrawl, Watched
from clew.cluster.inside import Inside
from clew.cluster.lead import Lead
from clew.cluster.plan import Plan
from clew.cluster.report import Ceiling
from clew.config import configure
from clew.core.stop import stop_rules
from clew.labyrinth import Labyrinth, serving
from clew.store import Records

VISITS = 50
# The score of each URL is a random number of its own. Where a visit leads elsewhere, or nowhere, a shard goes on by
# itself, so there are no such links.
SETTINGS: dict[str, Any] = {"strategy": "random_order", "parallel": 1, "visits": VISITS, "retries": 0, "sitemaps": 0}


@dataclass
class OneByOne(Lead):
    """Waits until all mail is taken in, then grants one visit to the shard with the best candidate of all."""

    team: Inside | None = None

    def plan(self, now: float) -> None:
        assert self.team is not None
        engines = [self.team.shards[number].engine for number in range(self.shards) if number in self.team.shards]
        is_over = any(engine is None or engine.is_over for engine in engines)
        if is_over or not self.all_run or any(self._is_busy(number, engine) for number, engine in enumerate(engines)):
            return
        best = [next(iter(engine.best_scores(1)), -1.0) for engine in engines]
        for number, engine in enumerate(engines):
            pages, visits = engine.state.tally.pages, engine.state.tally.visited
            is_next = best[number] == max(best) >= 0
            self._wanted[number] = Ceiling(pages + is_next, visits + is_next)

    def _is_busy(self, number: int, engine: Any) -> bool:
        """Whether a visit, or a letter, is under way."""
        mail = engine.mail
        granted = self._wanted[number].visits > engine.state.tally.visited and not engine.still
        return bool(granted or engine.in_flight or mail.has_news or any(map(mail.outgoing, mail.others)))


async def crawl_one_by_one(plan: Plan) -> None:
    team = Inside(plan)
    lead = OneByOne(plan.shards, Ceiling(VISITS, VISITS), plan.start_pages(), team=team)
    await LeadCrawl(team, lead, Watched(rules=stop_rules(plan.config.until)), pause=0.02).main()
    await team.close()


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory, settings: dict[str, Any]) -> list[str]:
    """The order in which one process visits the pages."""
    folder = tmp_path_factory.mktemp("one") / "crawl"
    clew.crawl(folder=str(folder), **settings)
    return visited(folder)


@pytest.fixture(scope="module")
def settings(world: Any) -> Any:
    labyrinth = Labyrinth(pages=300, seed=5, redirects=0, blocked=0, dead=0)
    with serving(labyrinth) as web:
        usual = world.settings(seeds=labyrinth.seeds("sailing", 1), resolve=[web.resolve])
        yield {**usual, **SETTINGS, "commit_seconds": 0.005}


@pytest.mark.parametrize("shards", [2, *(pytest.param(count, marks=pytest.mark.slow) for count in (4, 8))])
def test_the_order_is_that_of_one_process(
    settings: dict[str, Any], one: list[str], tmp_path: Path, shards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard, "DELIVERY_SECONDS", 0.005)
    plan = Plan(configure(folder=str(tmp_path), shards=shards, **settings))
    (tmp_path / "shards").mkdir()
    asyncio.run(asyncio.wait_for(crawl_one_by_one(plan), 120))
    assert len(one) >= VISITS
    assert visited(tmp_path) == one


def visited(folder: Path) -> list[str]:
    with Records(folder) as records:
        return [record.url for record in records.pages()]
