"""Measures how crawls react to change: of the web, of the interest, and to a state learnt in an earlier crawl."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import chance
from clew.core.engine import Engine
from clew.core.labelling import Labelling
from clew.core.simulation import Simulation
from clew.fetch import Fetcher
from clew.lab import metrics
from clew.lab.task import Task, task
from clew.lab.trial import Trial, crawled
from clew.types import Fetched, Stats

DRIFT_SHARES: Final = (0.05, 0.1, 0.2, 0.4)  # of the pages that are removed
LABELS_PER_KIND: Final = 10  # relevant pages, and as many others, that a user labels
WINDOW_VISITS: Final = 25  # visits over which the harvest is measured
RECOVERED: Final = 0.5  # share of a fresh crawl's harvest from which a crawl counts as recovered

Labels = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Reaction:
    """How a crawl reacts to a change, compared with a fresh crawl for the new interest."""

    delay: int | None  # visits until the windowed harvest is half of the fresh crawl's; None if it never is
    harvest: float  # over all visits after the change
    fresh: float  # harvest of the fresh crawl over the same number of visits
    visits: tuple[int, ...] = field(default=(), compare=False, repr=False)  # labels of the visits after the change
    fresh_visits: tuple[int, ...] = field(default=(), compare=False, repr=False)  # of the fresh crawl


@dataclass(frozen=True)
class Eroded:
    """A web from which some pages were removed, while the links to them remain."""

    fetcher: Fetcher
    gone: frozenset[str]

    async def get(self, url: str) -> Fetched:
        """The page, or 404 if it was removed."""
        return Fetched(url, 404) if url in self.gone else await self.fetcher.get(url)

    def pause(self, url: str) -> float:
        """The pause of the wrapped fetcher."""
        return self.fetcher.pause(url)

    async def close(self) -> None:
        """Close the wrapped fetcher."""
        await self.fetcher.close()


def drift(trial: Trial, shares: Sequence[float] = DRIFT_SHARES) -> dict[float, float]:
    """What a strategy finds after these shares of the pages were removed, relative to its finds on the whole web.

    The start pages stay. A removed page still costs the visit that discovers its absence.
    """
    the_task = task(trial.task)
    before = _labels(the_task, crawled(trial, the_task))
    return {share: metrics.drift_tolerance(_eroded(trial, the_task, share), before) for share in shares}


def reuse(trial: Trial, earlier: Trial) -> float:
    """What a strategy gains from a state learnt in an earlier crawl, as area under the lift curve."""
    return metrics.reuse_gain(*_reused(trial, earlier))


def head_start(trial: Trial, earlier: Trial) -> Reaction:
    """The reaction of a crawl that starts with a state learnt in an earlier crawl: the change is at its start."""
    return _reaction(*_reused(trial, earlier))


def change_interest(trial: Trial, topic: str, change: int) -> Reaction:
    """The reaction of a crawl whose interest is replaced after `change` visits."""
    old = task(trial.task)
    new = _later(trial, topic, change)
    crawl = crawled(trial, old, interest_change=(change, new.interest))
    return _reaction(_labels(new, crawl)[change:], _fresh(trial, new, change))


def steer(trial: Trial, topic: str, change: int) -> Reaction:
    """The reaction of a crawl that keeps its interest, but whose user labels some of its finds by another topic.

    After `change` visits the user labels the latest ten finds that are on the topic and the latest ten that are not.
    Only the strategy learns from this, not the judge, as in a running crawl.
    """
    old = task(trial.task)
    new = _later(trial, topic, change)

    def label(engine: Engine) -> None:
        labelling = Labelling(engine.state)
        for url, relevant in _user_labels(engine, new).items():
            labelling.apply(url, relevant)
        labelling.teach()

    crawl = crawled(trial, old, prepare=lambda engine: _call_once(engine, change, label))
    return _reaction(_labels(new, crawl)[change:], _fresh(trial, new, change))


def _later(trial: Trial, topic: str, change: int) -> Task:
    """The task of a fresh crawl whose budget is what is left after the change."""
    return task(replace(trial, topic=topic, budget=trial.budget - change).task)


def _fresh(trial: Trial, new: Task, change: int) -> Labels:
    return _labels(new, crawled(replace(trial, budget=trial.budget - change), new))


def _reaction(changed: Labels, fresh: Labels) -> Reaction:
    level = _harvest(fresh)
    delay = metrics.refocus_delay(changed, 0, WINDOW_VISITS, RECOVERED, level)
    return Reaction(delay, _harvest(changed), level, tuple(changed.tolist()), tuple(fresh.tolist()))


def _harvest(labels: Labels) -> float:
    curve = metrics.harvest(labels)
    return float(curve[-1]) if curve.size else 0.0


def _reused(trial: Trial, earlier: Trial) -> tuple[Labels, Labels]:
    """The labels of a crawl that starts with a learnt state, and of one that starts without."""
    learned = crawled(earlier, task(earlier.task)).learned
    the_task = task(trial.task)
    reused = _labels(the_task, crawled(trial, the_task, learned=learned))
    fresh = _labels(the_task, crawled(trial, the_task, learned=None))
    return reused, fresh


def _call_once(engine: Engine, visits: int, act: Callable[[Engine], None]) -> None:
    """Watch a crawl and call `act` once, after this many visits."""
    watch = engine.watch
    is_due = True

    def watching(stats: Stats) -> None:
        nonlocal is_due
        watch(stats)
        if is_due and stats.visited >= visits:
            # Before the call: whatever `act` does may report progress again.
            is_due = False
            act(engine)

    engine.watch = watching


def _user_labels(engine: Engine, new: Task) -> dict[str, bool]:
    """The labels a user gives to the latest finds: first those on the topic, then the others."""
    finds = [page.url for page in engine.state.view.pages() if page.relevant]
    on_topic: list[str] = []
    off_topic: list[str] = []
    for url in dict.fromkeys(reversed(finds)):
        page = new.world.id_of(url)
        # Pages that are not counted (-1) get no label: nobody knows whether they are on the topic.
        if page is None or new.truth[page] < 0:
            continue
        if new.truth[page] == 1:
            on_topic.append(url)
        else:
            off_topic.append(url)
    return dict.fromkeys(on_topic[:LABELS_PER_KIND], True) | dict.fromkeys(off_topic[:LABELS_PER_KIND], False)


def _eroded(trial: Trial, task: Task, share: float) -> Labels:
    removed = frozenset(
        url for url in task.world.urls if url not in task.seeds and chance(trial.seed, "gone", url) < share
    )
    crawl = crawled(trial, task, Eroded(task.world.fetcher(), removed))
    labels = _labels(task, crawl)
    # The truth still knows the removed pages; a visit that gets 404 has found nothing.
    labels[[url in removed for url in crawl.order]] = 0
    return labels


def _labels(task: Task, crawl: Simulation) -> Labels:
    pages = [task.world.id_of(url) for url in crawl.order]
    return np.array([-1 if page is None else task.truth[page] for page in pages], np.int8)
