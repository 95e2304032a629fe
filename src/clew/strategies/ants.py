"""Ant crawler: walkers leave trails where they found good pages, and follow the strongest ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypedDict

from clew.strategies._base import Stale
from clew.strategies._shared.walker import NOWHERE, Walker, Wish, drawn
from clew.types import Candidate, Page

STEPS: Final = 200
"""Moves between two visits at most; ants that meet nothing new for so long are lost."""


class Ant(TypedDict):
    """A path from a start page, and the link it waits for."""

    path: list[int]
    wish: Wish | None
    home: bool  # whether its cycle is over


@dataclass
class Ants(Walker):
    """In cycle t each ant makes `k` * t moves from a start page, then marks its path.

    Links are followed in proportion to their trails: P_ij = tau_ij / sum tau_il, never to a page that is on the
    ant's path already. After a cycle tau_ij = `rho` * tau_ij + the mean page scores of the ants that went that way,
    at least `tau_min`; new links have `tau_0`. Every `renew` cycles the worse half of the start pages gives way
    to the best pages found. Only links that were walked are stored.

    Gasparetti and Micarelli, Adaptive web search based on a colony of cooperative distributed agents, CIA 2003.
    """

    ants: int = 20
    k: int = 1
    rho: float = 0.5
    tau_0: float = 0.1
    tau_min: float = 0.01
    renew: int = 5
    cycle: int = field(default=0, init=False, repr=False)
    colony: list[Ant] = field(default_factory=list, init=False, repr=False)
    trails: dict[int, dict[int, float]] = field(default_factory=dict, init=False, repr=False)
    known: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # page -> cycle of its visit
    best: list[tuple[float, int]] = field(default_factory=list, init=False, repr=False)  # pages to start from

    def wishes(self) -> Iterable[Wish]:
        """What the ants wait for."""
        return [ant["wish"] for ant in self.colony if ant["wish"]]

    def learn(self, page: Page) -> Stale:
        """Let the ants go on that waited for this page, and the next cycle begin after the last of them."""
        before = {wish["url"] for wish in self.wishes()}
        number = self._note(page)
        if number is not None:
            self.known[number] = max(1, self.cycle)
            self.best = sorted([*self.best, (-self.relevances[number], -number)])[: self.ants]
        self._walk()
        now = {wish["url"] for wish in self.wishes()}
        return [self._crawl.url(url) for url in sorted(before ^ now)]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """How many ants wait for it, and the strongest trail that leads there."""
        trails = [self.tau(source, candidate.found) for source in self._crawl.graph.into(candidate.found)]
        waiting = sum(wish["url"] == candidate.found for wish in self.wishes())
        return {"ants waiting": waiting, "tau": max(trails, default=0.0), "cycle": self.cycle}

    def tau(self, source: int, target: int) -> float:
        """The pheromone on a link."""
        return self.trails.get(source, {}).get(target, self._untrodden(source))

    def _untrodden(self, source: int) -> float:
        """Of a link that nobody has walked: it evaporates too."""
        age = self.cycle - self.known.get(source, self.cycle)
        return max(self.tau_min, self.tau_0 * self.rho**age)

    def _walk(self) -> None:
        steps = STEPS
        while steps > 0 and (self.starts or self.colony):
            for number, ant in enumerate(self.colony):
                steps -= self._go(number, ant, steps)
            if any(ant["wish"] for ant in self.colony):
                return
            if all(ant["home"] for ant in self.colony):
                self._next_cycle()
        self._send_lost()

    def _go(self, number: int, ant: Ant, most: int) -> int:
        """Move an ant until it must wait, its cycle is over or it has made its moves; how many it made, and 1."""
        if ant["wish"]:
            there = self._arrived(ant["path"][-1], ant["wish"])
            if there is None:
                return 0
            ant["wish"] = None
            if there != NOWHERE:
                ant["path"].append(there)
        began = len(ant["path"])
        while not ant["wish"] and not ant["home"] and len(ant["path"]) - began < most:
            self._move(number, ant)
        return len(ant["path"]) - began + 1

    def _move(self, number: int, ant: Ant) -> None:
        """Follow one link (7.1), or stop where there is none."""
        path = ant["path"]
        if len(path) > self.k * self.cycle:
            ant["home"] = True
            return
        at, seen = path[-1], set(path)
        walked, untrodden = self.trails.get(at, {}), self._untrodden(at)
        out = self._crawl.graph.out(at)
        choices = [place for place, url in enumerate(out) if url not in seen]
        weights = [walked.get(out[place], untrodden) for place in choices]
        while choices:
            pick = drawn(weights, self._crawl.chance("ants", self.cycle, number, len(path), len(choices)))
            url = out[place := choices[pick]]
            if url in self.relevances:
                path.append(url)
                return
            if self._waits(url):
                ant["wish"] = self._wish(place, url)
                return
            del choices[pick], weights[pick]
        ant["home"] = True

    def _next_cycle(self) -> None:
        """Mark the trails (7.2, 7.3) and send the ants out from the start pages."""
        self.cycle += 1
        self._evaporate()
        for ant in self.colony:
            delta = sum(self.relevances[page] for page in ant["path"]) / len(ant["path"])
            for source, target in pairwise(ant["path"]):
                self.trails.setdefault(source, {})[target] = self.tau(source, target) + delta
        if self.cycle % self.renew == 0:
            self._renew()
        starts = self.starts
        self.colony = [
            Ant(path=[starts[ant % len(starts)]], wish=None, home=False) for ant in range(self.ants if starts else 0)
        ]

    def _evaporate(self) -> None:
        """What has faded to the least, on a page where all else has, need not be stored."""
        trails: dict[int, dict[int, float]] = {}
        for source, walked in self.trails.items():
            faded = self._untrodden(source) <= self.tau_min
            left = {target: max(self.tau_min, self.rho * tau) for target, tau in walked.items()}
            if left := {target: tau for target, tau in left.items() if tau > self.tau_min or not faded}:
                trails[source] = left
        self.trails = trails

    def _renew(self) -> None:
        """Other start pages; by the way, scores are read again, as users change their minds and interests."""
        values = self._crawl.relevances()
        self.relevances = {page: float(values[page]) for page in self.relevances}
        self.best = sorted((-self.relevances[-page], page) for _, page in self.best)
        ranked = sorted(self.starts, key=lambda page: -self.relevances[page])
        kept = ranked[: max(1, len(ranked) // 2)] if len(ranked) > 1 else []
        fresh = [-page for _, page in self.best if -page not in kept]
        self.starts = [*kept, *fresh[: len(ranked) - len(kept)]] or ranked

    def _send_lost(self) -> None:
        """Nothing new on all trails: one ant starts from the best page that has unvisited links."""
        at, places = self._ground()
        if places and self.colony:
            place = places[int(self._crawl.chance("lost", self.serial) * len(places))]
            wish = self._wish(place, self._crawl.graph.out(at)[place])
            self.colony = [Ant(path=[at], wish=wish, home=False), *self.colony[1:]]
