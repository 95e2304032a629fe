"""Crawls of the labyrinth on several shards in one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from clew import config as settings_of
from clew.cluster.crawl import LeadCrawl, Watched
from clew.cluster.inside import Inside, Weather
from clew.cluster.plan import Plan
from clew.cluster.run import lead_crawl
from clew.config import configure
from clew.core import feedback
from clew.core.checkpoint import replay
from clew.core.state import CrawlState
from clew.core.stop import stop_rules
from clew.labyrinth import Labyrinth, serving
from clew.store import Records, open_folder
from clew.store.folder import lock
from clew.store.shard_orders import WholeOrders
from clew.store.whole import shard_folders

SECONDS = 120  # a crawl that takes longer never ends
EQUAL: dict[str, Any] = {
    # What depends on the order of visits would differ between any two crawls.
    **{"judge": "plain", "threshold": 0.3, "patience": 0, "host_pages": 0, "boilerplate": "keep", "traps": False},
    **{"delay": 0, "allow_private": True, "commit_seconds": 0.05, "soft_404": False, "duplicates": "keep"},
}


User = Callable[[LeadCrawl], Awaitable[None]]


class World(NamedTuple):
    """A labyrinth that is being served."""

    seeds: list[str]
    resolve: str

    def settings(self, **changed: Any) -> dict[str, Any]:
        """Settings of a crawl of it."""
        base = {"interest": "sailing", "seeds": self.seeds, "resolve": [self.resolve], "strategy": "shark", **EQUAL}
        return {**base, "pages": None, **changed}


class Outcome(NamedTuple):
    """How a crawl on shards ended."""

    reason: str
    team: Inside
    crawl: LeadCrawl
    kills: int


CrawlInside = Callable[..., Outcome]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    labyrinth = Labyrinth(pages=300, seed=5)
    with serving(labyrinth) as web:
        yield World(labyrinth.seeds("sailing", 3), web.resolve)


def crawl_inside(
    settings: dict[str, Any],
    folder: Path,
    shards: int,
    weather: Weather | None = None,
    kills: Random | None = None,
    user: User | None = None,
    watched: Watched | None = None,
) -> Outcome:
    """Crawl on shards in one loop, with troubles, kills, and a user who tells it things, if they are wanted."""
    config = configure(folder=str(folder), shards=shards, **settings)
    folder.mkdir(parents=True, exist_ok=True)
    last_order = WholeOrders(folder).last_taken()
    settings_of.write(config, folder / "crawl.toml")
    plan = Plan(config, last_order=last_order)
    with lock(folder):
        crawl = _crawl(plan, weather or Weather(), kills, user, watched)
        return asyncio.run(asyncio.wait_for(crawl, SECONDS))


async def _crawl(
    plan: Plan, weather: Weather, kills: Random | None, user: User | None, watched: Watched | None
) -> Outcome:
    team = Inside(plan, weather)
    watched = watched or Watched()
    watched.rules = stop_rules(plan.config.until)
    crawl = lead_crawl(plan, team, watched, lambda config: stop_rules(config.until), pause=0.02)
    killer = asyncio.create_task(_kill(team, plan.shards, kills)) if kills else None
    script = asyncio.create_task(user(crawl)) if user else None
    try:
        reason = await crawl.main()
    finally:
        for task in (killer, script):
            if task:
                task.cancel()
        await team.close()
    return Outcome(reason, team, crawl, team.kills)


async def _kill(team: Inside, shards: int, moments: Random) -> None:
    for _ in range(6):
        await asyncio.sleep(moments.uniform(0.1, 0.5))
        await team.kill(moments.randrange(shards))


def visits(folder: Path) -> dict[str, tuple[str, float]]:
    """State and relevance of every visit of a crawl, on shards or not; none twice."""
    found: dict[str, tuple[str, float]] = {}
    for path in folders(folder):
        with Records(path) as records:
            for record in records.pages():
                assert record.url not in found
                found[record.url] = (str(record.state), record.relevance)
    return found


def folders(folder: Path) -> list[Path]:
    """The crawl folders of the shards, or the one of a crawl without shards."""
    return shard_folders(folder) if (folder / "shards").exists() else [folder]


def restored(folder: Path) -> CrawlState:
    """The state of one crawl folder as its last commit left it."""
    with open_folder(folder, reading=True) as store:
        with Records(folder) as records:
            config = records.config
        state = feedback.state_of_folder(config, store)
        replay(state, store)
        return state


def inlinks(folder: Path) -> dict[str, int]:
    """How many pages link to each URL that was visited and that no redirect leads to."""
    found: dict[str, int] = {}
    targets: set[str] = set()
    for path in folders(folder):
        state = restored(path)
        with Records(path) as records:
            for record in records.pages():
                found[record.url] = state.frontier.inlinks(record.url)
                if record.state == "redirected":
                    targets.add(record.location)
    return {url: count for url, count in found.items() if url not in targets}


@pytest.fixture(scope="session")
def inside() -> CrawlInside:
    return crawl_inside


class Look(NamedTuple):
    """How tests look at folders."""

    visits: Callable[[Path], dict[str, tuple[str, float]]] = visits
    inlinks: Callable[[Path], dict[str, int]] = inlinks
    folders: Callable[[Path], list[Path]] = folders
    restored: Callable[[Path], CrawlState] = restored


@pytest.fixture
def look() -> Look:
    return Look()
