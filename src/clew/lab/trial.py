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
from clew.lab.task import Task, beyond, task
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
    strategy: str  # as tables call it
    judge: str = "truth"
    distance: int = 0  # links between the start pages and the topic
    start: int = 0  # number of the start set
    starts: int = 3  # start pages in a set
    budget: int = 500
    seed: int = 0
    parallel: int = 1  # fetches at the same time
    spec: str = ""  # how the strategy is made, where its name does not say it
    link_source: bool = field(
        default=False, repr=False
    )  # whether it may look beyond the links; `shelf.key` knows of it

    @property
    def recipe(self) -> str:
        """What makes the strategy."""
        return self.spec or self.strategy

    @property
    def task(self) -> Trial:
        """The same for every strategy: what they are compared on."""
        return replace(self, strategy="", spec="", parallel=1, link_source=False)


@dataclass(frozen=True, eq=False)
class TrialResult:
    """What came of a trial: the numbers, and the curves behind them."""

    trial: Trial
    numbers: dict[str, float]
    found: Counts  # relevant pages after each visit
    best: Counts  # what the oracle had found by then
    visits: Visits = field(default_factory=lambda: np.zeros(0, np.int32))  # page ids; -1: not a page of the world
    distances: Counts = field(default_factory=lambda: np.zeros(0, np.int64))  # finds by links from the start pages
    spent: Mapping[str, float] = field(default_factory=dict)  # seconds of CPU in each part
    reason: str = ""  # why it stopped

    @property
    def row(self) -> dict[str, Any]:
        """One line of the table."""
        pages = max(1, int(self.numbers.get("visits", 1)))
        parts = {f"cpu_{part}_ms": 1000 * seconds / pages for part, seconds in self.spent.items()}
        return asdict(self.trial) | self.numbers | parts | {"reason": self.reason}

    @property
    def hits(self) -> Visits:
        """The relevant pages that were found, in order."""
        return self.visits[np.diff(self.found, prepend=0) > 0]


def run(trial: Trial) -> TrialResult:
    """Crawl, and measure by the truth whoever guided."""
    given, meter = task(trial.task), Meter()
    if trial.link_source:
        beyond(trial.world)  # before the clock runs
    began = time.process_time()
    crawl = crawled(trial, given, prepare=meter.attach)
    cpu = time.process_time() - began
    spent = meter.stop(cpu)
    return result(trial, given, crawl.order, crawl.reason, spent)


def crawled(trial: Trial, given: Task, fetcher: Fetcher | None = None, **more: Any) -> Simulation:
    """The crawl of a trial; `more` goes to `run_simulation`."""
    return run_simulation(
        fetcher or given.world.fetcher(),
        given.interest,
        given.seeds,
        strategy=make(trial.recipe),
        pages=trial.budget,
        seed=trial.seed,
        threshold=0.5,
        parallel=trial.parallel,
        per_host=trial.parallel,
        link_source=beyond(trial.world) if trial.link_source else None,
        **more,
    )


def result(trial: Trial, given: Task, order: list[str], reason: str, spent: Mapping[str, float]) -> TrialResult:
    """The measures of a crawl that is over."""
    visits = np.array([-1 if (page := given.world.id_of(url)) is None else page for url in order], np.int32)
    labels = np.where(visits >= 0, given.truth[visits], -1) if len(visits) else visits
    numbers = measured(given, visits, labels) | {"cpu_ms": 1000 * sum(spent.values()) / max(1, len(visits))}
    return TrialResult(
        trial,
        numbers,
        np.cumsum(labels == 1, dtype=np.int64),
        given.best,
        visits,
        distances(given, visits, labels),
        spent,
        reason,
    )
