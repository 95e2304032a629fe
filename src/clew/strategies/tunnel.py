"""Tunnelling: cross a run of irrelevant pages for as long as such runs have led to relevant ones."""

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

START_SCORE: Final = 3.0  # of start pages and trials: above every other score
MAX_EDGE_PAGES: Final = 50  # pages with a run of unknown worth that are remembered for trials
VISITS_BETWEEN_DECISIONS: Final = 50  # how often it is decided anew which runs pay
RUN_TIE_BREAK: Final = 1e-6  # of equally relevant parents, the one with the shorter run goes first


@dataclass
class Tunnel(Strategy):
    """Visits the links of the most relevant pages, like `best_first`, and crosses a limited number of irrelevant ones.

    A page is relevant here if its relevance is at least `cut` (None: the interest's threshold). The run of a page is
    the number of irrelevant pages since the last relevant one, on the shortest known path.

    With mode="fixed", a path ends after `cutoff` irrelevant pages. With mode="adaptive", the strategy learns how long
    a run is still useful: pages of run k are expanded as long as the share of them that led to a relevant page may
    still be `theta`, by Wilson's upper bound. If fewer than `least` pages of a run have been expanded, nothing is
    known about it yet: such pages get a `trial` share of the visits, and their links are visited when nothing better
    is left.

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
    run: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # of each page with links
    counts: dict[int, list[int]] = field(default_factory=dict, init=False, repr=False)  # run -> [expanded, led on]
    expanded: dict[int, list[int]] = field(default_factory=dict, init=False, repr=False)  # page -> [run, led on]
    reach: int = field(default=0, init=False, repr=False)  # the longest run that pays
    barred: int | None = field(default=None, init=False, repr=False)  # the shortest run that does not
    edge: list[int] = field(default_factory=list, init=False, repr=False)  # the latest pages beyond `reach`
    trying: str = field(default="", init=False, repr=False)  # the URL on trial

    def __post_init__(self) -> None:
        if self.cutoff < 1 or not 0 <= self.trial <= 1:
            raise StrategyError("tunnel: cutoff must be at least 1, and trial a share from 0 to 1")
        if self.mode == "fixed":
            self.reach = self.cutoff - 1
            self.barred = self.cutoff

    def inherit(self, state: Mapping[str, Any]) -> None:
        """Take over how far it paid to go in an earlier crawl."""
        take_over(self, state)
        if self.mode == "adaptive":
            self._decide()

    def learn(self, page: Page) -> Stale:
        """Record whether the page is relevant; the runs of pages known before may become shorter."""
        number = self._crawl.number(page.url)
        if number is None:
            return ()
        nugget = page.ok and self._is_nugget(page.url)
        self._credit(page, nugget)
        before = min(linking(self._crawl, self.run, number), default=0)
        stale = list(self._shorten(number, 0 if nugget else before + 1)) if page.links else []
        if self.mode == "adaptive":
            if self._crawl.visited % VISITS_BETWEEN_DECISIONS == 0 and self._decide():
                return ALL
            stale += self._try()
        return stale

    def value(self, candidate: Candidate) -> float:
        """Return a score in three tiers: runs that pay, then runs of unknown worth; other runs are on HOLD."""
        if not candidate.links or candidate.url == self.trying:
            return START_SCORE
        run = self._run(candidate)
        relevance = max(self._crawl.relevance(link.source) for link in candidate.links) + RUN_TIE_BREAK / (1 + run)
        if run <= self.reach:
            return 1 + relevance
        if self.barred is not None and run >= self.barred:
            return HOLD
        return relevance - run

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the run of irrelevant pages that leads to the candidate, and the longest run that pays."""
        run = self._run(candidate) if candidate.links else 0
        return {"score": self.value(candidate), "run": run, "reach": self.reach}

    def _run(self, candidate: Candidate) -> int:
        run = min(speaking(self._crawl, self.run, candidate.links), default=0)
        # The evidence omits most in-links. All of them are asked only where a shorter run would change something.
        if run > self.reach and candidate.n_links > len(candidate.links):
            return min(linking(self._crawl, self.run, candidate.found), default=run)
        return run

    def _is_nugget(self, url: str) -> bool:
        cut = self._crawl.interest.threshold if self.cut is None else self.cut
        return self._crawl.relevance(url) >= cut

    def _credit(self, page: Page, nugget: bool) -> None:
        """Count the pages in the evidence for this one as expanded and, if it is relevant, as having led on."""
        for source in dict.fromkeys(link.source for link in page.inlinks):
            parent = self._crawl.number(source)
            if parent is None or parent not in self.run:
                continue
            if parent not in self.expanded:
                self.expanded[parent] = [self.run[parent], 0]
                self.counts.setdefault(self.run[parent], [0, 0])[0] += 1
            # The run at the time of the expansion: it was counted there, even if it has become shorter since.
            run, led_on = self.expanded[parent]
            if nugget and not led_on:
                self.expanded[parent][1] = 1
                self.counts[run][1] += 1

    def _shorten(self, number: int, run: int) -> Iterator[str]:
        """Set the run of a page, shorten those of the pages behind it, and yield the URLs whose score is stale."""
        self.run[number] = run
        if self.reach < run:
            self.edge = [*self.edge[1 - MAX_EDGE_PAGES :], number]
        # Breadth first: the list grows while it is read, and each page can only become shorter.
        shorter = [number]
        for source in shorter:
            for target in self._crawl.graph.out(source):
                if self.run.get(target, 0) > self.run[source] + 1:
                    # Links of pages within reach stay in their tier: a new score would make no difference.
                    if self.run[target] > self.reach:
                        yield from map(self._crawl.url, self._crawl.graph.out(target))
                    self.run[target] = self.run[source] + 1
                    shorter.append(target)

    def _decide(self) -> bool:
        """Work out anew which runs pay; return whether that has changed."""
        old = (self.reach, self.barred)
        self.reach, self.barred = reach(self.counts, self.theta, self.least)
        return old != (self.reach, self.barred)

    def _try(self) -> list[str]:
        """Put a candidate behind a run of unknown worth on trial, if one is due."""
        if not self.trial or self._crawl.visited % max(1, round(1 / self.trial)):
            return []
        limit = self.barred or 10**9
        unknown = [page for page in self.edge if self.reach < self.run[page] < limit]
        self.trying = waiting(self._crawl, reversed(unknown))
        return [self.trying] if self.trying else []


def reach(counts: dict[int, list[int]], theta: float, least: int) -> tuple[int, int | None]:
    """Return the longest run up to which all runs pay, and the first that does not (None: not known yet).

    >>> reach({1: [300, 60], 2: [240, 24], 3: [200, 6], 4: [180, 1], 5: [170, 0]}, 0.05, 30)
    (3, 4)
    """
    run = 1
    while run in counts and counts[run][0] >= least:
        expanded, led_on = counts[run]
        # The upper bound, not the share itself: a run is given up only when it almost certainly does not pay.
        if wilson_upper(led_on, expanded) < theta:
            return run - 1, run
        run += 1
    return run - 1, None
