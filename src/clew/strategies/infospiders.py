"""InfoSpiders: agents that live on what they find, learn which links to trust, breed and die."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from heapq import nsmallest
from typing import Final, Literal

from clew.parse.links import one_for_each_target
from clew.strategies._base import Stale
from clew.strategies._shared.profile import likeness, rated, unit
from clew.strategies._shared.spider import (
    Spider,
    Values,
    child_of,
    first_keywords,
    inputs,
    outputs,
    probabilities,
    taught,
)
from clew.strategies._shared.walker import NOWHERE, Walker, Wish, drawn
from clew.types import Candidate, Page

KNOWN: Final = 3
"""Moves over known pages in a row; each may mean reading a page from disk."""


@dataclass
class InfoSpiders(Walker):
    """A population of agents, each with keywords, a small net, trust in it (`beta`) and energy.

    An agent follows a link with probability proportional to exp(beta * lambda), where lambda is its net's output on
    the keywords near the link. A page that is new to the crawl costs `cost` and brings its benefit: the critic's
    relevance ("critic"), or tanh of the sum of tf * weight over the agent's own keywords ("keywords"); after
    feedback, the likeness to what users liked. The net learns towards benefit + `mu` * the best lambda there.
    Above `theta` an agent divides, with mutation and crossover; below 0 it dies. When all are dead, a new
    population starts on the best pages (`reseeded` counts them). An agent's first keywords are those of the interest's
    words and of its start page's terms that the interest rates highest.

    Menczer and Belew, Adaptive retrieval agents: internalizing local context and scaling up to the web, Machine
    Learning 39, 2000.
    """

    transferable = ("heard",)

    agents: int = 8
    most: int = 32
    keywords: int = 5
    beta: float = 2.0
    theta: float = 2.0
    cost: float = 0.2
    mu: float = 0.5
    rate: float = 0.1
    back: float = 0.1
    benefit: Literal["critic", "keywords"] = "critic"
    population: list[Spider] = field(default_factory=list, init=False, repr=False)
    heard: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # terms of pages users spoke of
    born: int = field(default=0, init=False, repr=False)
    moves: int = field(default=0, init=False, repr=False)
    reseeded: int = field(default=0, init=False, repr=False)

    def wishes(self) -> Iterable[Wish]:
        """What the agents wait for."""
        return [spider["wish"] for spider in self.population if spider["wish"]]

    def learn(self, page: Page) -> Stale:
        """Let the agents go on that waited for this page; a start page brings new ones."""
        before = {wish["url"] for wish in self.wishes()}
        number = self._note(page)
        arrivals = [(spider, self._arrival(spider)) for spider in self.population]
        fresh = next((spider for spider, there in arrivals if there == self._crawl.number(page.url)), None)
        if fresh:
            self._feed(fresh, page)
        for spider in [spider for spider, there in arrivals if there is not None and spider["energy"] >= 0]:
            self._roam(spider, page if spider is fresh else None)
        if number is not None and page.depth == 0 and self.born < self.agents:
            self._settle(page, number, -(-self.agents // max(1, len(self._crawl.seeds))))
        if self.born and not self.population:
            self._reseed()
        now = {wish["url"] for wish in self.wishes()}
        return [self._crawl.url(url) for url in sorted(before ^ now)]

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """From now on, likeness to such pages is the benefit, and their terms may become keywords."""
        self.heard = rated(self.heard, unit(page.terms), 1 if relevant else -1, rate=1.0)
        return super().learn_label(page, relevant)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Who waits for it, and the state of the population."""
        waiting = [s for s in self.population if s["wish"] and s["wish"]["url"] == candidate.found]
        energy = max((spider["energy"] for spider in waiting), default=0.0)
        return {"agents waiting": len(waiting), "energy": energy, "population": len(self.population)}

    def _settle(self, page: Page, number: int, count: int) -> None:
        """New agents on a page, with keywords from it and random weights."""
        keys = first_keywords(page, self._crawl.interest, self.keywords)
        for _ in range(count):
            self.born += 1
            weights = [*(self._crawl.chance("born", self.born, key) for key in keys), 0.0]
            spider = Spider(
                at=number, trail=[], energy=1.0, beta=self.beta, keys=keys, weights=weights, wish=None, seen=[], rest=0
            )
            self.population.append(spider)
            self._roam(spider, page)

    def _reseed(self) -> None:
        """All are dead: others take their place on the best pages that are left."""
        self.reseeded += 1
        for _, number in nsmallest(self.agents, self.grounds):
            if page := self._crawl.page(self._crawl.url(-number)):
                self._settle(page, -number, 1)

    def _arrival(self, spider: Spider) -> int | None:
        """Where an agent stands now; None while it waits."""
        there = self._arrived(spider["at"], spider["wish"]) if spider["wish"] else NOWHERE
        if there is not None:
            spider["wish"] = None
            _enter(spider, there)
        return there

    def _feed(self, spider: Spider, page: Page) -> None:
        """Only the first agent on a new page pays for it and lives on it."""
        spider["rest"] = 0
        spider["energy"] += self._benefit(spider, page) - self.cost
        if spider["energy"] < 0:
            self.population.remove(spider)
        elif spider["energy"] > self.theta and len(self.population) < self.most:
            mates = [other for other in self.population if other["at"] == spider["at"] and other is not spider]
            self.born += 1
            chance = partial(self._crawl.chance, "child", self.born)
            wanted = self.heard if self.heard and chance("where") < 0.5 else page.terms
            self.population.append(child := child_of(spider, mates[0] if mates else None, wanted, chance))
            self._roam(child, page)

    def _benefit(self, spider: Spider, page: Page) -> float:
        if self.heard:
            return likeness(page.terms, self.heard)
        if self.benefit == "critic":
            # Dense relevances would feed agents on any page: below the threshold there is nothing to live on.
            relevance = self._crawl.relevance(page.url)
            return relevance if relevance >= self._crawl.interest.threshold else 0.0
        total = sum(page.terms.values()) or 1
        keys = zip(spider["keys"], spider["weights"], strict=False)
        return math.tanh(sum(100 * page.terms.get(key, 0) / total * weight for key, weight in keys))

    def _roam(self, spider: Spider, page: Page | None) -> None:
        """From page to page until there is something to wait for."""
        for _ in range(KNOWN + 3):
            page = page or self._crawl.page(self._crawl.url(spider["at"]))
            if (page is None or not self._move(spider, page)) and not self._jump(spider):
                return
            if spider["wish"]:
                return
            page = None

    def _jump(self, spider: Spider) -> bool:
        """Out of a dead end: to the best page that has links to new ones, if there is any."""
        at, places = self._ground()
        if places:
            spider["at"], spider["rest"], spider["seen"] = at, KNOWN, []
        return bool(places)

    def _move(self, spider: Spider, page: Page) -> bool:
        """Learn from the page and leave it by a link or the back button; whether there was a way."""
        self.moves += 1
        links = [*one_for_each_target(page.links)]
        rows = inputs(links, spider["keys"], page.language)
        values = outputs(rows, spider["weights"])
        if spider["seen"]:
            target = self._benefit(spider, page) + self.mu * float(values.max(initial=-1.0))
            spider["weights"] = taught(spider["weights"], spider["seen"], target, self.rate)
        if spider["rest"] < KNOWN and spider["trail"] and self._crawl.chance("back", self.moves) < self.back:
            spider["at"], spider["seen"] = spider["trail"].pop(), []
            spider["rest"] += 1
            return True
        return bool(links) and self._follow(spider, rows, probabilities(values, spider["beta"]).tolist())

    def _follow(self, spider: Spider, rows: Values, weights: list[float]) -> bool:
        out, tired = self._crawl.graph.out(spider["at"]), spider["rest"] >= KNOWN
        places = [place for place, url in enumerate(out) if not tired or url not in self.relevances]
        weights = [weights[place] for place in places]
        while places:
            pick = drawn(weights, self._crawl.chance("link", self.moves, len(places)))
            url = out[place := places[pick]]
            if url in self.relevances or self._waits(url):
                spider["seen"] = rows[place].tolist()
                if url in self.relevances:
                    _enter(spider, url)
                    spider["rest"] += 1
                else:
                    spider["wish"] = self._wish(place, url)
                return True
            del places[pick], weights[pick]
        return False


def _enter(spider: Spider, page: int) -> None:
    if page != NOWHERE:
        spider["trail"], spider["at"] = [*spider["trail"][-9:], spider["at"]], page
