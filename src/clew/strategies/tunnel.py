"""Tunnelling: irrelevant pages are crossed as long as relevant ones have been found behind so many of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from clew.errors import StrategyError
from clew.learning.bounds import wilson_upper
from clew.strategies._base import ALL, HOLD, Stale, Strategy
from clew.strategies._optional import take_over
from clew.strategies._shared.parents import linking, speaking, waiting
from clew.types import Candidate, Page

START: Final = 3.0
MAX_EDGE_PAGES: Final = 50  # pages at the edge of what is known that are remembered for trials
TIE: Final = 1e-6


@dataclass
class Tunnel(Strategy):
    """Best-first, but a direction is given up after too many duds in a row.

    A page is a nugget when its relevance is at least `cut` (None: the interest's threshold), else a dud; its run is
    the number of duds since the last nugget, on the best way that is known. With mode="fixed" a direction ends after
    `cutoff` duds. With mode="adaptive" pages of run k are expanded while the share of them that led to a nugget may
    still be `theta`, by Wilson's upper bound; of runs with fewer than `least` such pages nothing is known yet, so
    they get a `trial` share of the visits, and what is left when all else is done.

    >>> from clew.testing.tiny_web import order
    >>> order("tunnel(mode='fixed', cutoff=2)", "s .9 -> a; a -> b; b -> c; c .9 -> d")
    ['s', 'a', 'b']

    Bergmark, Lagoze and Sbityakov, Focused crawls, tunneling, and digital libraries, ECDL 2002.
    """

    needs_graph = True
    transferable = ("counts",)

    mode: Literal["adaptive", "fixed"] = "adaptive"
    cutoff: int = 5
    cut: float | None = 0.5
    theta: float = 0.05
    least: int = 30
    trial: float = 0.02
    run: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # of pages with links
    counts: dict[int, list[int]] = field(default_factory=dict, init=False, repr=False)  # run -> [expanded, led on]
    expanded: dict[int, list[int]] = field(default_factory=dict, init=False, repr=False)  # page -> [run, led on]
    reach: int = field(default=0, init=False, repr=False)  # the longest run that pays
    barred: int | None = field(default=None, init=False, repr=False)  # the shortest that does not
    edge: list[int] = field(default_factory=list, init=False, repr=False)  # the latest pages of unknown runs
    trying: str = field(default="", init=False, repr=False)

    def __post_init__(self) -> None:
        if self.cutoff < 1 or not 0 <= self.trial <= 1:
            raise StrategyError("tunnel: cutoff must be at least 1, and trial a share from 0 to 1")
        if self.mode == "fixed":
            self.reach, self.barred = self.cutoff - 1, self.cutoff

    def inherit(self, state: Mapping[str, Any]) -> None:
        """Take over how far it paid to go in an earlier crawl."""
        take_over(self, state)
        if self.mode == "adaptive":
            self._judge()

    def learn(self, page: Page) -> Stale:
        """Take in nugget or dud; the runs of pages known before may become shorter by it."""
        number = self._crawl.number(page.url)
        if number is None:
            return ()
        nugget = page.ok and self._is_nugget(page.url)
        self._credit(page, nugget)
        before = min(linking(self._crawl, self.run, number), default=0)
        stale = list(self._shorten(number, 0 if nugget else before + 1)) if page.links else []
        if self.mode == "adaptive":
            if self._crawl.visited % MAX_EDGE_PAGES == 0 and self._judge():
                return ALL
            stale += self._try()
        return stale

    def value(self, candidate: Candidate) -> float:
        """The relevance of the best page that links here, if its run is not too long."""
        if not candidate.links:
            return START
        if candidate.url == self.trying:
            return START
        run = self._run(candidate)
        relevance = max(self._crawl.relevance(link.source) for link in candidate.links) + TIE / (1 + run)
        if run <= self.reach:
            return 1 + relevance
        return HOLD if self.barred is not None and run >= self.barred else relevance - run

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The run of duds that leads here, and the longest one that pays."""
        run = self._run(candidate) if candidate.links else 0
        return {"score": self.value(candidate), "run": run, "reach": self.reach}

    def _run(self, candidate: Candidate) -> int:
        run = min(speaking(self._crawl, self.run, candidate.links), default=0)
        if run > self.reach and candidate.n_links > len(candidate.links):
            return min(linking(self._crawl, self.run, candidate.found), default=run)
        return run

    def _is_nugget(self, url: str) -> bool:
        return self._crawl.relevance(url) >= (self._crawl.interest.threshold if self.cut is None else self.cut)

    def _credit(self, page: Page, nugget: bool) -> None:
        """A visit expands the pages that spoke for it; a nugget shows that they led on."""
        for source in dict.fromkeys(link.source for link in page.inlinks):
            parent = self._crawl.number(source)
            if parent is None or parent not in self.run:
                continue
            if parent not in self.expanded:
                self.expanded[parent] = [self.run[parent], 0]
                self.counts.setdefault(self.run[parent], [0, 0])[0] += 1
            run, led_on = self.expanded[parent]  # the run that it had then, should it be shorter now
            if nugget and not led_on:
                self.expanded[parent][1] = 1
                self.counts[run][1] += 1

    def _shorten(self, number: int, run: int) -> Iterator[str]:
        """Set the run of a page, and of pages behind it; their links are stale where it matters."""
        self.run[number] = run
        if self.reach < run:
            self.edge = [*self.edge[1 - MAX_EDGE_PAGES :], number]
        shorter = [number]
        for source in shorter:
            for target in self._crawl.graph.out(source):
                if self.run.get(target, 0) > self.run[source] + 1:
                    if self.run[target] > self.reach:
                        yield from map(self._crawl.url, self._crawl.graph.out(target))
                    self.run[target] = self.run[source] + 1
                    shorter.append(target)

    def _judge(self) -> bool:
        """Find the runs that pay; whether they are others than before."""
        old = self.reach, self.barred
        self.reach, self.barred = reach(self.counts, self.theta, self.least)
        return old != (self.reach, self.barred)

    def _try(self) -> list[str]:
        """Now and then a candidate behind a run that nothing is known about."""
        if not self.trial or self._crawl.visited % max(1, round(1 / self.trial)):
            return []
        unknown = [n for n in self.edge if self.run[n] > self.reach and self.run[n] < (self.barred or 10**9)]
        self.trying = waiting(self._crawl, reversed(unknown))
        return [self.trying] if self.trying else []


def reach(counts: dict[int, list[int]], theta: float, least: int) -> tuple[int, int | None]:
    """The longest run of duds up to which all pay, and the first that does not; None while it is not known.

    >>> reach({1: [300, 60], 2: [240, 24], 3: [200, 6], 4: [180, 1], 5: [170, 0]}, 0.05, 30)
    (3, 4)
    """
    run = 1
    while run in counts and counts[run][0] >= least:
        expanded, led_on = counts[run]
        if wilson_upper(led_on, expanded) < theta:
            return run - 1, run
        run += 1
    return run - 1, None
