"""Context graphs: estimate how many links a page is away from a relevant one, and follow the nearest pages first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from clew.errors import StrategyError
from clew.learning.layers import posterior, train
from clew.strategies._base import ALL, Stale, Strategy
from clew.strategies._shared.context_layers import behind, place
from clew.strategies._shared.parents import waiting
from clew.types import Candidate, Page

OTHER: Final = -1  # the layer of pages that belong to none
MAX_PARENTS: Final = 20  # the latest in-linking pages of a candidate that count, besides those in its evidence
MAX_SPARE_PAGES: Final = 50  # pages of no layer that are remembered for trials
WITHIN_QUEUE: Final = 0.999  # below 1, so that no certainty lifts a candidate into the next queue
MAX_CACHED_TEXTS: Final = 4000  # when there are more, texts are read again as needed


@dataclass
class ContextGraph(Strategy):
    """Visits first the links of pages that seem to be few links away from a relevant page.

    Layer 0 holds the relevant pages, layer j the pages from which j links lead to a relevant one; there are `layers`
    layers beyond layer 0. They are built from back-links, if the crawl has a source for them, and from the links of
    the crawl itself.

    Once two layers have `least` pages, a classifier learns to tell the layers apart; it learns again every `every`
    pages. It uses at most `most` pages of each layer, and `words` terms of each page. Until then the order is
    best-first. Each page's links then go to the queue of its layer, and the queues are served from layer 0 on. A
    relevant page always belongs to layer 0. A page whose layer is less certain than `sure` belongs to none: its links
    come last, except that every `other`-th visit goes to one of them.

    >>> from clew.testing.tiny_web import order
    >>> order("context_graph", "s .8 -> a b; a .1 -> c; b .9 -> d")
    ['s', 'a', 'b', 'd', 'c']

    Diligenti, Coetzee, Lawrence, Giles and Gori, Focused crawling using context graphs, VLDB 2000.
    """

    needs_graph = True
    transferable = ("model",)

    layers: int = 4
    most: int = 300
    words: int = 40
    sure: float = 0.5
    least: int = 50
    every: int = 500
    other: int = 50
    level: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # links to a relevant page
    queue: dict[int, tuple[int, float]] = field(default_factory=dict, init=False, repr=False)  # layer, certainty
    samples: list[dict[str, None]] = field(default_factory=list, init=False, repr=False)  # URLs by layer
    drawn: list[int] = field(default_factory=list, init=False, repr=False)  # pages seen, by layer
    recent: list[str] = field(default_factory=list, init=False, repr=False)  # pages to classify again
    model: dict[str, Any] = field(default_factory=dict, init=False, repr=False)  # the classifier, once there is one
    taught: int = field(default=0, init=False, repr=False)  # visits when the classifier last learnt
    spare: list[int] = field(default_factory=list, init=False, repr=False)  # the latest pages of no layer
    trying: str = field(default="", init=False, repr=False)  # the URL on trial
    _texts: dict[str, Mapping[str, int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if min(self.layers, self.most, self.words, self.least, self.every, self.other) < 1:
            raise StrategyError("context_graph: layers, most, words, least, every and other must be at least 1")
        self.samples = [{} for _ in range(self.layers + 1)]
        self.drawn = [0] * (self.layers + 1)

    @property
    def missing_input(self) -> str:
        """A source of back-links."""
        if self._crawl.search_source:
            return ""
        return "back-links from outside the crawl; earlier crawls can provide them (search_sources)"

    def learn(self, page: Page) -> Stale:
        """Assign the page to a layer, update the layers of pages that lead to it, and train the classifier if due."""
        number = self._crawl.number(page.url)
        if number is None or not page.ok:
            return self._try()
        self._remember(page)
        self._relabel(page, number)
        self._enqueue(page.url, number)
        if self._ready():
            self._teach()
            return ALL
        return self._try()

    def value(self, candidate: Candidate) -> float:
        """Return the best queue among the candidate's parents; within a queue, certainty decides."""
        if not candidate.links or candidate.url == self.trying:
            return self.layers + 2.0
        return max([self._rank(parent) for parent in self._parents(candidate)], default=0.0)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """Return the layer of the best parent (-1: none) and its posterior."""
        if not candidate.links:
            return {"score": self.layers + 2.0}
        best = max(self._parents(candidate), key=self._rank, default=-1)
        layer, chance = self.queue.get(best, (OTHER, 0.0))
        return {"score": self.value(candidate), "layer": layer, "posterior": chance}

    def _parents(self, candidate: Candidate) -> list[int]:
        numbers = [self._crawl.number(link.source) for link in candidate.links]
        parents = [number for number in numbers if number is not None]
        # The evidence is chosen by relevance, but here a parent counts by its layer.
        if candidate.n_links > len(candidate.links):
            parents += self._crawl.graph.into(candidate.found)[-MAX_PARENTS:]
        return parents

    def _rank(self, page: int) -> float:
        layer, chance = self.queue.get(page, (OTHER, 0.0))
        queue = 0 if layer == OTHER else self.layers + 1 - layer
        return WITHIN_QUEUE * chance + queue

    def _remember(self, page: Page) -> None:
        if len(self._texts) >= MAX_CACHED_TEXTS:
            self._texts.clear()
        self._texts[page.url] = page.terms
        self.recent = [*self.recent[1 - 2 * self.every :], page.url]

    def _relabel(self, page: Page, number: int) -> None:
        """Set the level of the page, and lower the levels of pages that lead to it."""
        graph = self._crawl.graph
        if self._is_relevant(page.url):
            level = 0
            if page.depth == 0:
                self._sample_backlinks(page.url)
        else:
            level = 1 + min((self.level.get(target, self.layers) for target in graph.out(number)), default=self.layers)
        # Breadth first against the direction of the links; the list grows while it is read.
        reached = [(number, level)]
        for reached_page, level in reached:
            if level <= self.layers and level < self.level.get(reached_page, self.layers + 1):
                self.level[reached_page] = level
                self._sample(self._crawl.url(reached_page), level)
                reached += [(parent, level + 1) for parent in graph.into(reached_page)]

    def _sample_backlinks(self, url: str) -> None:
        """Sample the pages that lead to this one through back-links from outside the crawl."""
        search_source = self._crawl.search_source
        if not search_source:
            return
        for layer, sources in enumerate(behind(search_source, url, self.layers, self.most), 1):
            for source in sources:
                self._sample(source, layer)

    def _sample(self, url: str, layer: int) -> None:
        place(url, layer, self.samples, self.drawn, self.most, lambda: self._crawl.chance("sample", layer, url))

    def _ready(self) -> bool:
        due = self._crawl.visited - self.taught >= self.every or not self.model
        return due and self._trainable_layers() > 1

    def _trainable_layers(self) -> int:
        """Return how many layers, from layer 0 on, have enough pages."""
        return next((i for i, sample in enumerate(self.samples) if len(sample) < self.least), len(self.samples))

    def _teach(self) -> None:
        self.taught = self._crawl.visited
        trainable = self.samples[: self._trainable_layers()]
        self.model = dict(train([self._texts_of(sample) for sample in trainable], self.words))
        # Only the recent pages are classified again, so that the cost does not grow with the crawl.
        for url in self.recent:
            number = self._crawl.number(url)
            if number is not None:
                self._enqueue(url, number)

    def _enqueue(self, url: str, number: int) -> None:
        """Choose the queue of a page's links."""
        layer, chance = self._classify(url)
        self.queue[number] = (layer, chance)
        if layer == OTHER:
            self.spare = [*self.spare[1 - MAX_SPARE_PAGES :], number]

    def _classify(self, url: str) -> tuple[int, float]:
        """Return the layer of a page, and how certain it is."""
        # Before there is a classifier all pages are in one queue, ordered by relevance: best-first.
        if not self.model:
            return OTHER, self._crawl.relevance(url)
        if self._is_relevant(url):
            return 0, self._crawl.relevance(url)
        chances = posterior(self.model, self._text(url), self.words)  # type: ignore[arg-type]
        best = int(chances.argmax())
        layer = best if chances[best] >= self.sure else OTHER
        return layer, float(chances[best])

    def _texts_of(self, urls: Iterable[str]) -> list[Mapping[str, int]]:
        return [self._text(url) for url in urls]

    def _text(self, url: str) -> Mapping[str, int]:
        if url not in self._texts:
            self._texts[url] = self._read_text(url)
        return self._texts[url]

    def _read_text(self, url: str) -> Mapping[str, int]:
        if page := self._crawl.page(url):
            return page.terms
        search_source = self._crawl.search_source
        return search_source.terms(url) if search_source else {}

    def _is_relevant(self, url: str) -> bool:
        relevance = self._crawl.relevance(url)
        return relevance > 0 and relevance >= self._crawl.interest.threshold

    def _try(self) -> list[str]:
        """Put a link of a page of no layer on trial, if one is due, so that the classifier keeps learning."""
        if not self.model or self._crawl.visited % self.other:
            return []
        surest = sorted(self.spare, key=lambda page: -self.queue[page][1])
        self.trying = waiting(self._crawl, surest)
        return [self.trying] if self.trying else []
