"""What an intelligent crawler has learnt so far: the self-learning information K of the paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from clew.learning.ratios import Floats, Locality
from clew.strategies._base import Strategy
from clew.strategies._optional import take_over
from clew.strategies._shared.kinship import Kinship
from clew.strategies._shared.lexicon import Ids, Lexicon, Mode, correct, count, faded, forget, lexicon, places, telling
from clew.types import Page

WORDS_PER_PAGE: Final = 100  # kept of each page as features of its links
MAX_VOCABULARY: Final = 50_000  # events
_split = re.compile(r"[./]").split


def _no_texts() -> Ids:
    return np.zeros((0, WORDS_PER_PAGE), np.int32)


@dataclass
class Knowledge(Strategy):
    """Counts of pages, words, URL tokens and links; which of them are significant is worked out from time to time."""

    transferable = ("visited", "hits", "links", "words", "tokens")

    visited: float = field(default=0.0, init=False, repr=False)  # N_t
    hits: float = field(default=0.0, init=False, repr=False)  # N_c
    links: tuple[float, ...] = field(default=(0.0, 0.0, 0.0, 0.0), init=False, repr=False)  # as in Locality
    words: Lexicon = field(default_factory=lexicon, init=False, repr=False)
    tokens: Lexicon = field(default_factory=lexicon, init=False, repr=False)
    pages: dict[int, bool] = field(default_factory=dict, init=False, repr=False)  # by number: hit or not
    texts: Ids = field(default_factory=_no_texts, init=False, repr=False)  # words of each page, a row each, -1 for none
    speaking: tuple[Ids, Floats] = field(default=(np.zeros(0, np.int32), np.zeros(0)), init=False, repr=False)
    naming: dict[str, float] = field(default_factory=dict, init=False, repr=False)  # significant tokens with ln I
    _kin: Kinship = field(init=False, repr=False, compare=False)

    @property
    def rate(self) -> float:
        """P(C); always below 1, or nothing could be significant."""
        return min(self.hits / self.visited, self.visited / (self.visited + 1.0))

    def inherit(self, state: Mapping[str, Any]) -> None:
        """Take over the counts of an earlier crawl as they are."""
        take_over(self, state)

    def _fade(self, share: float) -> None:
        """Let everything that was counted so far count less."""
        self.visited *= share
        self.hits *= share
        self.links = tuple(number * share for number in self.links)
        self.words = faded(self.words, share)
        self.tokens = faded(self.tokens, share)

    def _take_in(self, page: Page, number: int, hit: bool, inlinks: bool) -> None:
        """Count a visited page."""
        self.visited += 1.0
        self.hits += hit
        own = places(self.words, page.terms)
        count(self.words, self._around(self._kin.parents(number)) if inlinks else own, hit)
        count(self.tokens, places(self.tokens, tokens(page.url)), hit)
        self._count_links(number, hit, 1.0)
        self._keep(number, hit, own, page.terms.values())
        self._kin.born(page, number)

    def _take_back(self, page: Page, number: int, hit: bool, inlinks: bool) -> None:
        """Correct the counts of a page that is a hit after all, or that is none."""
        # The page was counted under the words of those parents that had been visited by then.
        row = self._kin.rows[number]
        earlier = tuple(n for n in self._kin.parents(number) if self._kin.rows[n] < row)
        around = self._around(earlier) if inlinks else places(self.words, page.terms)
        self.hits += 1.0 if hit else -1.0
        correct(self.words, around, hit)
        correct(self.tokens, places(self.tokens, tokens(page.url)), hit)
        self._count_links(number, not hit, -1.0)
        self._count_links(number, hit, 1.0)
        self.pages[number] = hit
        self._kin = Kinship(self._crawl, self.pages)

    def _conclude(self, mode: Mode, deviations: float) -> None:
        """Work out which words and tokens are significant now."""
        for known in (self.words, self.tokens):
            # Some slack, so that the vocabulary is not cut each time.
            if len(known["ids"]) > MAX_VOCABULARY * 1.2:
                moved = forget(known, MAX_VOCABULARY)
                if known is self.words:
                    self.texts = np.where(self.texts >= 0, moved[self.texts], np.int32(-1))
        self.speaking = telling(self.words, self.rate, self.hits, mode, deviations)
        found, logs = telling(self.tokens, self.rate, self.hits, mode, deviations)
        names = list(self.tokens["ids"])
        self.naming = {names[place]: log for place, log in zip(found.tolist(), logs.tolist(), strict=True)}

    def _count_links(self, number: int, hit: bool, weight: float) -> None:
        """Count the links that now have both ends visited; links of a page to itself say nothing."""
        links = list(self.links)
        for target in self._crawl.graph.out(number):
            if target in self.pages and target != number:
                links[(0 if hit else 2) + (not self.pages[target])] += weight
        for source in self._kin.parents(number):
            links[(0 if self.pages[source] else 2) + (not hit)] += weight
        # A redirect that was met later has moved links to pages that were counted already: a label may take back more.
        self.links = tuple(max(0.0, number) for number in links)

    def _keep(self, number: int, hit: bool, own: Ids, counts: Iterable[int]) -> None:
        """Store the words that set the page apart most, by tf-idf, as features of its links."""
        row = len(self.pages)
        if row >= len(self.texts):
            more = np.full((row // 4 + 64, WORDS_PER_PAGE), -1, np.int32)
            self.texts = np.concatenate([self.texts, more])
        rarity = np.log1p(self.visited / np.maximum(self.words["seen"][own], 1.0))
        best = np.argsort(-np.fromiter(counts, float, len(own)) * rarity, kind="stable")[:WORDS_PER_PAGE]
        self.texts[row, : len(best)] = own[best]
        self.pages[number] = hit

    def _around(self, numbers: Iterable[int]) -> Ids:
        """The words that occur on any of these pages."""
        found = np.unique(self.texts[[self._kin.rows[number] for number in numbers]])
        return found[found >= 0]

    def _locality(self) -> Locality:
        return Locality(*self.links)


def tokens(url: str) -> list[str]:
    """The parts of a URL between dots and slashes, each once.

    >>> tokens("http://www.ski.com/ski/a.html")
    ['http:', 'www', 'ski', 'com', 'a', 'html']
    """
    return [token for token in dict.fromkeys(_split(url)) if token]
