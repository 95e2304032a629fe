"""What the user's keywords say of a page, measured against the other pages of the crawl.

A word that is rare among the pages of the crawl says more than a common one, and a hit in the title or in the text of a
link that leads here more than one in a long text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from clew.interests.compiler import Best
from clew.interests.formula import Formula
from clew.interests.keywords import Keyword, Keywords, compiled
from clew.interests.reading import Measure
from clew.interests.syntax import Topic, atoms
from clew.learning.sparse import Floats
from clew.learning.two_groups import sigmoid
from clew.text.terms import mentions, stems
from clew.types import Page

# A word is as frequent as this in pages at large; so many such pages are added to those of the crawl.
USUAL_FREQUENCY: Final = 0.01
USUAL_PAGES: Final = 200
FULL_RARITY: Final = 2.5  # minus the logarithm of the share of pages from which on a word is rare enough
MIN_RARITY: Final = 0.8  # a crawl that follows a word is full of it, and yet the word tells what is wanted
SATURATION: Final = 1.2  # occurrences that score a half on a page of average length, as k1 in BM25
LENGTH_SHARE: Final = 0.75  # how much of that grows with the length of the page, as b in BM25
# The log odds of a page without a hit, and what a hit in its text, its title and its in-links adds.
NO_HIT: Final = -3.0
IN_TEXT: Final = 3.5
IN_TITLE: Final = 2.0
IN_ANCHORS: Final = 1.5


class Hits(NamedTuple):
    """How often each keyword occurs in the text, whether in the title, and in what share of the in-links."""

    text: Floats
    title: Floats
    anchors: Floats


@dataclass(frozen=True)
class Rarity:
    """What a hit is worth in this crawl."""

    weights: Floats  # of each keyword, from 0 to 1
    mean_length: float  # of the pages, in words

    @classmethod
    def of(cls, text: Floats, lengths: Floats) -> Rarity:
        """From the hits in the texts of all pages, a row for each page.

        >>> Rarity.of(np.array([[3.0, 1.0], [0.0, 2.0]]), np.array([100.0, 300.0])).weights.round(2)
        array([1., 1.])
        """
        pages = len(text)
        with_hit = (text > 0).sum(axis=0)
        share = (with_hit + USUAL_PAGES * USUAL_FREQUENCY) / (pages + USUAL_PAGES)
        mean_length = float(lengths.mean()) if pages else 1.0
        weights = np.clip(-np.log(share) / FULL_RARITY, MIN_RARITY, 1.0)
        return cls(weights, max(mean_length, 1.0))


class KeywordEvidence:
    """Counts the keywords of a formula on a page, and turns the counts into memberships."""

    def __init__(self, interest: Formula) -> None:
        self._languages: dict[str, tuple[list[tuple[Keyword, ...]], frozenset[str]]] = {}
        self.words: list[str] = []
        self.places: dict[str, list[int]] = {}  # of the keywords of each topic
        for atom in atoms(interest.node):
            if isinstance(atom, Topic) and (keywords := _keywords(interest.measures.get(atom.name))):
                first = len(self.words)
                self.words += keywords.words
                self.places[atom.name] = list(range(first, len(self.words)))

    def hits(self, page: Page) -> Hits:
        """How often each keyword occurs on a page."""
        spelled, vocabulary = self._spelled(page.language)
        title = frozenset(stems(page.title, page.language)) if page.title else frozenset()
        anchors = [_stems(link.anchor, vocabulary, page.language) for link in page.inlinks]
        count = len(self.words)
        found = Hits(np.zeros(count), np.zeros(count), np.zeros(count))
        for place, spellings in enumerate(spelled):
            for keyword in spellings:
                found.text[place] = _count(keyword, page.terms)
                found.title[place] = _occurs(keyword, title)
                if anchors:
                    found.anchors[place] = sum(_occurs(keyword, anchor) for anchor in anchors) / len(anchors)
        return found

    def stems(self, language: str) -> frozenset[str]:
        """The stems of all keywords."""
        return self._spelled(language)[1]

    def _spelled(self, language: str) -> tuple[list[tuple[Keyword, ...]], frozenset[str]]:
        """Each keyword as stems of a language, and all these stems."""
        if language not in self._languages:
            spelled = [compiled((word,), language) for word in self.words]
            stems_of_all: set[str] = set()
            for keyword in chain.from_iterable(spelled):
                stems_of_all.update(*keyword)
            self._languages[language] = (spelled, frozenset(stems_of_all))
        return self._languages[language]

    def memberships(self, hits: Hits, lengths: Floats, rarity: Rarity) -> dict[str, Floats]:
        """The membership of pages, a row each, in the topics that have keywords.

        >>> from clew.interests import build
        >>> evidence = KeywordEvidence(build("sailing", {}))
        >>> hits = Hits(np.array([[5.0], [0.0]]), np.array([[1.0], [0.0]]), np.zeros((2, 1)))
        >>> evidence.memberships(hits, np.array([200.0, 200.0]), Rarity(np.ones(1), 200.0))["sailing"].round(2)
        array([0.86, 0.05])
        """
        slack = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * lengths / rarity.mean_length)
        in_text = 1.0 - hits.text / (hits.text + slack[:, None]) * rarity.weights
        in_title = hits.title * rarity.weights
        in_anchors = hits.anchors * rarity.weights
        found: dict[str, Floats] = {}
        for topic, places in self.places.items():
            odds = NO_HIT + IN_TEXT * (1.0 - in_text[:, places].prod(axis=1))
            odds += IN_TITLE * in_title[:, places].max(axis=1) + IN_ANCHORS * in_anchors[:, places].max(axis=1)
            found[topic] = sigmoid(odds)
        return found


def _keywords(measure: Measure | None) -> Keywords | None:
    parts = measure.measures if isinstance(measure, Best) else (measure,)
    return next((part for part in parts if isinstance(part, Keywords)), None)


def _stems(text: str, vocabulary: frozenset[str], language: str) -> frozenset[str]:
    """The stems of a short text; most texts mention no keyword, and that is found out cheaply."""
    return frozenset(stems(text, language)) if mentions(text, vocabulary, language) else frozenset()


def _count(keyword: Keyword, terms: Mapping[str, int]) -> float:
    return float(sum(min(terms.get(stem, 0) for stem in spelling) for spelling in keyword))


def _occurs(keyword: Keyword, words: frozenset[str]) -> bool:
    return any(words.issuperset(spelling) for spelling in keyword)
