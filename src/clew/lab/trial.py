"""One crawl of one strategy on one world, measured beside the oracle."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.api import simulate
from clew.errors import ConfigError
from clew.lab import metrics
from clew.lab.judges import judge
from clew.lab.oracle import oracle
from clew.lab.worlds import World, find


@dataclass(frozen=True, slots=True)
class Trial:
    """Everything that determines a simulated crawl."""

    world: str
    topic: str
    strategy: str
    judge: str = "truth"
    distance: int = 0  # links between the start pages and the topic
    start: int = 0  # number of the start set
    starts: int = 3  # start pages in a set
    budget: int = 500
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Result:
    """What came of a trial: the numbers, and the curves behind them."""

    trial: Trial
    numbers: dict[str, float]
    found: NDArray[np.int64]  # relevant pages after each visit
    best: NDArray[np.int64]  # what the oracle had found by then

    @property
    def row(self) -> dict[str, Any]:
        """One line of the table."""
        return asdict(self.trial) | self.numbers


def run(trial: Trial) -> Result:
    """Crawl, and measure by the truth whoever guided."""
    world = _world(trial.world)
    seeds = world.seeds(trial.topic, trial.starts, trial.distance, trial.start)
    if not seeds:
        raise ConfigError(f"{trial.world}: no page lies {trial.distance} links from {trial.topic!r}")
    interest, shown = judge(trial.judge, world, trial.topic, trial.seed)
    began = time.process_time()
    crawl = simulate(
        world.fetcher(), interest, seeds, strategy=trial.strategy, pages=trial.budget, seed=trial.seed, threshold=0.5
    )
    cpu = time.process_time() - began
    visits = np.array([page for url in crawl.order if (page := world.id_of(url)) is not None], np.int64)
    return _measured(trial, world, visits, _ids(world, seeds), shown, cpu / max(1, len(crawl.order)))


def _measured(
    trial: Trial,
    world: World,
    visits: NDArray[np.int64],
    starts: NDArray[np.int64],
    shown: NDArray[np.int64],
    cpu: float,
) -> Result:
    """Start pages and the judge's examples count for nobody."""
    truth = world.truth(trial.topic).copy()
    truth[starts] = truth[shown] = -1
    relevant = truth == 1
    best = oracle(world.graph, relevant, starts, trial.budget).found
    labels, hits = truth[visits], relevant[visits].astype(np.int8)
    total = int((relevant & world.reachable(starts.tolist())).sum())
    found = np.cumsum(hits, dtype=np.int64)
    numbers = {
        "visits": len(visits),
        "found": int(hits.sum()),
        "reachable": total,
        "harvest": float(np.mean(metrics.judged(labels) == 1)) if (labels >= 0).any() else 0.0,
        "recall": int(hits.sum()) / total if total else 0.0,
        "share": float(metrics.oracle_share(hits, best)[-1]) if best[-1] else 0.0,
        "area": float(metrics.oracle_area(hits, best)) if best[-1] else 0.0,
        "cpu_ms": cpu * 1000,
    }
    return Result(trial, numbers, found, best)


@lru_cache(maxsize=2)
def _world(name: str) -> World:
    return find(name)


def _ids(world: World, urls: list[str]) -> NDArray[np.int64]:
    return np.array([page for url in urls if (page := world.id_of(url)) is not None], np.int64)
