"""Shards as Ray actors: real processes, real kills."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from random import Random
from typing import Any

import pytest

import clew
from clew.base.extras import installed
from clew.cluster.crawl import LeadCrawl, Watched
from clew.cluster.on_ray import RayTeam, ray_team
from clew.cluster.plan import Plan
from clew.cluster.run import lead_of
from clew.config import configure
from clew.core.stop import stop_rules
from clew.store import Records
from clew.store.mailbox import Mailbox

# Not imported here: Ray reads its environment, with the token, when it is imported.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not installed("ray"), reason="Ray is not installed: pip install 'clew-crawler[cluster]'"),
    pytest.mark.filterwarnings("ignore"),  # Ray's own warnings
]
KILLS = 6
SEED = int(os.environ.get("CLEW_TEST_SEED", "7"))


def test_killed_actors_lose_nothing_and_make_nothing_twice(world: Any, look: Any, tmp_path: Path) -> None:
    print("seed", SEED)
    settings = world.settings(seeds=world.seeds)
    clew.crawl(folder=str(tmp_path / "one"), **settings)
    plan = Plan(configure(folder=str(tmp_path / "many"), shards=4, **settings))
    kills = asyncio.run(_crawl_with_kills(plan, Random(SEED)))
    assert kills >= 2
    assert look.visits(tmp_path / "many") == look.visits(tmp_path / "one")
    for folder in look.folders(tmp_path / "many"):
        with Records(folder) as records:
            assert Mailbox(records.store.db).waiting() == 0


def test_a_crawl_is_stopped_and_resumed_and_keeps_its_budget(world: Any, look: Any, tmp_path: Path) -> None:
    lines: list[str] = []
    settings = world.settings(pages=40, shards=2)
    first = clew.crawl(folder=str(tmp_path / "crawl"), notify=lines.append, **settings)
    assert (first.reason, first.stats.pages) == ("fetched 40 pages", 40)
    assert any("Ray" in line for line in lines)
    more = clew.resume(tmp_path / "crawl", pages=90)
    assert (more.reason, more.stats.pages) == ("fetched 90 pages", 90)
    with more.records as records:
        assert records.stats().pages == 90
        assert len(
            {record.url for record in records.pages()}
        ) == records.stats().visited + records.stats().redirects + (records.stats().refused + records.stats().sitemaps)


async def _crawl_with_kills(plan: Plan, moments: Random) -> int:
    plan.folder.joinpath("shards").mkdir(parents=True)
    with ray_team(plan) as team:
        crawl = LeadCrawl(team, lead_of(plan), Watched(rules=stop_rules(plan.config.until)))
        killer = asyncio.create_task(_kill(team, crawl, moments))
        await asyncio.wait_for(crawl.main(), 300)
        killer.cancel()
        return crawl.lead.restarts


async def _kill(team: RayTeam, crawl: LeadCrawl, moments: Random) -> None:
    """At random moments, also in the middle of a commit."""
    while not any(report.is_running for report in crawl.lead.reports.values()):
        await asyncio.sleep(0.1)
    for _ in range(KILLS):
        await asyncio.sleep(moments.uniform(0.0, 1.0))
        process = await team.process(moments.randrange(4))
        if process:
            os.kill(process, signal.SIGKILL)
