"""Ant crawler: walkers mark the paths that led to good pages, and prefer the links with the strongest marks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypedDict

from clew.strategies._base import Stale
from clew.strategies._shared.walker import NOWHERE, Walker, Wish, drawn
from clew.types import Candidate, Page

MAX_MOVES_BETWEEN_VISITS: Final = 200
"""Ants that meet no unvisited URL for so many moves are lost."""


class Ant(TypedDict):
    """A walker: its path from a start page, and the link that it waits for."""

    path: list[int]
    wish: Wish | None
    home: bool  # whether its cycle is over


@dataclass
class Ants(Walker):
    """Visits the links that a colony of ants chooses by the pheromone trails to good pages.

    The crawl proceeds in cycles. In cycle t each of the `ants` makes `k` * t moves from a start page. It follows links
    in proportion to their trails, P_ij = tau_ij / sum tau_il, and never to a page that is already on its path. After
    a cycle tau_ij = `rho` * tau_ij + the mean page scores of the ants that went that way, but at least `tau_min`; a
    new link starts with `tau_0`. Every `renew` cycles the worse half of the start pages is replaced by the best pages
    found. Scores are read anew at the end of each cycle: trails follow labels and a changed interest by evaporation.

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
    trails: dict[int, dict[int, float]] = field(default_factory=dict, init=False, repr=False)  # of walked links only
    known: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # page -> cycle of its visit
    best: list[tuple[float, int]] = field(default_factory=list, init=False, repr=False)  # (-relevance, -page), sorted

    def wishes(self) -> Iterable[Wish]:
        """Return the links that ants wait for."""
        return [ant["wish"] for ant in self.colony if ant["wish"]]

    def learn(self, page: Page) -> Stale:
        """Move the ants that waited for this page, and start the next cycle when all are home."""
        before = {wish["url"] for wish in self.wishes()}
        number = self._note(page)
        if number is not None:
            self.known[number] = max(1, self.cycle)
            self.best = sorted([*self.best, (-self.relevances[number], -number)])[: self.ants]
        self._walk()
        after = {wish["url"] for wish in self.wishes()}
        return [self._crawl.url(url) for url in sorted(before ^ after)]

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return how many ants wait for the candidate, and the strongest trail that leads to it."""
        trails = [self.tau(source, candidate.found) for source in self._crawl.graph.into(candidate.found)]
        waiting = sum(wish["url"] == candidate.found for wish in self.wishes())
        return {"ants waiting": waiting, "tau": max(trails, default=0.0), "cycle": self.cycle}

    def tau(self, source: int, target: int) -> float:
        """Return the pheromone on a link."""
        return self.trails.get(source, {}).get(target, self._untrodden(source))

    def _untrodden(self, source: int) -> float:
        """Return the pheromone on the links of a page that nobody has walked."""
        # It evaporates like any other, from tau_0 at the visit: the age of the page is all there is to store.
        age = self.cycle - self.known.get(source, self.cycle)
        return max(self.tau_min, self.tau_0 * self.rho**age)

    def _walk(self) -> None:
        """Move the ants, cycle after cycle, until one of them waits for a visit or all are lost."""
        moves_left = MAX_MOVES_BETWEEN_VISITS
        while moves_left > 0 and (self.starts or self.colony):
            for number, ant in enumerate(self.colony):
                moves_left -= self._advance(number, ant, moves_left)
            if any(ant["wish"] for ant in self.colony):
                return
            if all(ant["home"] for ant in self.colony):
                self._next_cycle()
        self._send_lost()

    def _advance(self, number: int, ant: Ant, max_moves: int) -> int:
        """Move an ant until it waits, its cycle is over or has no moves left; return the number of moves, plus 1."""
        if ant["wish"]:
            arrived = self._arrived(ant["path"][-1], ant["wish"])
            if arrived is None:
                return 0
            ant["wish"] = None
            if arrived != NOWHERE:
                ant["path"].append(arrived)
        before = len(ant["path"])
        while not ant["wish"] and not ant["home"] and len(ant["path"]) - before < max_moves:
            self._move(number, ant)
        # Plus 1, so that a colony that cannot move at all uses up its moves too.
        return len(ant["path"]) - before + 1

    def _move(self, number: int, ant: Ant) -> None:
        """Follow one link (7.1), or go home if there is none."""
        path = ant["path"]
        if len(path) > self.k * self.cycle:
            ant["home"] = True
            return
        page = path[-1]
        on_path = set(path)
        walked = self.trails.get(page, {})
        untrodden = self._untrodden(page)
        out = self._crawl.graph.out(page)
        choices = [place for place, url in enumerate(out) if url not in on_path]
        weights = [walked.get(out[place], untrodden) for place in choices]
        while choices:
            pick = drawn(weights, self._crawl.chance("ants", self.cycle, number, len(path), len(choices)))
            place = choices[pick]
            url = out[place]
            if url in self.relevances:
                path.append(url)
                return
            if self._waits(url):
                ant["wish"] = self._wish(place, url)
                return
            # Neither visited nor a candidate: the URL was refused, and the ant draws again among the others.
            del choices[pick], weights[pick]
        ant["home"] = True

    def _next_cycle(self) -> None:
        """Mark the trails (7.2, 7.3) and send the ants out from the start pages."""
        self.cycle += 1
        self._read_scores()
        self._evaporate()
        for ant in self.colony:
            delta = sum(self.relevances[page] for page in ant["path"]) / len(ant["path"])
            for source, target in pairwise(ant["path"]):
                self.trails.setdefault(source, {})[target] = self.tau(source, target) + delta
        if self.cycle % self.renew == 0:
            self._renew()
        self.colony = []
        if self.starts:
            starts = [self.starts[number % len(self.starts)] for number in range(self.ants)]
            self.colony = [Ant(path=[start], wish=None, home=False) for start in starts]

    def _read_scores(self) -> None:
        """Read the relevance of all pages again: labels, a learning judge or a changed interest may have altered it."""
        pages = list(self.relevances)
        self.relevances = dict(zip(pages, self._crawl.relevances()[pages].tolist(), strict=True))

    def _evaporate(self) -> None:
        """Weaken all trails; forget those that are as weak as an untrodden link."""
        trails: dict[int, dict[int, float]] = {}
        for source, walked in self.trails.items():
            # A trail at tau_min may be forgotten only if untrodden links of the page have faded to tau_min as well.
            faded = self._untrodden(source) <= self.tau_min
            weakened = {target: max(self.tau_min, self.rho * tau) for target, tau in walked.items()}
            remaining = {target: tau for target, tau in weakened.items() if tau > self.tau_min or not faded}
            if remaining:
                trails[source] = remaining
        self.trails = trails

    def _renew(self) -> None:
        """Replace the worse half of the start pages by the best pages found."""
        self.best = sorted((-self.relevances[-negated], negated) for _, negated in self.best)
        ranked = sorted(self.starts, key=lambda page: -self.relevances[page])
        better = ranked[: len(ranked) // 2]
        fresh = [-negated for _, negated in self.best if -negated not in better]
        self.starts = [*better, *fresh[: len(ranked) - len(better)]] or ranked

    def _send_lost(self) -> None:
        """Let one ant start from the best page that has unvisited links."""
        page, places = self._ground()
        if places and self.colony:
            place = places[int(self._crawl.chance("lost", self.serial) * len(places))]
            wish = self._wish(place, self._crawl.graph.out(page)[place])
            self.colony = [Ant(path=[page], wish=wish, home=False), *self.colony[1:]]
