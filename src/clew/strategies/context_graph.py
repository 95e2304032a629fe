"""Context graphs: pages are classed by how many links they seem to be away from relevant ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from clew.errors import StrategyError
from clew.learning.layers import posterior, train
from clew.strategies._base import ALL, Stale, Strategy
from clew.strategies._shared.context_layers import behind, place
from clew.strategies._shared.parents import waiting
from clew.types import Candidate, Page

OTHER: Final = -1
PARENTS: Final = 20  # of a candidate, the latest, beside those that are its evidence
SPARE: Final = 50  # pages of no layer whose links are there for a try
BELOW: Final = 0.999  # keeps a queue under the next one
TEXTS: Final = 4000  # kept at hand; the others are read again when they are needed


@dataclass
class ContextGraph(Strategy):
    """The links of pages that look as if they were near to relevant ones go first.

    Layer 0 are relevant pages, layer j those from which j links lead there; there are `layers` beyond the first. At
    the start they are found through back-links, where the crawl was given a source for them; then, in any case, on
    the links of the crawl itself. Once two layers have `least` pages a classifier learns to tell them (again after
    `every` pages), from `most` pages of each and `words` terms of a page; up to then the order is best-first. A page
    whose layer is less than `sure` belongs to none: its links come last, but for every `other`-th visit. A page that
    is relevant is of layer 0, whatever the classifier says.

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
    level: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # page -> links to a relevant one
    queue: dict[int, tuple[int, float]] = field(default_factory=dict, init=False, repr=False)  # of a page's links
    samples: list[dict[str, None]] = field(default_factory=list, init=False, repr=False)  # pages of each layer
    drawn: list[int] = field(default_factory=list, init=False, repr=False)  # pages that were there to be sampled
    recent: list[str] = field(default_factory=list, init=False, repr=False)  # pages to be classed again
    model: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    taught: int = field(default=0, init=False, repr=False)  # visits when it last learnt
    spare: list[int] = field(default_factory=list, init=False, repr=False)  # the latest pages of no layer
    trying: str = field(default="", init=False, repr=False)
    _texts: dict[str, Mapping[str, int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if min(self.layers, self.most, self.words, self.least, self.every, self.other) < 1:
            raise StrategyError("context_graph: layers, most, words, least, every and other must be at least 1")
        self.samples = [{} for _ in range(self.layers + 1)]
        self.drawn = [0] * (self.layers + 1)

    @property
    def missing_input(self) -> str:
        """A source of back-links."""
        return (
            ""
            if self._crawl.link_source
            else "back-links from outside; its layers come from the crawl's own links alone"
        )

    def learn(self, page: Page) -> Stale:
        """Class the page, see which others it brings near to relevant ones, and learn to tell them at times."""
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
        """The best queue of its parents, then the certainty of theirs."""
        if not candidate.links or candidate.url == self.trying:
            return self.layers + 2.0
        return max([self._rank(parent) for parent in self._parents(candidate)], default=0.0)

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The layer of the best parent (-1: none) and its posterior."""
        if not candidate.links:
            return {"score": self.layers + 2.0}
        best = max(self._parents(candidate), key=self._rank, default=-1)
        layer, chance = self.queue.get(best, (OTHER, 0.0))
        return {"score": self.value(candidate), "layer": layer, "posterior": chance}

    def _parents(self, candidate: Candidate) -> list[int]:
        numbers = [n for link in candidate.links if (n := self._crawl.number(link.source)) is not None]
        if candidate.n_links > len(candidate.links):
            numbers += self._crawl.graph.into(candidate.found)[-PARENTS:]
        return numbers

    def _rank(self, page: int) -> float:
        layer, chance = self.queue.get(page, (OTHER, 0.0))
        return BELOW * chance + (0 if layer == OTHER else self.layers + 1 - layer)

    def _remember(self, page: Page) -> None:
        if len(self._texts) >= TEXTS:
            self._texts.clear()
        self._texts[page.url] = page.terms
        self.recent = [*self.recent[1 - 2 * self.every :], page.url]

    def _relabel(self, page: Page, number: int) -> None:
        """Levels from the page backwards along known links, as far as they become lower."""
        crawl = self._crawl
        if self._is_relevant(page.url):
            level = 0
            if crawl.link_source and page.depth == 0:
                for layer, urls in enumerate(behind(crawl.link_source, page.url, self.layers, self.most), 1):
                    for url in urls:
                        self._sample(url, layer)
        else:
            level = 1 + min((self.level.get(n, self.layers) for n in crawl.graph.out(number)), default=self.layers)
        found = [(number, level)]
        for at, level in found:
            if level <= self.layers and level < self.level.get(at, self.layers + 1):
                self.level[at] = level
                self._sample(crawl.url(at), level)
                found += [(parent, level + 1) for parent in crawl.graph.into(at)]

    def _sample(self, url: str, layer: int) -> None:
        place(url, layer, self.samples, self.drawn, self.most, lambda: self._crawl.chance("sample", layer, url))

    def _ready(self) -> bool:
        due = self._crawl.visited - self.taught >= self.every or not self.model
        return due and self._known() > 1

    def _known(self) -> int:
        """Layers from the first on that have pages enough."""
        return next((i for i, sample in enumerate(self.samples) if len(sample) < self.least), len(self.samples))

    def _teach(self) -> None:
        self.taught = self._crawl.visited
        groups = [[self._text(url) for url in sample] for sample in self.samples[: self._known()]]
        self.model = dict(train(groups, self.words))
        for url in self.recent:
            number = self._crawl.number(url)
            if number is not None:
                self._enqueue(url, number)

    def _enqueue(self, url: str, number: int) -> None:
        """Choose the queue of a page's links."""
        relevance = self._crawl.relevance(url)
        layer, chance = OTHER, relevance
        if self._is_relevant(url):
            layer, chance = (0 if self.model else OTHER), relevance
        elif self.model:
            chances = posterior(self.model, self._text(url), self.words)  # type: ignore[arg-type]
            best = int(chances.argmax())
            layer, chance = (best if chances[best] >= self.sure else OTHER), float(chances[best])
        self.queue[number] = layer, chance
        if layer == OTHER:
            self.spare = [*self.spare[1 - SPARE :], number]

    def _text(self, url: str) -> Mapping[str, int]:
        if url not in self._texts:
            page, link_source = self._crawl.page(url), self._crawl.link_source
            self._texts[url] = page.terms if page else link_source.terms(url) if link_source else {}
        return self._texts[url]

    def _is_relevant(self, url: str) -> bool:
        relevance = self._crawl.relevance(url)
        return relevance > 0 and relevance >= self._crawl.interest.threshold

    def _try(self) -> list[str]:
        """Now and then a link from a page of no layer, so that the classifier keeps learning."""
        if not self.model or self._crawl.visited % self.other:
            return []
        surest = sorted(self.spare, key=lambda page: -self.queue[page][1])
        self.trying = waiting(self._crawl, surest)
        return [self.trying] if self.trying else []
