"""Explains a score in words: the features that count most for and against a candidate."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from clew.parse import host, tokens
from clew.strategies._adaptive import hashed_features as hashing
from clew.strategies._adaptive.counts import Slots, slots_of
from clew.strategies._adaptive.embedding_model import known
from clew.strategies._adaptive.features import NAMES, Features
from clew.strategies._adaptive.memory import Matrix
from clew.strategies._adaptive.model import LINEAR, Model
from clew.text.terms import stems
from clew.types import Link

MAX_REASONS: Final = 5
MIN_LOG_ODDS: Final = 0.01  # a reason that adds less is not shown
MAX_WORDS_PER_REASON: Final = 2
TOTAL: Final = "all reasons together; above 0 the page is more likely relevant than not"
REST: Final = "weaker reasons, and how rare relevant pages are in this crawl"
MIN_WORD_STRENGTH: Final = 0.1
WORDS: Final = {
    "rate_anchor": "match of the anchor with the interest",
    "rate_around": "match of the text around the link with the interest",
    "rate_heading": "match of the heading with the interest",
    "rate_path": "match of the address with the interest",
    "same_host": "stays on the same host",
    "source_relevance": "relevance of the page that links to it",
    "handed": "relevant pages on the way to it",
    "run": "irrelevant pages in a row on the way to it",
    "best_source": "relevance of the best page that links to it",
    "mean_source": "mean relevance of the pages that link to it",
    "inlink_votes": "number of relevant pages that link to it",
    "inlink_excess": "share of relevant pages among those that link to it",
    "odds_anchor_text": "past success of links with this anchor",
    "odds_host": "past success on its host",
    "odds_folder": "past success in its folder",
    "odds_pattern": "past success of addresses like it",
    "odds_file": "past success of files with such a name",
    "odds_place": "past success of links in such a place on the page",
    "odds_place_here": "past success of links in this place on pages of the site",
    "odds_source": "past success of other links on the page",
    "odds_block": "past success of other links in the same list",
    "odds_near": "past success of its neighbours on the page",
    "odds_hosts": "past success of links between these two hosts",
    "odds_anchor": "past success of words in the anchor",
    "odds_pairs": "past success of word pairs in the anchor",
    "odds_around": "past success of words around the link",
    "odds_heading": "past success of words in the heading",
    "odds_path": "past success of words in the address",
    "odds_source_words": "past success of links from pages with the same words",
    "odds_called": "past success of links from pages with such a name",
    "word_anchor": "words of the anchor on relevant pages",
    "word_around": "words around the link on relevant pages",
    "word_heading": "words of the heading on relevant pages",
    "word_path": "words of the address on relevant pages",
    "word_source": "words of the linking page on relevant pages",
    "embedding_anchor": "past success of anchors with a similar meaning",
    "embedding_around": "past success of links with words of similar meaning around them",
    "embedding_anchor_page": "similar meaning of the anchor and of relevant pages",
    "embedding_around_page": "similar meaning of the words around the link and of relevant pages",
    "interest_anchor": "similar meaning of the anchor and of the interest",
    "interest_around": "similar meaning of the words around the link and of the interest",
}


def reasons(
    row: Matrix, total: float, link: Link, features: Features, model: Model, rate: Callable[[str], float]
) -> dict[str, float]:
    """The log odds of a link, `total`, and the strongest features: what each adds to them, with the words behind it."""
    weights, share = model.belief
    parts = row[LINEAR] * weights[:-1]
    strongest = np.argsort(-np.abs(parts), kind="stable")[:MAX_REASONS]
    behind = Behind(link, features, rate)
    found = {TOTAL: total}
    for place in strongest:
        if abs(parts[place]) > MIN_LOG_ODDS:
            name = NAMES[LINEAR[place]]
            found[WORDS[name] + behind.said(name)] = float(parts[place])
    if model.forest is not None:
        found["combinations of reasons (decision trees)"] = share * float(model.forest.margin(row[None])[0])
    # Without it, a reader who adds the parts up would look in vain for a mistake.
    found[REST] = total - (sum(found.values()) - total)
    return found


class Behind:
    """Finds the words that a feature rests on."""

    def __init__(self, link: Link, features: Features, rate: Callable[[str], float]) -> None:
        self.features = features
        self.rate = rate
        self.texts = {
            "anchor": link.anchor,
            "around": link.around,
            "heading": link.heading,
            "path": " ".join(tokens(link.url)),
        }
        self.link = link
        self.plain = {
            "anchor_text": link.anchor,
            "host": host(link.url),
            "source": link.source,
            "file": link.url.rpartition("/")[2],
            "relevance": link.source,
        }

    @cached_property
    def row(self) -> Sequence[int]:
        """The link as numbers."""
        return hashing.row_of(self.link)

    @cached_property
    def slots(self) -> Slots:
        """The places where these are counted."""
        slots: Slots = hashing.slots([self.link])[0]
        return slots

    def said(self, feature: str) -> str:
        """The one or two words with the most weight, or the name that the feature is about; "" if there is none."""
        kind, _, name = feature.partition("_")
        if kind in ("odds", "source") and self.plain.get(name):
            return f": {self.plain[name]}"
        group = name.removesuffix("_page")
        found: list[str] = []
        if kind == "rate":
            found = self._rated(group)
        elif group in hashing.WORDS and group != "pairs":
            found = self._strongest(kind, group)
        return f": {', '.join(found)}" if found else ""

    def _rated(self, group: str) -> list[str]:
        """The words of a text that match the interest best."""
        rates = {word: self.rate(word) for word in _words(self.texts[group])}
        best = sorted(rates, key=lambda word: -rates[word])[:MAX_WORDS_PER_REASON]
        return [word for word in best if rates[word] > 0]

    def _strongest(self, kind: str, group: str) -> list[str]:
        """The words of a group with the most weight, as they are written."""
        columns = hashing.columns(group)
        bare = slots_of(np.array([self.row[column] for column in columns], np.uint32))
        strength = np.abs(self._strength(kind, bare, self.slots[columns]))
        names = _names(self.texts.get(group) or " ".join(self.texts.values()))
        found: dict[str, None] = {}
        for place in np.argsort(-strength, kind="stable")[:MAX_WORDS_PER_REASON]:
            number = self.row[columns[place]]
            if strength[place] > MIN_WORD_STRENGTH and number in names:
                found[names[number]] = None
        return list(found)

    def _strength(self, kind: str, bare: Slots, in_role: Slots) -> Matrix:
        """By how much each word speaks for or against a link; for embeddings, its weight."""
        if kind in ("embedding", "interest"):
            return known(bare)[1]
        if kind == "odds":
            return self.features.links.odds(in_role, self.features.base)
        return self.features.words.odds(bare, self.features.base)


def _names(text: str) -> dict[int, str]:
    """By the number of a stem: a word as it is written in the text."""
    names: dict[int, str] = {}
    for word in _words(text):
        for stem in stems(word):
            names[hashing.word(stem)] = word
    return names


def _words(text: str) -> list[str]:
    """The words as people read them, each once."""
    return list(dict.fromkeys(re.findall(r"[^\W_]+", text.lower())))
