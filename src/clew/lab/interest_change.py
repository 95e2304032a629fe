"""Crawls that meet a change: of the web, of the interest, and with what an earlier crawl has learnt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import chance
from clew.core.engine import Engine
from clew.core.simulation import Simulation
from clew.fetch import Fetcher
from clew.lab import metrics
from clew.lab.task import Task, task
from clew.lab.trial import Trial, crawled
from clew.types import Fetched, Stats

SHARES: Final = (0.05, 0.1, 0.2, 0.4)
SAID: Final = 10  # pages of each kind that a user labels
WIDTH: Final = 25  # visits over which the harvest is looked at
HALF: Final = 0.5  # of the harvest that could be is on the way

Labels = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Reaction:
    """How a crawl takes a change, beside a fresh crawl with the new interest."""

    delay: int | None  # visits after the change until the windowed harvest is half of the fresh crawl's; None: never
    harvest: float  # of all visits after the change
    fresh: float  # harvest of the fresh crawl over as many visits


@dataclass(frozen=True)
class Eroded:
    """A web of which some pages are gone; links to them are still there."""

    fetcher: Fetcher
    gone: frozenset[str]

    async def get(self, url: str) -> Fetched:
        """404 for what is gone."""
        return Fetched(url, 404) if url in self.gone else await self.fetcher.get(url)

    def pause(self, url: str) -> float:
        """As before."""
        return self.fetcher.pause(url)

    async def close(self) -> None:
        """As before."""
        await self.fetcher.close()


def drift(trial: Trial, shares: Sequence[float] = SHARES) -> dict[float, float]:
    """The tolerance of a strategy: its finds on the web less these shares of its pages, over those on the whole web.

    The start pages stay. A page that is gone still costs the visit in which that is noticed.
    """
    given = task(trial.task)
    before = _labels(given, crawled(trial, given))
    return {share: metrics.drift_tolerance(_eroded(trial, given, share), before) for share in shares}


def reuse(trial: Trial, earlier: Trial) -> float:
    """What a strategy gains by what it has learnt in an earlier crawl, as area under the lift curve."""
    return metrics.reuse_gain(*_reused(trial, earlier))


def head_start(trial: Trial, earlier: Trial) -> Reaction:
    """A crawl that begins with what an earlier one has learnt: the change is at its start."""
    return _reaction(*_reused(trial, earlier))


def change_interest(trial: Trial, topic: str, change: int) -> Reaction:
    """A crawl that is given another interest after so many visits."""
    old, new = task(trial.task), _later(trial, topic, change)
    crawl = crawled(trial, old, interest_change=(change, new.interest))
    return _reaction(_labels(new, crawl)[change:], _fresh(trial, new, change))


def steer(trial: Trial, topic: str, change: int) -> Reaction:
    """A crawl that keeps its interest, but whose user says after so many visits which of its finds are on a topic.

    These are the latest ten that are, and the latest ten that are not. The judge learns nothing from it, as in a crawl
    that is running; only the strategy does.
    """
    old, new = task(trial.task), _later(trial, topic, change)

    def say(engine: Engine) -> None:
        for url, relevant in _said(engine, new).items():
            engine.state.apply_label(url, relevant)
        engine.state.rescore_labelled()

    crawl = crawled(trial, old, prepare=lambda engine: _once(engine, change, say))
    return _reaction(_labels(new, crawl)[change:], _fresh(trial, new, change))


def _later(trial: Trial, topic: str, change: int) -> Task:
    """The task of a fresh crawl that has as many visits as are left after the change."""
    return task(replace(trial, topic=topic, budget=trial.budget - change).task)


def _fresh(trial: Trial, new: Task, change: int) -> Labels:
    return _labels(new, crawled(replace(trial, budget=trial.budget - change), new))


def _reaction(changed: Labels, fresh: Labels) -> Reaction:
    level = _harvest(fresh)
    return Reaction(metrics.refocus_delay(changed, 0, WIDTH, HALF, level), _harvest(changed), level)


def _harvest(labels: Labels) -> float:
    curve = metrics.harvest(labels)
    return float(curve[-1]) if curve.size else 0.0


def _reused(trial: Trial, earlier: Trial) -> tuple[Labels, Labels]:
    learned = crawled(earlier, task(earlier.task)).learned
    given = task(trial.task)
    reused, fresh = (_labels(given, crawled(trial, given, learned=known)) for known in (learned, None))
    return reused, fresh


def _once(engine: Engine, visits: int, act: Callable[[Engine], None]) -> None:
    """Look on at a crawl and do something after so many visits."""
    watch, left = engine.watch, [act]

    def watching(stats: Stats) -> None:
        watch(stats)
        if left and stats.visited >= visits:
            left.pop()(engine)

    engine.watch = watching


def _said(engine: Engine, new: Task) -> dict[str, bool]:
    """Of the latest results those on the topic and those not; pages that count for nobody are not among them."""
    results = [page.url for page in engine.state.view.pages() if page.relevant]
    pages = {url: page for url in reversed(results) if (page := new.world.id_of(url)) is not None}
    wanted, others = ([url for url, page in pages.items() if new.truth[page] == label][:SAID] for label in (1, 0))
    return dict.fromkeys(wanted, True) | dict.fromkeys(others, False)


def _eroded(trial: Trial, given: Task, share: float) -> Labels:
    gone = frozenset(
        url for url in given.world.urls if url not in given.seeds and chance(trial.seed, "gone", url) < share
    )
    crawl = crawled(trial, given, Eroded(given.world.fetcher(), gone))
    labels = _labels(given, crawl)
    labels[[url in gone for url in crawl.order]] = 0
    return labels


def _labels(given: Task, crawl: Simulation) -> Labels:
    pages = [given.world.id_of(url) for url in crawl.order]
    return np.array([-1 if page is None else given.truth[page] for page in pages], np.int8)
