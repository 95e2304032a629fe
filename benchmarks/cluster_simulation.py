"""Simulated crawls on shards: the engines, the mail and the lead of a real one, in one loop on a virtual clock.

Answers take their time and come from a world, so that the same crawl gives the same figures on any machine. The judge
knows the truth. One process and all shards together have the same number of fetches in flight.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from clew.cluster.crawl import LeadCrawl, Watched
from clew.cluster.inside import Inside
from clew.cluster.plan import Plan
from clew.cluster.run import lead_of
from clew.config import configure
from clew.core.build import OwnParts
from clew.core.manners import LiveFetcher
from clew.core.simulation import SIMULATED, run_simulation
from clew.core.stop import stop_rules
from clew.core.virtual_time import VirtualClock, VirtualLoop
from clew.lab.task import Task, task
from clew.lab.trial_result import Trial
from clew.strategies import make
from clew.strategies.adaptive import Adaptive

IN_FLIGHT: Final = 24  # of all shards together: up to eight shards have the same share
LABYRINTHS: Final = ("labyrinth:5000:plain:11", "labyrinth:5000:tunnel:12", "labyrinth:5000:poor:13")
TOPICS: Final = {
    **dict.fromkeys(LABYRINTHS, ("water sports", "music", "food", "databases", "astronomy")),
    "webkb": ("student", "faculty", "course", "project", "department"),
    "pydocs": (
        *("Database :: Front-Ends", "Internet :: WWW/HTTP :: WSGI", "Multimedia :: Graphics"),
        *("Scientific/Engineering :: Astronomy", "Communications", "Games/Entertainment"),
    ),
    "wikischools-hard": ("Countries", "Design_and_Technology", "Everyday_life", "Citizenship"),
}
"""The tasks: the topics of each world. On wikischools, all pages are on one host, so that one shard visits them all."""


class Found(NamedTuple):
    """What a crawl has found."""

    relevant: int
    seconds: float  # on the virtual clock
    mail: float = 0.0  # bytes a visit


def tasks(visits: int) -> list[Trial]:
    """All tasks; what was learned from a web is not used on it."""
    return [
        Trial(world, topic, "adaptive", budget=visits, spec=_strategy(world))
        for world, topics in TOPICS.items()
        for topic in topics
    ]


def alone(trial: Trial, settings: dict[str, Any]) -> Found:
    """One process."""
    the_task = task(trial.task)
    crawl = run_simulation(
        the_task.world.fetcher(),
        the_task.interest,
        the_task.seeds,
        strategy=make(trial.recipe),
        visits=trial.budget,
        manners="live",
        strict=True,
        **_settings(trial, the_task, settings),
    )
    return Found(crawl.stats.relevant, crawl.times[-1])


def on_shards(trial: Trial, settings: dict[str, Any], shards: int) -> Found:
    """The same on shards."""
    the_task = task(trial.task)
    with TemporaryDirectory() as folder:
        own = {"folder": str(Path(folder) / "crawl"), "shards": shards, "strategy": trial.recipe, "interest": "truth"}
        chosen = _settings(trial, the_task, settings) | {"visits": trial.budget, "per_address": 0, "pages": None}
        plan = Plan(configure(**{**SIMULATED, **chosen, **own, "seeds": the_task.seeds}))
        clock = VirtualClock()
        with asyncio.Runner(loop_factory=partial(VirtualLoop, clock)) as runner:
            crawl = runner.run(_lead(plan, the_task, clock))
    stats = crawl.lead.stats()
    mail = sum(report.mail_bytes for report in crawl.lead.reports.values())
    return Found(stats.relevant, clock(), mail / max(1, stats.visited))


@contextmanager
def without_lessons() -> Iterator[None]:
    """Each shard learns from its own visits only."""
    lesson = Adaptive.lesson
    Adaptive.lesson = lambda strategy: None  # type: ignore[method-assign]
    try:
        yield
    finally:
        Adaptive.lesson = lesson  # type: ignore[method-assign]


async def _lead(plan: Plan, the_task: Task, clock: VirtualClock) -> LeadCrawl:
    def own() -> OwnParts:
        fetcher = LiveFetcher(the_task.world.fetcher(), plan.config.fetch, clock, plan.config.what.seed)
        return OwnParts(interest=the_task.interest, fetcher=fetcher)

    team = Inside(plan, make_own=own, clock=clock)
    crawl = LeadCrawl(team, lead_of(plan), Watched(rules=stop_rules(plan.config.until)), clock=clock)
    await crawl.main()
    await team.close()
    return crawl


def _settings(trial: Trial, the_task: Task, settings: dict[str, Any]) -> dict[str, Any]:
    # On a clock that jumps a checkpoint would soon be due; letters leave with commits, so these stay.
    return {"threshold": 0.5, "parallel": IN_FLIGHT, "checkpoint_seconds": 1e9, "main_text": False, **settings}


def _strategy(world: str) -> str:
    return "adaptive" if world in LABYRINTHS else f"adaptive(prior='trained without {world.removesuffix('-hard')}')"
