"""A score in words: the clues that speak loudest for and against a candidate."""

from __future__ import annotations

from typing import Final

import numpy as np

from clew.strategies._thread.clues import NAMES
from clew.strategies._thread.memory import Matrix
from clew.strategies._thread.model import LINEAR, Model

STRONGEST: Final = 5
WORDS: Final = {
    "rate_anchor": "the anchor is about the interest",
    "rate_around": "the text around is about the interest",
    "rate_heading": "the heading is about the interest",
    "rate_path": "the address is about the interest",
    "same_host": "it stays on the host",
    "source_worth": "the page that links to it is relevant",
    "handed": "relevant pages on the way there",
    "run": "irrelevant pages on the way there",
    "best_source": "the best page that links to it",
    "mean_source": "all pages that link to it",
    "shark": "shark search would go there",
    "ariadne": "Ariadne would go there",
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
    "word_anchor": "words of the anchor are on relevant pages",
    "word_around": "words around the link are on relevant pages",
    "word_heading": "words of the heading are on relevant pages",
    "word_path": "words of the address are on relevant pages",
    "word_source": "the page that links to it is like relevant pages",
}


def reasons(row: Matrix, model: Model) -> dict[str, float]:
    """The five strongest, each with what it adds to the log odds."""
    weights = model.start if model.weights is None else model.weights
    parts = row[LINEAR] * weights[:-1]
    best = np.argsort(-np.abs(parts), kind="stable")[:STRONGEST]
    told = {WORDS[NAMES[LINEAR[place]]]: float(parts[place]) for place in best if abs(parts[place]) > 0.01}
    if model.forest is not None:
        told["what the clues say together"] = float(model.forest.margin(row[None])[0])
    return told
