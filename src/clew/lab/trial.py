"""One crawl of one strategy on one world, measured beside the oracle."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.core.simulation import Simulation, run_simulation
from clew.fetch import Fetcher
from clew.lab.measure import distances, measured
from clew.lab.meter import Meter
from clew.lab.task import Task, link_source, task
from clew.strategies import make

Visits = NDArray[np.int32]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Trial:
    """Everything that determines a simulated crawl.

    >>> Trial("labyrinth:300", "boats", "gentle", spec="shark(gamma=0.1)").recipe
    'shark(gamma=0.1)'
    """

    world: str
    topic: str
    strategy: str  # its name in tables
    judge: str = "truth"
    distance: int = 0  # links between the start pages and the topic
    start: int = 0  # number of the set of start pages
    starts: int = 3  # start pages in a set
    budget: int = 500
    seed: int = 0
    parallel: int = 1  # fetches at the same time
    spec: str = ""  # recipe of the strategy, if its name is not one
    # Whether the strategy may ask for back-links and searches. Not in the repr, for keys of cached results contain it:
    # results that are older than this field stay valid (see `result_cache.key`).
    link_source: bool = field(default=False, repr=False)

    @property
    def recipe(self) -> str:
        """What the strategy is made from: a name, or a name with parameters."""
        return self.spec or self.strategy

    @property
    def task(self) -> Trial:
        """The trial without the strategy: what strategies are compared on."""
        return replace(self, strategy="", spec="", parallel=1, link_source=False)


@dataclass(frozen=True, eq=False)
class TrialResult:
    """The outcome of a trial: its numbers, and the curves behind them."""

    trial: Trial
    numbers: dict[str, float]
    found: Counts  # relevant pages after each visit
    best: Counts  # relevant pages that the oracle has found after each visit
    visits: Visits = field(default_factory=lambda: np.zeros(0, np.int32))  # page ids; -1 if not a page of the world
    distances: Counts = field(default_factory=lambda: np.zeros(0, np.int64))  # finds by link distance
    spent: Mapping[str, float] = field(default_factory=dict)  # CPU seconds in each part
    reason: str = ""  # why the crawl stopped

    @property
    def row(self) -> dict[str, Any]:
        """One row of the table of trials."""
        pages = max(1, int(self.numbers.get("visits", 1)))
        parts = {f"cpu_{part}_ms": 1000 * seconds / pages for part, seconds in self.spent.items()}
        return asdict(self.trial) | self.numbers | parts | {"reason": self.reason}

    @property
    def hits(self) -> Visits:
        """The relevant pages that were found, in the order of the visits."""
        return self.visits[np.diff(self.found, prepend=0) > 0]


def run(trial: Trial) -> TrialResult:
    """Crawl, and measure the crawl by the truth, whichever judge guided it."""
    the_task = task(trial.task)
    # Everything that trials share is made before the clock starts.
    if trial.link_source:
        link_source(trial.world)
    meter = Meter()
    began = time.process_time()
    crawl = crawled(trial, the_task, prepare=meter.attach)
    cpu = time.process_time() - began
    spent = meter.stop(cpu)
    return result(trial, the_task, crawl.order, crawl.reason, spent)


def crawled(trial: Trial, task: Task, fetcher: Fetcher | None = None, **more: Any) -> Simulation:
    """The crawl of a trial; further arguments go to `run_simulation`."""
    return run_simulation(
        fetcher or task.world.fetcher(),
        task.interest,
        task.seeds,
        strategy=make(trial.recipe),
        pages=trial.budget,
        seed=trial.seed,
        threshold=0.5,
        parallel=trial.parallel,
        # Many recorded webs are a single host: its limit must not undo the parallelism that is to be measured.
        per_host=trial.parallel,
        link_source=link_source(trial.world) if trial.link_source else None,
        **more,
    )


def result(trial: Trial, task: Task, order: list[str], reason: str, spent: Mapping[str, float]) -> TrialResult:
    """The measures of a finished crawl."""
    visits = np.array([-1 if (page := task.world.id_of(url)) is None else page for url in order], np.int32)
    labels = np.where(visits >= 0, task.truth[visits], -1) if len(visits) else visits
    numbers = measured(task, visits, labels) | {"cpu_ms": 1000 * sum(spent.values()) / max(1, len(visits))}
    return TrialResult(
        trial,
        numbers,
        found=np.cumsum(labels == 1, dtype=np.int64),
        best=task.best,
        visits=visits,
        distances=distances(task, visits, labels),
        spent=spent,
        reason=reason,
    )
