"""The head of the frontier, written with the commits: readers need no checkpoint to see what comes next."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.core.state import CrawlState
from clew.store import HEAD_SIZE, HostNow, KeepsReasons, Store, Waiting
from clew.store.head import MAX_ANCHOR
from clew.types import Candidate, Link

SECONDS: Final = 1.0  # between two writings at least
COST: Final = 100  # a writing takes at most this part of the time until the next one: one percent
MAX_HOSTS: Final = 500  # rows of hosts in one writing; the others come with the next

Column = NDArray[np.float64]


@dataclass
class Head:
    """Writes the best candidates and the hosts that have changed, as often as is cheap."""

    state: CrawlState
    store: Store
    clock: Callable[[], float]
    _due: float = field(default=-math.inf, init=False)
    _waiting: Column = field(default_factory=lambda: np.zeros(0), init=False)  # by host, as readers know it
    _best: Column = field(default_factory=lambda: np.zeros(0), init=False)
    _ready: Column = field(default_factory=lambda: np.zeros(0), init=False)

    def write(self, is_due: bool = False) -> None:
        """Before a commit: hand the head to the store if it is time, or if it is due in any case."""
        now = self.clock()
        if not isinstance(self.store, KeepsReasons) or not (is_due or now >= self._due):
            return
        began = time.perf_counter()
        self.store.keep_head(self._entries(), self._changed_hosts(now))
        self._due = now + max(SECONDS, COST * (time.perf_counter() - began))

    def _entries(self) -> list[Waiting]:
        frontier = self.state.frontier
        return [self._entry(candidate) for candidate in frontier.candidates(frontier.head(HEAD_SIZE))]

    def _entry(self, candidate: Candidate) -> Waiting:
        relevance = self.state.view.relevance
        link = max(candidate.links, key=lambda link: relevance(link.source), default=Link("", candidate.url, kind=""))
        return Waiting(
            url=candidate.url,
            host=candidate.url.split("/", 3)[2],
            score=candidate.score,
            depth=candidate.depth,
            links=candidate.n_links,
            source=link.source,
            source_relevance=relevance(link.source) if link.source else 0.0,
            anchor=link.anchor[:MAX_ANCHOR],
            kind=link.kind,
            wish=self.state.steering.wish_for(candidate.url),
        )

    def _changed_hosts(self, now: float) -> list[HostNow]:
        """The hosts of which readers know something else; a host that may be asked again needs no new row."""
        frontier = self.state.frontier
        waiting, best = frontier.by_host()
        ready = np.array([frontier.ready_at(number) for number in range(len(waiting))])
        self._grow(len(waiting))
        is_other = (waiting != self._waiting) | (best != self._best) | ((ready != self._ready) & (ready > now))
        changed = np.flatnonzero(is_other)[:MAX_HOSTS]
        for known, current in ((self._waiting, waiting), (self._best, best), (self._ready, ready)):
            known[changed] = current[changed]
        names = list(frontier.hosts)
        ahead = time.time() - now
        return [
            HostNow(
                names[number],
                waiting=int(waiting[number]),
                best=float(best[number]) if best[number] > -math.inf else None,
                ready_at=ready[number] + ahead if ready[number] > now else 0.0,
            )
            for number in changed.tolist()
        ]

    def _grow(self, size: int) -> None:
        """A row for each host; of a new one, or after a resume, it is not known what readers know."""
        more = size - len(self._waiting)
        self._waiting = np.concatenate((self._waiting, np.full(more, -1.0)))
        self._best = np.concatenate((self._best, np.full(more, -math.inf)))
        self._ready = np.concatenate((self._ready, np.full(more, -math.inf)))
