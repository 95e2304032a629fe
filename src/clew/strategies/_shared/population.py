"""Populations of pages that breed: crossover by common links, mutation from outside the graph."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from clew.strategies._base import HOLD, Stale, Strategy
from clew.strategies._shared.fitness import Gene, fitness
from clew.strategies._shared.walker import drawn
from clew.types import Candidate, Page

MAX_START_PAGES: Final = 20
"""Start pages that serve as the model; more of them add little."""
SEARCH_TERMS: Final = 5
"""Terms of the start pages in a search for new pages."""
PAGES_PER_MUTATION: Final = 5
"""New pages that a mutation brings."""


@dataclass
class Population(Strategy):
    """The base of genetic search and annealing, which differ in the pages that stay in the pool.

    The members of a generation come first. All other candidates follow one tier below in the order of best-first with
    the same fitness, so that the crawl goes on if a member vanishes without a visit.
    """

    needs_graph = True

    crossover: float = 0.5
    mutation: float = 0.1
    size: int = 50
    picks: int = 20
    ends: bool = False
    starts: list[str] = field(default_factory=list, init=False, repr=False)
    fit: dict[int, float] = field(default_factory=dict, init=False, repr=False)  # of each visited page
    pool: dict[int, float] = field(default_factory=dict, init=False, repr=False)
    fresh: dict[int, float] = field(default_factory=dict, init=False, repr=False)  # pages visited in this generation
    batch: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # its members not visited yet
    left: int = field(default=-1, init=False, repr=False)  # visits until the next generation; -1 before the first
    last: int = field(default=-1, init=False, repr=False)  # order of the latest visit
    generation: int = field(default=0, init=False, repr=False)
    over: bool = field(default=False, init=False, repr=False)
    _models: list[Gene] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def missing_input(self) -> str:
        """Mutation asks a search provider; without one it takes random links."""
        if self._crawl.search_source:
            return ""
        return "a search provider for mutations; random links take their place"

    def survivors(self) -> dict[int, float]:
        """The pool for the next generation."""
        raise TypeError(f"{type(self).__name__} must define survivors()")

    def finished(self) -> bool:
        """Whether the search has reached the end that its authors define."""
        return False

    def learn(self, page: Page) -> Stale:
        """Work out the fitness of a page; after the last member of a generation breed the next one."""
        number = self._crawl.number(page.url)
        if number is not None and page.ok:
            self._add_fitness(page, number)
        self.last = page.order
        self.batch.pop(page.url, None)
        if self.left < 0:
            # The first generation is the start pages.
            self.left = len(self._crawl.seeds)
        self.left -= 1
        return () if self.left > 0 else self._next_generation()

    def _add_fitness(self, page: Page, number: int) -> None:
        if page.depth == 0 and len(self.starts) < MAX_START_PAGES:
            self.starts.append(page.url)
        # A gap in the order is a redirect, after which links may lead elsewhere: the models are read again.
        if page.url in self.starts or page.order != self.last + 1:
            self._models = []
        found = fitness(self._gene(page, number), self._start_set())
        self.fit[number] = found
        self.fresh[number] = found

    def value(self, candidate: Candidate) -> float:
        """2 or more for a member of the generation, 1 for a start page, else the fitness of the best parent."""
        if candidate.url in self.batch:
            return 2 + self.batch[candidate.url]
        if not candidate.links:
            return 1.0
        if self.over and self.ends:
            return HOLD
        return self._best_parent(candidate)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Whether it belongs to the generation, and the fitness of its best parent."""
        member = float(candidate.url in self.batch)
        return {"member": member, "generation": self.generation, "fitness of the parent": self._best_parent(candidate)}

    def _best_parent(self, candidate: Candidate) -> float:
        """The fitness of the fittest page that links here."""
        numbers = [self._crawl.number(link.source) for link in candidate.links]
        return max((self.fit.get(number, 0.0) for number in numbers if number is not None), default=0.0)

    def _next_generation(self) -> list[str]:
        """Start the next generation; returns the URLs whose score changes."""
        stale = list(self.batch)
        self.pool = self.survivors()
        self.fresh = {}
        self.generation += 1
        self.over = self.over or self.finished()
        self.batch = {} if self.over and self.ends else self._offspring()
        # Without offspring the crawl is best-first for a while.
        self.left = len(self.batch) or self.picks
        return [*stale, *self.batch]

    def _offspring(self) -> dict[str, float]:
        """New pages by crossover and mutation, the fittest first, at most as many as the pool holds."""
        parents = self._parents()
        found = self._crossed(parents)
        if self._crawl.chance("mutation", self.generation) < self.mutation:
            found |= self._mutated()
        best = sorted(found.items(), key=lambda item: (-item[1], item[0]))[: self.size]
        return dict(best)

    def _parents(self) -> list[int]:
        """Pages of the pool drawn in proportion to their fitness (roulette), each once."""
        if not self.pool:
            return []
        pages = list(self.pool)
        # Even a page of no fitness has a chance, and the weights never sum to zero.
        weights = [max(weight, 1e-9) for weight in self.pool.values()]
        found: dict[int, None] = {}
        for pick in range(self.picks):
            chance = self._crawl.chance("parent", self.generation, pick)
            found[pages[drawn(weights, chance)]] = None
        return list(found)

    def _crossed(self, parents: Sequence[int]) -> dict[str, float]:
        """Candidates that two parents link to, and pages that link to several; rated by the fitness of the parents."""
        links = {parent: {*self._crawl.graph.out(parent)} for parent in parents}
        found: dict[int, float] = {}
        for one, other in combinations(parents, 2):
            if self._crawl.chance("crossover", self.generation, one, other) < self.crossover:
                mean = (self.pool[one] + self.pool[other]) / 2
                for target in links[one] & links[other]:
                    found[target] = max(mean, found.get(target, 0.0))
        children: dict[str, float] = {}
        # Sorted by number, because the order of a set is arbitrary.
        for target, rating in sorted(found.items()):
            if target not in self.fit:
                url = self._crawl.url(target)
                if self._crawl.candidate(url):
                    children[url] = rating
        return children | self._linking(parents)

    def _linking(self, parents: Sequence[int]) -> dict[str, float]:
        """Unvisited pages that link to several parents, found by back-links."""
        search_source = self._crawl.search_source
        if not search_source:
            return {}
        times = Counter[str]()
        for parent in parents:
            times.update(search_source.backlinks(self._crawl.url(parent)))
        best = max((self.pool[parent] for parent in parents), default=0.0)
        return {url: best for url, count in times.items() if count > 1 and not self._crawl.page(url)}

    def _mutated(self) -> dict[str, float]:
        """Pages from elsewhere: results of a search for the terms of the start pages, or random links."""
        search_source = self._crawl.search_source
        if search_source:
            # More than needed, because some results have been visited already.
            results = search_source.search(" ".join(self._topic()), 4 * PAGES_PER_MUTATION)
            unvisited = [url for url in results if self._crawl.number(url) is None or self._crawl.candidate(url)]
            return dict.fromkeys(unvisited[:PAGES_PER_MUTATION], 0.0)
        links = (self._random_link(number) for number in range(PAGES_PER_MUTATION))
        return dict.fromkeys(filter(None, links), 0.0)

    def _topic(self) -> list[str]:
        """The terms with the most weight on the start pages."""
        weights = Counter[str]()
        for model in self._start_set():
            weights.update(model.terms)
        return sorted(weights, key=lambda term: (-weights[term], term))[:SEARCH_TERMS]

    def _random_link(self, number: int) -> str | None:
        """A random link of a random page, and so of a random host; None if it is no candidate."""
        pages = list(self.fit)
        if not pages:
            return None
        page = pages[int(self._crawl.chance("page", self.generation, number) * len(pages))]
        links = [target for target in self._crawl.graph.out(page) if target not in self.fit]
        if not links:
            return None
        target = links[int(self._crawl.chance("link", self.generation, number) * len(links))]
        url = self._crawl.url(target)
        return url if self._crawl.candidate(url) else None

    def _start_set(self) -> list[Gene]:
        """The genes of the start pages, with which all others are compared."""
        if not self._models:
            pages = [self._crawl.page(url) for url in self.starts]
            self._models = [self._gene(page, self._crawl.number(page.url) or 0) for page in pages if page]
        return self._models

    def _gene(self, page: Page, number: int) -> Gene:
        terms = {term: 1 + math.log(count) for term, count in page.terms.items()}
        return Gene(frozenset(self._crawl.graph.out(number)), terms)
