"""What all strategies of a comparison share: the world, the start pages, the judge, and the pages to find."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import chance
from clew.errors import ConfigError
from clew.interests import Interest
from clew.lab.judges import judge
from clew.lab.link_graph import Ids
from clew.lab.oracle import oracle
from clew.lab.recording import Progress
from clew.lab.search_source import SnapshotSearchSource
from clew.lab.snapshot import Truth
from clew.lab.start_pages import absent, drawn
from clew.lab.worlds import World, find

if TYPE_CHECKING:
    from clew.lab.trial import Trial

MAX_OPEN_WORLDS: Final = 2
HELD_OUT_TARGETS: Final = 20  # relevant pages that the target recall looks for

_open: dict[str, World] = {}


@dataclass(frozen=True, eq=False)
class Task:
    """A topic of a world with its start pages, which are not counted, nor are the judge's examples."""

    world: World
    seeds: list[str]
    interest: Interest
    truth: Truth  # 1 relevant, 0 not, -1 unlabelled or not counted
    best: NDArray[np.int64]  # relevant pages that the oracle has found after each visit
    depths: Ids  # links from the start pages
    targets: NDArray[np.int64]

    @property
    def reachable(self) -> int:
        """The number of relevant pages that can be found."""
        return int(((self.truth == 1) & (self.depths >= 0)).sum())


def opened(name: str, progress: Progress | None = None) -> World:
    """A world by its name; the last few stay open."""
    if name not in _open:
        while len(_open) >= MAX_OPEN_WORLDS:
            oldest = next(iter(_open))
            del _open[oldest]
        _open[name] = find(name, progress)
    return _open[name]


# The trials of a task run one after the other, and the oracle costs more than most crawls.
@lru_cache(maxsize=4)
def task(trial: Trial) -> Task:
    """The task of a trial (pass `Trial.task`)."""
    world = opened(trial.world)
    seeds = drawn(world, trial.topic, trial.starts, trial.where, trial.start)
    if not seeds:
        raise ConfigError(f"{trial.world}: {absent(trial.topic, trial.where)}")
    interest, examples = _judge(trial.judge, trial.world, trial.topic, trial.seed)
    starts = np.array([page for url in seeds if (page := world.id_of(url)) is not None], np.int64)
    truth = world.truth(trial.topic).copy()
    # Start pages and training examples are known in advance, so finding them earns nothing.
    truth[starts] = truth[examples] = -1
    depths = world.graph.distances(starts)
    # Some parts of a world are unpacked on first use; that must not count as the first strategy's time.
    world.doc(int(starts[0]))
    best = oracle(world.graph, truth == 1, starts, trial.budget).found
    targets = _targets(trial, (truth == 1) & (depths >= 0))
    return Task(world, seeds, interest, truth, best, depths, targets)


@lru_cache(maxsize=4)
def after_learning(trial: Trial, learned: tuple[str, ...]) -> Task:
    """The task that is left when these pages have been visited: they are known, and count no more."""
    before = task(trial)
    world = before.world
    known = np.array(list(dict.fromkeys(page for url in learned if (page := world.id_of(url)) is not None)), np.int64)
    truth = before.truth.copy()
    truth[known] = -1
    # The oracle, too, begins with the links of all these pages.
    best = oracle(world.graph, truth == 1, known, len(known) + trial.budget).found[len(known) :]
    depths = world.graph.distances(known)
    targets = _targets(trial, (truth == 1) & (depths >= 0))
    return replace(before, truth=truth, best=best, depths=depths, targets=targets)


# Training is expensive too, and one judge serves every start set of its topic.
@lru_cache(maxsize=4)
def _judge(kind: str, world: str, topic: str, seed: int) -> tuple[Interest, NDArray[np.int64]]:
    return judge(kind, opened(world), topic, seed)


@lru_cache(maxsize=MAX_OPEN_WORLDS)
def link_source(world: str) -> SnapshotSearchSource:
    """The back-links and searches of a world, prepared once for all trials, so that no strategy pays for it."""
    return SnapshotSearchSource(opened(world)).prepared()


def _targets(trial: Trial, relevant: NDArray[np.bool_]) -> NDArray[np.int64]:
    pages = np.flatnonzero(relevant)
    draws = np.array([chance(trial.seed, "targets", trial.topic, int(page)) for page in pages])
    return np.sort(pages[np.argsort(draws, kind="stable")[:HELD_OUT_TARGETS]])
