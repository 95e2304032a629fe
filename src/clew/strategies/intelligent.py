"""Intelligent crawling: learn on the way which words, URLs, links and siblings go with what is wanted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from clew.learning.ratios import Floats, balanced, sibling
from clew.strategies._base import ALL, Crawl, Stale
from clew.strategies._shared.kinship import PARENTS, Kinship
from clew.strategies._shared.knowledge import Knowledge, tokens
from clew.strategies._shared.lexicon import Ids
from clew.types import Candidate, Page

FACTORS: Final = ("content", "url", "link", "sibling")
SPEAKERS: Final = 50  # words that count for a candidate at most: hundreds would drown all else
GROWTH: Final = 1.05  # of the crawl, after which it is worked out anew which words are telling
BALANCE: Final = 100  # pages between two balances of the weights
SAMPLE: Final = 1000  # candidates in a balance


@dataclass
class Intelligent(Knowledge):
    """Four interest ratios P(C|E)/P(C) for a candidate: words of in-linking pages, URL tokens, links, siblings.

    Their logarithms are added with weights that make them equally large on average; `factors` runs one alone.
    `significance="paper"` is the paper's own formula, which takes a word seen once for certain;
    `content="inlinks"` learns from the words before a link instead of those behind it; `locality="exact"` compares
    links with links, not with pages. The order is random until the first relevant page. Set `min_score = 0` to
    stop when no candidate is promising any more.

    >>> from clew.testing.tiny_web import order
    >>> web = "s .9 -> a/x b/x; a/x .9 -> a/y b/y; b/x -> b/z"
    >>> order("intelligent(factors='url', significance='paper')", web)[3]
    'a/y'

    Aggarwal, Al-Garawi and Yu, Intelligent crawling on the World Wide Web with arbitrary predicates, WWW 2001.
    """

    rescore_top = 64
    rescore_all_every = 200
    needs_graph = True

    factors: Literal["composite", "content", "url", "link", "sibling"] = "composite"
    significance: Literal["binomial", "paper"] = "binomial"
    content: Literal["pages", "inlinks"] = "pages"
    locality: Literal["paper", "exact"] = "paper"
    weights: tuple[float, ...] = field(default=(1.0, 1.0, 1.0, 1.0), init=False, repr=False)
    due: tuple[float, float] = field(default=(0.0, 0.0), init=False, repr=False)  # next conclusion, next balance
    _tops: dict[int, Ids] = field(default_factory=dict, init=False, repr=False)  # telling words of pages, as ranks
    _said: dict[tuple[int, ...], float] = field(default_factory=dict, init=False, repr=False)  # ln I of their words
    _ranks: Ids | None = field(default=None, init=False, repr=False)  # of words, the most telling first

    def start(self, crawl: Crawl) -> None:
        """Bind to a crawl; knowledge of an earlier one speaks from the first page on."""
        super().start(crawl)
        self._kin = Kinship(crawl, self.pages)
        if self.hits and not self.due[0]:
            self._conclude(self.significance)

    def load(self, data: bytes) -> None:
        """Take over a state; what was worked out from another one is forgotten."""
        super().load(data)
        self._kin = Kinship(self._crawl, self.pages)
        self._ranks = None

    def learn(self, page: Page) -> Stale:
        """Count the page; its siblings are worth a second look, and all candidates after the first hit."""
        number = self._crawl.number(page.url)
        if not page.ok or number is None:
            return ()
        first = not self.hits
        self._take_in(page, number, page.relevant, self.content == "inlinks")
        if not self.hits:
            return ()
        self._keep_up()
        return ALL if first else self._kin.beside(number)

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Count the page on the side that the user says."""
        number = self._crawl.number(page.url)
        if number is None or self.pages.get(number, relevant) == relevant:
            return ()
        self._take_back(page, number, relevant, self.content == "inlinks")
        self.due = (0.0, self.due[1])
        if self.hits:
            self._keep_up()
        return ALL

    def score(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """The weighted sum of the logarithms; before the first hit there are none."""
        if not self.hits:
            return [self._crawl.chance("intelligent", candidate.url) for candidate in candidates]
        found: list[float] = (self._logs(candidates) * self._chosen()).sum(axis=1).tolist()
        return found

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The four log interest ratios with their weights."""
        [score] = self.score([candidate])
        if not self.hits:
            return {"chance": score}
        parts = {"priority": score}
        for name, log, weight in zip(FACTORS, self._logs([candidate])[0], self._chosen(), strict=True):
            parts |= {f"ln I {name}": float(log), f"weight {name}": float(weight)}
        return parts

    def _keep_up(self) -> None:
        conclusion, balance = self.due
        if self.visited >= conclusion:
            self._conclude(self.significance)
            self._ranks = None
            conclusion = max(self.visited + 1.0, self.visited * GROWTH)
        if self.visited >= balance:
            self.due = (conclusion, balance)
            self._balance()
            balance = self.visited + BALANCE
        self.due = (conclusion, balance)

    def _balance(self) -> None:
        """Weights that make the factors equally large over a sample of the candidates."""
        numbers = np.flatnonzero(np.isnan(self._crawl.relevances()))
        numbers = numbers[:: max(1, len(numbers) // SAMPLE)][:SAMPLE]
        known = [self._crawl.candidate(self._crawl.url(number)) for number in numbers.tolist()]
        if sample := [candidate for candidate in known if candidate]:
            means = np.abs(self._logs(sample)).mean(axis=0)
            self.weights = tuple(balanced(means).tolist())

    def _chosen(self) -> Floats:
        if self.factors == "composite":
            return np.array(self.weights)
        return np.array([float(name == self.factors) for name in FACTORS])

    def _logs(self, candidates: Sequence[Candidate]) -> Floats:
        """A row for each candidate, a column for each factor."""
        say, families = self.naming.get, dict[tuple[int, ...], tuple[float, float, float]]()
        ratios = self._locality().ratios(self.rate, self.locality == "exact")
        from_hit, from_miss = map(math.log, ratios)
        rows = []
        self._kin.keep_up()
        for candidate in candidates:
            parents = self._kin.parents_of(candidate)
            if parents not in families:
                hits = sum(map(self.pages.__getitem__, parents))
                linked = hits * from_hit + (len(parents) - hits) * from_miss
                families[parents] = self._spoken(parents), linked, self._of_siblings(parents)
            content, linked, siblings = families[parents]
            rows.append((content, sum([say(token, 0.0) for token in tokens(candidate.url)]), linked, siblings))
        return np.array(rows).reshape(-1, len(FACTORS))

    def _of_siblings(self, parents: tuple[int, ...]) -> float:
        return math.log(sibling(*self._kin.siblings(parents), self.rate))

    def _spoken(self, parents: tuple[int, ...]) -> float:
        """What the most telling words on any of the in-linking pages say."""
        latest, ranking = parents[-PARENTS:], self._ranking()
        if latest not in self._said:
            # The best of all of them are among the best of each; those of several are there several times.
            ranks = np.sort(np.concatenate([ranking[:0], *(self._top(parent, ranking) for parent in latest)]))
            ranks = ranks[np.diff(ranks, prepend=-1) > 0][:SPEAKERS]
            self._said[latest] = float(self.speaking[1][ranks].sum())
        return self._said[latest]

    def _top(self, number: int, ranking: Ids) -> Ids:
        if number not in self._tops:
            ranks = ranking[self.texts[self._kin.rows[number]]]
            self._tops[number] = np.sort(ranks[ranks >= 0])[:SPEAKERS]
        return self._tops[number]

    def _ranking(self) -> Ids:
        """Words by how telling they are; what was worked out under another ranking is forgotten."""
        size = len(self.words["seen"]) + 1  # the last place is what an empty place of a text, -1, points to
        if self._ranks is None or len(self._ranks) != size:
            words, self._tops, self._said = self.speaking[0], {}, {}
            self._ranks = np.full(size, -1, np.int32)
            self._ranks[words] = np.arange(len(words), dtype=np.int32)
        return self._ranks
