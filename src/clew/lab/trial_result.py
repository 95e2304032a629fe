"""What a simulated crawl is determined by, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.core.manners import STILL

JITTER: Final = 1e-4  # of a score, by which repeats differ

Visits = NDArray[np.int32]
Counts = NDArray[np.int64]
Seconds = NDArray[np.float64]


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
    # The following are not in the repr, for keys of cached results contain it: results that are older than these fields
    # stay valid (see `result_cache.key`).
    # Whether the strategy may ask for back-links and searches.
    link_source: bool = field(default=False, repr=False)
    manners: str = field(default=STILL, repr=False)  # how the crawl behaves towards the web (see `core.manners`)
    repeat: int = field(default=0, repr=False)  # number of the harmless change of scores (see `lab.noise`)
    learn_visits: int = field(default=0, repr=False)  # visits before those that are measured (see `lab.learning_phase`)
    place: str = field(default="", repr=False)  # kind of start pages, if not by distance (see `lab.start_pages`)
    jitter: float = field(default=JITTER, repr=False)  # of a score, by which repeats differ, at most
    learned: str = field(default="", repr=False)  # topic of an earlier crawl whose knowledge the strategy begins with

    @property
    def recipe(self) -> str:
        """What the strategy is made from: a name, or a name with parameters."""
        return self.spec or self.strategy

    @property
    def where(self) -> int | str:
        """Where the crawl starts: so many links from the topic, or a kind of page."""
        return self.place or self.distance

    @property
    def task(self) -> Trial:
        """The trial without the strategy: what strategies are compared on."""
        unnamed = replace(self, strategy="", spec="", learned="")
        return replace(unnamed, parallel=1, link_source=False, manners=STILL, repeat=0, jitter=JITTER)

    @property
    def earlier(self) -> Trial:
        """The crawl that the strategy has learned from: with another set of start pages, for the topic `learned`."""
        return replace(self, topic=self.learned, start=self.start + 1, repeat=0, learned="")

    @property
    def unrepeated(self) -> Trial:
        """The trial without the number of its repeat."""
        return replace(self, repeat=0)


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
    times: Seconds = field(default_factory=lambda: np.zeros(0))  # virtual time of each visit, with live manners

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
