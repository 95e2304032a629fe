"""The head of the frontier, written with the commits: readers need no checkpoint to see what comes next."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from clew.core.state import CrawlState
from clew.store import HEAD_SIZE, HostNow, KeepsReasons, Store, Waiting
from clew.store.head import MAX_ANCHOR
from clew.types import Candidate, Link

SECONDS: Final = 1.0  # between two writings at least
COST: Final = 100  # a writing takes at most this part of the time until the next one: one percent
MAX_HOSTS: Final = 500  # rows of hosts in one writing; the others come with the next


@dataclass
class Head:
    """Writes the best candidates and the hosts that have changed, as often as is cheap."""

    state: CrawlState
    store: Store
    clock: Callable[[], float]
    _due: float = field(default=-math.inf, init=False)
    _changed: dict[int, None] = field(default_factory=dict, init=False)  # hosts of which readers do not know yet

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
        """The hosts of which readers may know something else; one that may be asked again needs no new row."""
        frontier = self.state.frontier
        self._changed |= dict.fromkeys(frontier.changed_hosts())
        numbers = [*islice(self._changed, MAX_HOSTS)]
        for number in numbers:
            del self._changed[number]
        names = list(frontier.hosts)
        return [self._host(names[number], number, now) for number in numbers]

    def _host(self, name: str, number: int, now: float) -> HostNow:
        waiting, best = self.state.frontier.on_host(number)
        ready_at = self.state.frontier.ready_at(number)
        return HostNow(
            name,
            waiting=waiting,
            best=best if best > -math.inf else None,
            ready_at=ready_at + time.time() - now if ready_at > now else 0.0,
        )
