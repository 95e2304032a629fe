"""One crawl of one strategy on one world, measured beside the oracle."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.core.engine import Engine
from clew.core.manners import manners_of
from clew.core.simulation import Simulation, run_simulation
from clew.fetch import Fetcher
from clew.lab import metrics
from clew.lab.learning_phase import LearningPhase
from clew.lab.measure import distances, measured, timed
from clew.lab.meter import Meter
from clew.lab.noise import Jitter
from clew.lab.task import Task, after_learning, link_source, task
from clew.lab.trial_result import Trial, TrialResult
from clew.strategies import Strategy, make
from clew.types import UrlState

__all__ = ["Trial", "TrialResult", "crawled", "result", "run"]


def run(trial: Trial) -> TrialResult:
    """Crawl, and measure the crawl by the truth, whichever judge guided it."""
    the_task = task(trial.task)
    # Everything that trials share is made before the clock starts.
    if trial.link_source:
        link_source(trial.world)
    learned = learned_before(trial.earlier) if trial.learned else None
    meter = Meter()
    began = time.process_time()
    crawl = crawled(trial, the_task, prepare=meter.attach, learned=learned)
    cpu = time.process_time() - began
    spent = meter.stop(cpu)
    times = crawl.times if manners_of(trial.manners).is_live else []
    # What failed was not found, however relevant the page would have been.
    order = ["" if visit.state == UrlState.FAILED else visit.url for visit in crawl.visits]
    if trial.learn_visits:
        the_task = after_learning(trial.task, tuple(order[: trial.learn_visits]))
    first = trial.learn_visits
    measured_crawl = result(trial, the_task, order[first:], crawl.reason, spent, times[first:])
    measured_crawl.numbers.update(_collection(the_task, crawl, measured_crawl.visits, first))
    return measured_crawl


# Trials that differ only in what they do with it share an earlier crawl.
@lru_cache(maxsize=2)
def learned_before(earlier: Trial) -> Mapping[str, Any]:
    """What the strategy of a trial knows at its end."""
    return crawled(earlier, task(earlier.task)).learned


def crawled(
    trial: Trial,
    task: Task,
    fetcher: Fetcher | None = None,
    prepare: Callable[[Engine], None] = lambda engine: None,
    make_strategy: Callable[[], Strategy] | None = None,
    **more: Any,
) -> Simulation:
    """The crawl of a trial, or of another strategy in its place; further arguments go to `run_simulation`."""

    def disturb(engine: Engine) -> None:
        Jitter(trial.repeat, trial.jitter).attach(engine)
        LearningPhase(trial.learn_visits).attach(engine)
        prepare(engine)

    return run_simulation(
        fetcher or task.world.fetcher(),
        task.interest,
        task.seeds,
        strategy=make_strategy() if make_strategy else make(trial.recipe),
        pages=trial.learn_visits + trial.budget,
        seed=trial.seed,
        threshold=0.5,
        manners=trial.manners,
        prepare=disturb,
        search_sources=[link_source(trial.world)] if trial.link_source else (),
        strict=True,
        **_places(trial),
        **more,
    )


def _collection(task: Task, crawl: Simulation, visits: NDArray[np.int32], first: int) -> dict[str, float]:
    """The measures of the pages that the crawl hands over, from the visit `first` on."""
    records = crawl.visits[first:]
    counted = np.array([record.relevant for record in records], bool)
    relevances = np.array([record.relevance for record in records], np.float64)
    labels = np.where(visits >= 0, task.truth[visits], -1) if len(visits) else visits
    numbers = metrics.collection(counted, crawl.chances(relevances), labels, task.reachable)
    # The papers measure by the judge: they have no other truth.
    return numbers | {"judged_harvest": float(counted.mean()) if counted.size else 0.0}


def _places(trial: Trial) -> dict[str, Any]:
    """How many pages are fetched at the same time."""
    if manners_of(trial.manners).is_live:
        # As many as in any crawl, unless the experiment asks for a number.
        return {"parallel": trial.parallel} if trial.parallel > 1 else {}
    # Many recorded webs are a single host: its limit must not undo the parallelism that is to be measured.
    return {"parallel": trial.parallel, "per_host": trial.parallel}


def result(
    trial: Trial,
    task: Task,
    order: list[str],
    reason: str,
    spent: Mapping[str, float],
    times: Sequence[float] = (),
) -> TrialResult:
    """The measures of a finished crawl; `times` are the virtual seconds of its visits, with live manners."""
    visits = np.array([-1 if (page := task.world.id_of(url)) is None else page for url in order], np.int32)
    labels = np.where(visits >= 0, task.truth[visits], -1) if len(visits) else visits
    seconds = np.array(times, np.float64)
    numbers = (
        measured(task, visits, labels)
        | timed(labels, seconds)
        | {"cpu_ms": 1000 * sum(spent.values()) / max(1, len(visits))}
    )
    return TrialResult(
        trial,
        numbers,
        found=np.cumsum(labels == 1, dtype=np.int64),
        best=task.best,
        visits=visits,
        distances=distances(task, visits, labels),
        spent=spent,
        reason=reason,
        times=seconds,
    )
