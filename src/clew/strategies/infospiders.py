"""InfoSpiders: a population of agents that live on the pages they find, learn which links to follow, breed and die."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from heapq import nsmallest
from typing import Final, Literal

from clew.learning.profile import likeness, rated, unit
from clew.parse.links import one_for_each_target
from clew.strategies._base import Stale
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

MAX_KNOWN_MOVES: Final = 3
"""Moves over visited pages in a row; each may read a page from disk."""
MAX_MOVES_PER_TURN: Final = MAX_KNOWN_MOVES + 3
"""Moves that an agent may make before it waits for a visit."""
MAX_COST_FACTOR: Final = 5.0
"""How many times the cost of an average page a heavy page costs at most: a single one must not kill an agent."""
MAX_TRAIL: Final = 10
"""Pages that the back button remembers."""


@dataclass
class InfoSpiders(Walker):
    """Visits the links that a population of learning agents chooses on its walk.

    Each agent has `keywords` keywords, a small neural net, trust in that net (`beta`) and energy. Its first keywords
    are the words of the interest and the terms of its start page that the interest rates highest. It follows a link
    with probability proportional to exp(beta * lambda), where lambda is the output of its net on the keywords near
    the link, and goes back to the page before with probability `back`.

    A page that is new to the crawl costs energy and brings a `benefit`. An average page costs `cost`; a page costs more
    or less by what the `network` measured: the "bytes" or the "seconds" of its transfer, relative to the mean of the
    visits so far ("none": every page costs the same). Bytes are the default because they are the same in every crawl
    of the same web. The benefit is the relevance of the page ("critic"), or tanh of the sum of tf * weight over the
    agent's own keywords ("keywords"). Once there are labels, the benefit is the similarity to the pages that users
    liked. The net learns, with learning rate `rate`, towards the benefit plus `mu` times the best lambda on the page.

    There are `agents` agents at first, and at most `most`. An agent whose energy exceeds `theta` divides, with
    mutation and crossover; below 0 it dies. When all are dead, a new population starts on the best pages.

    Menczer and Belew, Adaptive retrieval agents: internalizing local context and scaling up to the web, Machine
    Learning 39, 2000.
    """

    transferable = ("label_profile",)
    added_later = ("network", "loads", "total_load")

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
    network: Literal["bytes", "seconds", "none"] = "bytes"
    population: list[Spider] = field(default_factory=list, init=False, repr=False)
    label_profile: dict[str, float] = field(
        default_factory=dict, init=False, repr=False
    )  # weighted terms of labelled pages
    born: int = field(default=0, init=False, repr=False)  # agents so far
    moves: int = field(default=0, init=False, repr=False)  # moves of all agents
    reseeded: int = field(default=0, init=False, repr=False)  # populations that died out
    loads: int = field(default=0, init=False, repr=False)  # visits whose transfer was measured
    total_load: float = field(default=0.0, init=False, repr=False)  # bytes or seconds of these visits

    def wishes(self) -> Iterable[Wish]:
        """Return the links that agents wait for."""
        return [spider["wish"] for spider in self.population if spider["wish"]]

    def learn(self, page: Page) -> Stale:
        """Move the agents that waited for this page; a start page brings new agents."""
        before = {wish["url"] for wish in self.wishes()}
        number = self._note(page)
        self._measure(page)
        arrivals = [(spider, self._arrival(spider)) for spider in self.population]
        # Several agents may have waited for the page; only the first one feeds on it.
        here = self._crawl.number(page.url)
        discoverer = next((spider for spider, arrived in arrivals if arrived == here), None)
        if discoverer:
            self._feed(discoverer, page)
        for spider, arrived in arrivals:
            if arrived is not None and spider["energy"] >= 0:
                self._roam(spider, page if spider is discoverer else None)
        if number is not None and page.depth == 0 and self.born < self.agents:
            # The agents are spread evenly over the start pages, rounded up.
            share = -(-self.agents // max(1, len(self._crawl.seeds)))
            self._settle(page, number, share)
        if self.born and not self.population:
            self._reseed()
        after = {wish["url"] for wish in self.wishes()}
        return [self._crawl.url(url) for url in sorted(before ^ after)]

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Make similarity to labelled pages the benefit from now on; their terms may become keywords."""
        self.label_profile = rated(self.label_profile, unit(page.terms), 1 if relevant else -1, rate=1.0)
        return super().learn_label(page, relevant)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return how many agents wait for the candidate, their highest energy, and the size of the population."""
        waiting = [spider for spider in self.population if _waits_for(spider, candidate.found)]
        energy = max((spider["energy"] for spider in waiting), default=0.0)
        return {"agents waiting": len(waiting), "energy": energy, "population": len(self.population)}

    def _settle(self, page: Page, number: int, count: int) -> None:
        """Put new agents on a page, with keywords from it and random weights."""
        keys = first_keywords(page, self._crawl.interest, self.keywords)
        for _ in range(count):
            self.born += 1
            weights = [self._crawl.chance("born", self.born, key) for key in keys]
            spider = Spider(
                at=number,
                trail=[],
                energy=1.0,
                beta=self.beta,
                keys=keys,
                weights=[*weights, 0.0],  # the last weight is the bias of the net
                wish=None,
                seen=[],
                rest=0,
            )
            self.population.append(spider)
            self._roam(spider, page)

    def _reseed(self) -> None:
        """Start a new population on the best pages that are left."""
        self.reseeded += 1
        for _, number in nsmallest(self.agents, self.grounds):
            if page := self._crawl.page(self._crawl.url(-number)):
                self._settle(page, -number, 1)

    def _arrival(self, spider: Spider) -> int | None:
        """Move an agent to the page that it waited for; return that page, or None while it still waits."""
        arrived = self._arrived(spider["at"], spider["wish"]) if spider["wish"] else NOWHERE
        if arrived is not None:
            spider["wish"] = None
            _enter(spider, arrived)
        return arrived

    def _feed(self, spider: Spider, page: Page) -> None:
        """Let an agent pay for a new page and take its benefit; it may die of it, or divide."""
        spider["rest"] = 0
        spider["energy"] += self._benefit(spider, page) - self._cost(page)
        if spider["energy"] < 0:
            self.population.remove(spider)
        elif spider["energy"] > self.theta and len(self.population) < self.most:
            mates = [other for other in self.population if other["at"] == spider["at"] and other is not spider]
            self.born += 1
            chance = partial(self._crawl.chance, "child", self.born)
            # The child takes its new keyword from what users liked or from this page, with equal chances.
            terms = self.label_profile if self.label_profile and chance("where") < 0.5 else page.terms
            child = child_of(spider, mates[0] if mates else None, terms, chance)
            self.population.append(child)
            self._roam(child, page)

    def _measure(self, page: Page) -> None:
        """Note what the transfer of a page took, for the mean."""
        if load := self._load(page):
            self.loads += 1
            self.total_load += load

    def _load(self, page: Page) -> float:
        """What the transfer of a page took, as the record of its visit holds it; 0 if it was not measured."""
        match self.network:
            case "bytes":
                return float(page.bytes)
            case "seconds":
                return page.seconds
        return 0.0

    def _cost(self, page: Page) -> float:
        """The energy that a new page costs: more than `cost` if its transfer took more than the mean."""
        load = self._load(page)
        if not load:
            return self.cost
        return self.cost * min(MAX_COST_FACTOR, load * self.loads / self.total_load)

    def _benefit(self, spider: Spider, page: Page) -> float:
        if self.label_profile:
            return likeness(page.terms, self.label_profile)
        if self.benefit == "critic":
            # Dense relevance scores would feed agents on any page: below the threshold there is nothing to live on.
            relevance = self._crawl.relevance(page.url)
            return relevance if relevance >= self._crawl.interest.threshold else 0.0
        total = sum(page.terms.values()) or 1
        # Not strict: the last weight is the bias, and has no keyword.
        weighted = zip(spider["keys"], spider["weights"], strict=False)
        return math.tanh(sum(100 * page.terms.get(key, 0) / total * weight for key, weight in weighted))

    def _roam(self, spider: Spider, page: Page | None) -> None:
        """Move an agent from page to page until it waits for a visit."""
        for _ in range(MAX_MOVES_PER_TURN):
            page = page or self._crawl.page(self._crawl.url(spider["at"]))
            moved = page is not None and self._move(spider, page)
            if not moved and not self._jump(spider):
                return
            if spider["wish"]:
                return
            page = None

    def _jump(self, spider: Spider) -> bool:
        """Leave a dead end for the best page that has unvisited links; return whether there is one."""
        page, places = self._ground()
        if not places:
            return False
        spider["at"] = page
        # Tired, so that the next move goes to an unvisited URL.
        spider["rest"] = MAX_KNOWN_MOVES
        spider["seen"] = []
        return True

    def _move(self, spider: Spider, page: Page) -> bool:
        """Learn from the page and leave it by a link or the back button; return whether there was a way."""
        self.moves += 1
        links = [*one_for_each_target(page.links)]
        rows = inputs(links, spider["keys"], page.language)
        values = outputs(rows, spider["weights"])
        if spider["seen"]:
            target = self._benefit(spider, page) + self.mu * float(values.max(initial=-1.0))
            spider["weights"] = taught(spider["weights"], spider["seen"], target, self.rate)
        can_go_back = spider["rest"] < MAX_KNOWN_MOVES and bool(spider["trail"])
        if can_go_back and self._crawl.chance("back", self.moves) < self.back:
            spider["at"] = spider["trail"].pop()
            spider["seen"] = []
            spider["rest"] += 1
            return True
        return bool(links) and self._follow(spider, rows, probabilities(values, spider["beta"]).tolist())

    def _follow(self, spider: Spider, rows: Values, weights: list[float]) -> bool:
        """Follow one of the links by chance; return whether any can be followed."""
        out = self._crawl.graph.out(spider["at"])
        tired = spider["rest"] >= MAX_KNOWN_MOVES
        places = [place for place, url in enumerate(out) if not tired or url not in self.relevances]
        weights = [weights[place] for place in places]
        while places:
            pick = drawn(weights, self._crawl.chance("link", self.moves, len(places)))
            place = places[pick]
            url = out[place]
            if url in self.relevances or self._waits(url):
                spider["seen"] = rows[place].tolist()
                if url in self.relevances:
                    _enter(spider, url)
                    spider["rest"] += 1
                else:
                    spider["wish"] = self._wish(place, url)
                return True
            # Neither visited nor a candidate: the URL was refused, and the agent draws again among the others.
            del places[pick], weights[pick]
        return False


def _enter(spider: Spider, page: int) -> None:
    if page != NOWHERE:
        spider["trail"] = [*spider["trail"][1 - MAX_TRAIL :], spider["at"]]
        spider["at"] = page


def _waits_for(spider: Spider, url: int) -> bool:
    return spider["wish"] is not None and spider["wish"]["url"] == url
