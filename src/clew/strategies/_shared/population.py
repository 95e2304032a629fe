"""Populations of pages that breed: crossover by common links, mutation from outside the graph."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from clew.strategies._base import HOLD, Stale, Strategy
from clew.strategies._shared.fitness import Gene, fitness
from clew.strategies._shared.walker import drawn
from clew.types import Candidate, Page

STARTS: Final = 20
"""Start pages that count as the model; more of them say little new."""
WORDS: Final = 5
"""Terms of the pool in a search for new pages."""
FOUND: Final = 5
"""New pages that a mutation brings."""


@dataclass
class Population(Strategy):
    """What genetic search and annealing have in common; they differ in which new pages stay in the pool.

    The members of a generation come first, then, one tier below, what best-first with the same fitness would take:
    should a member vanish without a visit, the crawl goes on.
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
    fresh: dict[int, float] = field(default_factory=dict, init=False, repr=False)  # visited in this generation
    batch: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # its members still to come
    left: int = field(default=-1, init=False, repr=False)  # visits until the next generation; -1 before the first
    last: int = field(default=-1, init=False, repr=False)  # ordinal of the latest visit
    generation: int = field(default=0, init=False, repr=False)
    over: bool = field(default=False, init=False, repr=False)
    _models: list[Gene] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def missing_input(self) -> str:
        """Mutation asks a search provider; without one it takes links at random."""
        return "" if self._crawl.link_source else "a search provider for mutations; links at random take their place"

    def survivors(self) -> dict[int, float]:
        """The pool for the next generation."""
        raise TypeError(f"{type(self).__name__} must define survivors()")

    def finished(self) -> bool:
        """Whether the search has come to the end that its authors set."""
        return False

    def learn(self, page: Page) -> Stale:
        """Work out the fitness; after the last member of a generation comes the next one."""
        number = self._crawl.number(page.url)
        if number is not None and page.ok:
            if page.depth == 0 and len(self.starts) < STARTS:
                self.starts.append(page.url)
            if page.url in self.starts or page.order != self.last + 1:  # a redirect came between: links lead elsewhere
                self._models = []
            self.fit[number] = self.fresh[number] = fitness(self._gene(page, number), self._start_set())
        self.last = page.order
        self.batch.pop(page.url, None)
        self.left = (len(self._crawl.seeds) if self.left < 0 else self.left) - 1
        return () if self.left > 0 else self._next_generation()

    def value(self, candidate: Candidate) -> float:
        """2 and more for a member of the generation; below 1 the fitness of the best page that links here."""
        if candidate.url in self.batch:
            return 2 + self.batch[candidate.url]
        if not candidate.links:
            return 1.0
        return HOLD if self.over and self.ends else self._best_parent(candidate)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Whether it belongs to the generation, and what its best parent is worth."""
        member = float(candidate.url in self.batch)
        return {"member": member, "generation": self.generation, "fitness of the parent": self._best_parent(candidate)}

    def _best_parent(self, candidate: Candidate) -> float:
        numbers = [self._crawl.number(link.source) for link in candidate.links]
        return max((self.fit.get(number, 0.0) for number in numbers if number is not None), default=0.0)

    def _next_generation(self) -> list[str]:
        stale = list(self.batch)
        self.pool, self.fresh = self.survivors(), {}
        self.generation += 1
        self.over = self.over or self.finished()
        self.batch = {} if self.over and self.ends else self._offspring()
        self.left = len(self.batch) or self.picks  # without offspring, best-first for a while
        return [*stale, *self.batch]

    def _offspring(self) -> dict[str, float]:
        """New pages by crossover and mutation, the strongest first, as many as the pool holds."""
        parents = self._parents()
        found = self._crossed(parents)
        if self._crawl.chance("mutation", self.generation) < self.mutation:
            found |= self._mutated()
        best = sorted(found.items(), key=lambda item: (-item[1], item[0]))[: self.size]
        return dict(best)

    def _parents(self) -> list[int]:
        """Roulette by fitness."""
        pages, weights = list(self.pool), [max(weight, 1e-9) for weight in self.pool.values()]
        chance, count = self._crawl.chance, self.picks if pages else 0
        return [*dict.fromkeys(pages[drawn(weights, chance("parent", self.generation, n))] for n in range(count))]

    def _crossed(self, parents: Sequence[int]) -> dict[str, float]:
        """Unvisited pages that both parents link to, or that link to both; worth what their best parents are."""
        links = {parent: {*self._crawl.graph.out(parent)} for parent in parents}
        found: dict[int, float] = {}
        for one, other in combinations(parents, 2):
            if self._crawl.chance("crossover", self.generation, one, other) < self.crossover:
                relevance = (self.pool[one] + self.pool[other]) / 2
                for target in links[one] & links[other]:
                    found[target] = max(relevance, found.get(target, 0.0))
        named = {
            self._crawl.url(target): relevance for target, relevance in sorted(found.items()) if target not in self.fit
        }
        return {url: relevance for url, relevance in named.items() if self._crawl.candidate(url)} | self._linking(
            parents
        )

    def _linking(self, parents: Sequence[int]) -> dict[str, float]:
        link_source = self._crawl.link_source
        if not link_source:
            return {}
        times = Counter(url for parent in parents for url in link_source.linking_to(self._crawl.url(parent)))
        relevance = max((self.pool[parent] for parent in parents), default=0.0)
        return {url: relevance for url, count in times.items() if count > 1 and not self._crawl.page(url)}

    def _mutated(self) -> dict[str, float]:
        """Pages from elsewhere: what a search for the start set's terms finds, or links at random."""
        link_source = self._crawl.link_source
        if link_source:
            urls: Iterable[str] = link_source.about(" ".join(self._topic()), 4 * FOUND)
            urls = [url for url in urls if self._crawl.number(url) is None or self._crawl.candidate(url)][:FOUND]
        else:
            urls = filter(None, (self._random_link(number) for number in range(FOUND)))
        return dict.fromkeys(urls, 0.0)

    def _topic(self) -> list[str]:
        weights = Counter[str]()
        for model in self._start_set():
            weights.update(model.terms)
        return sorted(weights, key=lambda term: (-weights[term], term))[:WORDS]

    def _random_link(self, number: int) -> str | None:
        """From a page at random, which is also a host at random."""
        pages = list(self.fit)
        chance = self._crawl.chance("page", self.generation, number)
        page = pages[int(chance * len(pages))] if pages else -1
        links = [url for url in self._crawl.graph.out(page) if url not in self.fit]
        if not links:
            return None
        url = self._crawl.url(links[int(self._crawl.chance("link", self.generation, number) * len(links))])
        return url if self._crawl.candidate(url) else None

    def _start_set(self) -> list[Gene]:
        if not self._models:
            pages = [self._crawl.page(url) for url in self.starts]
            self._models = [self._gene(page, self._crawl.number(page.url) or 0) for page in pages if page]
        return self._models

    def _gene(self, page: Page, number: int) -> Gene:
        terms = {term: 1 + math.log(count) for term, count in page.terms.items()}
        return Gene(frozenset(self._crawl.graph.out(number)), terms)
