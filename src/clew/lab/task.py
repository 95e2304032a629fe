"""What every strategy of a comparison is given: the world, start pages, a guide, and what there is to find."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import chance
from clew.errors import ConfigError
from clew.interests import Interest
from clew.lab.judges import judge
from clew.lab.link_graph import Ids
from clew.lab.link_source import SnapshotLinkSource
from clew.lab.oracle import oracle
from clew.lab.recording import Progress
from clew.lab.snapshot import Truth
from clew.lab.worlds import World, find

if TYPE_CHECKING:
    from clew.lab.trial import Trial

OPEN: Final = 2  # worlds that are kept in memory
TARGETS: Final = 20  # relevant pages held out for the target recall

_open: dict[str, World] = {}


@dataclass(frozen=True, eq=False)
class Task:
    """A topic of a world with its start pages; those and the judge's examples count for nobody."""

    world: World
    seeds: list[str]
    interest: Interest
    truth: Truth  # -1 also for what counts for nobody
    best: NDArray[np.int64]  # the oracle's finds after each page
    depths: Ids  # links from the start pages
    targets: NDArray[np.int64]

    @property
    def reachable(self) -> int:
        """Relevant pages that there are to find."""
        return int(((self.truth == 1) & (self.depths >= 0)).sum())


def opened(name: str, progress: Progress | None = None) -> World:
    """A world by its name; the latest ones stay open."""
    if name not in _open:
        while len(_open) >= OPEN:
            del _open[next(iter(_open))]
        _open[name] = find(name, progress)
    return _open[name]


@lru_cache(maxsize=4)  # all strategies of a task follow each other, and the oracle is dearer than most crawls
def task(trial: Trial) -> Task:
    """The task of a trial (`Trial.task`)."""
    world = opened(trial.world)
    seeds = world.seeds(trial.topic, trial.starts, trial.distance, trial.start)
    if not seeds:
        raise ConfigError(f"{trial.world}: no page lies {trial.distance} links from {trial.topic!r}")
    interest, shown = _guide(trial.judge, trial.world, trial.topic, trial.seed)
    starts = np.array([page for url in seeds if (page := world.id_of(url)) is not None], np.int64)
    truth = world.truth(trial.topic).copy()
    truth[starts] = truth[shown] = -1
    depths = world.graph.distances(starts)
    world.doc(int(starts[0]))  # what is unpacked only once should not count for whoever comes first
    best = oracle(world.graph, truth == 1, starts, trial.budget).found
    return Task(world, seeds, interest, truth, best, depths, _targets(trial, (truth == 1) & (depths >= 0)))


@lru_cache(maxsize=4)  # training is dear too, and serves every start set
def _guide(kind: str, world: str, topic: str, seed: int) -> tuple[Interest, NDArray[np.int64]]:
    return judge(kind, opened(world), topic, seed)


@lru_cache(maxsize=OPEN)
def beyond(world: str) -> SnapshotLinkSource:
    """What a world knows beside its links; the index is made once for all trials, and on nobody's time."""
    return SnapshotLinkSource(opened(world)).prepared()


def _targets(trial: Trial, relevant: NDArray[np.bool_]) -> NDArray[np.int64]:
    pages = np.flatnonzero(relevant)
    draws = np.array([chance(trial.seed, "targets", trial.topic, int(page)) for page in pages])
    return np.sort(pages[np.argsort(draws, kind="stable")[:TARGETS]])
