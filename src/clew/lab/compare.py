"""Many trials, over all cores, and the ranking that they give."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Final

import numpy as np

from clew.errors import ConfigError
from clew.lab import metrics
from clew.lab.trial import Result, Trial, run
from clew.lab.worlds import World, find

SMALLEST: Final = 25  # reachable relevant pages below which a topic says little
BASELINE: Final = "breadth_first"


@dataclass(frozen=True, slots=True)
class Rank:
    """How one strategy did over all topics."""

    strategy: str
    area: float  # share of the oracle's area, mean over topics
    low: float  # ends of the 95 % bootstrap interval over topics
    high: float
    worst: float  # the topic on which it did worst
    share: float
    harvest: float
    recall: float
    cpu: float  # relative to breadth-first


def plan(
    strategies: Sequence[str],
    worlds: Sequence[str],
    *,
    topics: int = 8,
    judge: str = "truth",
    distances: Sequence[int] = (0, 1, 2),
    budget: int = 500,
    seed: int = 0,
) -> list[Trial]:
    """All trials: topics of different sizes, one start set at each distance, every strategy on each."""
    trials = []
    for name in worlds:
        world = find(name)
        for topic in sample(world, topics):
            for distance in distances:
                if world.seeds(topic, 3, distance, seed):
                    trials += [
                        Trial(name, topic, strategy, judge, distance, start=seed, budget=budget, seed=seed)
                        for strategy in strategies
                    ]
    if not trials:
        raise ConfigError(f"no topic of {', '.join(worlds)} has {SMALLEST} pages and start pages for it")
    return trials


def sample(world: World, most: int) -> list[str]:
    """Topics from rare to common, evenly over their ranks; not those with too few pages, or half of the web."""
    sizes = {name: size for name, size in world.topics.items() if SMALLEST <= size <= len(world.urls) // 2}
    ordered = sorted(sizes, key=lambda name: (sizes[name], name))
    if len(ordered) <= most:
        return ordered
    return [ordered[round(place)] for place in np.linspace(0, len(ordered) - 1, most)]


def compare(
    trials: Sequence[Trial], *, jobs: int | None = None, watch: Callable[[Result], None] = lambda result: None
) -> list[Result]:
    """Run all trials, in the order of the plan whichever core is faster."""
    jobs = min(jobs or os.cpu_count() or 1, len(trials))
    if jobs == 1:
        return [_told(run(trial), watch) for trial in trials]
    # A fresh process for each worker: what the caller has open or imported must not leak into the measurements.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        return [_told(result, watch) for result in pool.map(run, trials)]


def ranking(results: Iterable[Result]) -> list[Rank]:
    """Best area first; each topic counts once, whatever its number of start sets."""
    by_strategy: dict[str, list[Result]] = {}
    for result in results:
        by_strategy.setdefault(result.trial.strategy, []).append(result)
    cpu = {name: _mean(kept, "cpu_ms") for name, kept in by_strategy.items()}
    base = cpu.get(BASELINE, float("nan"))
    ranks = [_rank(name, kept, cpu[name] / base) for name, kept in by_strategy.items()]
    return sorted(ranks, key=lambda rank: (-rank.area, rank.strategy))


def _rank(strategy: str, results: list[Result], cpu: float) -> Rank:
    topics: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        topics.setdefault((result.trial.world, result.trial.topic), []).append(result)
    areas = np.array([_mean(kept, "area") for kept in topics.values()])
    low, mean, high = metrics.bootstrap(areas)
    shares, harvests, recalls = (
        float(np.mean([_mean(kept, name) for kept in topics.values()])) for name in ("share", "harvest", "recall")
    )
    return Rank(strategy, mean, low, high, float(areas.min()), shares, harvests, recalls, cpu)


def _mean(results: list[Result], name: str) -> float:
    return float(np.mean([result.numbers[name] for result in results]))


def _told(result: Result, watch: Callable[[Result], None]) -> Result:
    watch(result)
    return result
