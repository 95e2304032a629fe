"""A score in words: the clues that speak loudest for and against a candidate."""

from __future__ import annotations

import re
from collections.abc import Callable
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

STRONGEST: Final = 5
MENTIONED: Final = 2  # words behind a clue
WORDS: Final = {
    "rate_anchor": "how much the anchor is about the interest",
    "rate_around": "how much the text around is about the interest",
    "rate_heading": "how much the heading is about the interest",
    "rate_path": "how much the address is about the interest",
    "same_host": "it stays on the host",
    "source_relevance": "relevance of the page that links to it",
    "handed": "relevant pages on the way there",
    "run": "irrelevant pages on the way there",
    "best_source": "the best page that links to it",
    "mean_source": "all pages that link to it",
    "inlink_votes": "relevant pages that link to it",
    "inlink_excess": "how many of the pages that link to it are relevant",
    "odds_anchor_text": "how this anchor has paid",
    "odds_host": "how its host has paid",
    "odds_folder": "how its folder has paid",
    "odds_pattern": "how addresses like it have paid",
    "odds_file": "how files of that name have paid",
    "odds_place": "how links in such places have paid",
    "odds_place_here": "how links in this place of the site have paid",
    "odds_source": "how other links of the page have paid",
    "odds_block": "how other links of the same list have paid",
    "odds_near": "how its neighbours on the page have paid",
    "odds_hosts": "how links between these hosts have paid",
    "odds_anchor": "how words of the anchor have paid",
    "odds_pairs": "how word pairs of the anchor have paid",
    "odds_around": "how words around the link have paid",
    "odds_heading": "how words of the heading have paid",
    "odds_path": "how words of the address have paid",
    "odds_source_words": "how links from pages with these words have paid",
    "odds_called": "how links from pages of such names have paid",
    "word_anchor": "whether words of the anchor are on relevant pages",
    "word_around": "whether words around the link are on relevant pages",
    "word_heading": "whether words of the heading are on relevant pages",
    "word_path": "whether words of the address are on relevant pages",
    "word_source": "whether the page that links to it is like relevant pages",
    "embedding_anchor": "how anchors of like meaning have paid",
    "embedding_around": "how links with words of like meaning around them have paid",
    "embedding_anchor_page": "whether the anchor means what relevant pages are about",
    "embedding_around_page": "whether the words around the link mean what relevant pages are about",
    "interest_anchor": "whether the anchor means something like the interest",
    "interest_around": "whether the words around the link mean something like the interest",
}


def reasons(
    row: Matrix, link: Link, features: Features, model: Model, rate: Callable[[str], float]
) -> dict[str, float]:
    """The log odds of a link and the five strongest clues to it, each with what it adds and the words behind it."""
    believed, share = model.belief
    parts = row[LINEAR] * believed[:-1]
    best = np.argsort(-np.abs(parts), kind="stable")[:STRONGEST]
    behind = Behind(link, features, rate)
    names = {NAMES[LINEAR[place]]: float(parts[place]) for place in best if abs(parts[place]) > 0.01}
    told = {"log odds of the chance, of which": float(model.margin(row[None])[0])}
    told |= {WORDS[name] + behind.said(name): value for name, value in names.items()}
    if model.forest is not None:
        told["what the clues say together"] = share * float(model.forest.margin(row[None])[0])
    return told


class Behind:
    """Finds the words that a clue rests on."""

    def __init__(self, link: Link, features: Features, rate: Callable[[str], float]) -> None:
        self.texts = {"anchor": link.anchor, "around": link.around, "heading": link.heading}
        self.texts["path"] = " ".join(tokens(link.url))
        self.names = {
            hashing.word(stem): word for word in _words(" ".join(self.texts.values())) for stem in stems(word)
        }
        self.row, self.slots = hashing.row_of(link), hashing.slots([link])[0]
        self.features, self.rate = features, rate
        self.plain = {"anchor_text": link.anchor, "host": host(link.url), "source": link.source}
        self.plain |= {"file": link.url.rpartition("/")[2], "relevance": link.source}

    def said(self, clue: str) -> str:
        """The one or two words that weigh most, or the name that it is about."""
        kind, _, name = clue.partition("_")
        if kind in ("odds", "source") and self.plain.get(name):
            return f": {self.plain[name]}"
        group = name.removesuffix("_page")
        if kind == "rate":
            found = self._rated(group)
        else:
            found = self._strongest(kind, group) if group in hashing.WORDS and group != "pairs" else []
        return f": {', '.join(found)}" if found else ""

    def _rated(self, group: str) -> list[str]:
        """The words of a text that the interest is about."""
        rates = {word: self.rate(word) for word in _words(self.texts[group])}
        return [word for word in sorted(rates, key=lambda word: -rates[word])[:MENTIONED] if rates[word] > 0]

    def _strongest(self, kind: str, group: str) -> list[str]:
        columns = range(*hashing.WORDS[group].indices(hashing.WIDTH))
        slots = slots_of(np.array([self.row[column] for column in columns], np.uint32))
        strength = np.abs(self._strength(kind, slots, self.slots[list(columns)]))
        order = [columns[place] for place in np.argsort(-strength, kind="stable")[:MENTIONED] if strength[place] > 0.1]
        return list(dict.fromkeys(self.names[self.row[column]] for column in order if self.row[column] in self.names))

    def _strength(self, kind: str, bare: Slots, in_role: Slots) -> Matrix:
        """By how much each word speaks for a link or against it; of meanings, how telling it is."""
        if kind in ("embedding", "interest"):
            return known(bare)[1]
        counts, slots = (self.features.links, in_role) if kind == "odds" else (self.features.words, bare)
        return counts.odds(slots, self.features.base)


def _words(text: str) -> list[str]:
    """As people read them, each once."""
    return list(dict.fromkeys(re.findall(r"[^\W_]+", text.lower())))
