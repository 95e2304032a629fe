"""The genotype of an InfoSpider: keywords, a small neural net that rates links by them, and its trust in the net."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from clew.strategies._base import Rating
from clew.strategies._shared.walker import Wish
from clew.text.terms import stems
from clew.types import Link, Page

WINDOW_WORDS: Final = 10
"""Words on each side of a link that count as near it."""
MAX_KEYWORD_CANDIDATES: Final = 200
"""The most frequent terms of a start page, which may become keywords."""

Chance = Callable[..., float]
Values = NDArray[np.float64]


class Spider(TypedDict):
    """An agent; the last weight is the bias of the net."""

    at: int
    trail: list[int]  # the pages it came from, for the back button
    energy: float
    beta: float
    keys: list[str]
    weights: list[float]
    wish: Wish | None
    seen: list[float]  # the inputs for the link that it follows
    rest: int  # moves over known pages since the last new one


def first_keywords(page: Page, interest: Rating, most: int) -> list[str]:
    """The terms that the interest rates highest, among its own words and the frequent terms of a page."""
    frequent = sorted(page.terms, key=lambda term: (-page.terms[term], term))[:MAX_KEYWORD_CANDIDATES]
    terms = list(dict.fromkeys([*stems(str(interest)), *frequent]))
    rates = {term: interest.rate(term) for term in terms}
    usable = [term for term in terms if rates[term] > 0 or term in page.terms]
    return sorted(usable, key=lambda term: -rates[term])[:most]


def inputs(links: Sequence[Link], keys: Sequence[str], language: str = "en") -> Values:
    """A row for each link: for every keyword the sum of 1/distance over its occurrences near the link; 1 in the anchor.

    >>> inputs([Link("p", "q", "boats", "sails of the old wooden\\t harbour")], ["boat", "sail"]).round(2).tolist()
    [[1.0, 0.33]]
    """
    rows = np.zeros((len(links), len(keys)))
    columns = {key: column for column, key in enumerate(keys)}
    for row, link in zip(rows, links, strict=True):
        before, _, after = link.around.partition("\t")
        # Both sides begin with the word next to the link.
        left = stems(before, language)[: -WINDOW_WORDS - 1 : -1]
        right = stems(after, language)[:WINDOW_WORDS]
        for words in (left, right):
            for distance, word in enumerate(words, 1):
                if word in columns:
                    row[columns[word]] += 1 / distance
        for word in stems(link.anchor, language):
            if word in columns:
                row[columns[word]] += 1.0
    return rows


def outputs(rows: Values, weights: Sequence[float]) -> Values:
    """The output of the net for each link: lambda in the paper, in [-1, 1]."""
    return np.asarray(np.tanh(rows @ np.array(weights[:-1]) + weights[-1]))


def probabilities(outputs: Values, beta: float) -> Values:
    """The probabilities with which links are followed: proportional to exp(beta * lambda).

    >>> probabilities(np.array([0.8, 0.2, -0.1]), 2.0).round(4).tolist()
    [0.6819, 0.2054, 0.1127]
    """
    # Less the largest output, so that exp cannot overflow; the quotient is the same.
    powers = np.exp(beta * (outputs - outputs.max()))
    return np.asarray(powers / powers.sum())


def taught(weights: Sequence[float], seen: Sequence[float], target: float, rate: float) -> list[float]:
    """The weights after one step of back-propagation."""
    values = np.array([*seen, 1.0])
    output = math.tanh(float(values @ np.array(weights)))
    # 1 - tanh(x)^2 is the derivative of tanh.
    changed = np.array(weights) + rate * (target - output) * (1 - output * output) * values
    return [*changed.tolist()]


def child_of(parent: Spider, mate: Spider | None, terms: Mapping[str, float], chance: Chance) -> Spider:
    """A mutated clone with half of the energy; a mate on the same page contributes the second half of the keywords."""
    keys = list(parent["keys"])
    weights = list(parent["weights"])
    if mate:
        half = len(keys) // 2
        keys = [*dict.fromkeys([*keys[:half], *mate["keys"][half:], *keys[half:]])][: len(keys)]
    frequent = sorted(terms, key=lambda term: (-terms[term], term))
    fresh = next((term for term in frequent if term not in keys), None)
    if fresh is not None and keys:
        # The keyword that the net uses least gives way to the most frequent term of the page.
        weakest = min(range(len(keys)), key=lambda place: abs(weights[place]))
        keys[weakest] = fresh
    noise = [0.75 + 0.5 * chance("weight", place) for place in range(len(weights))]
    child = parent.copy()
    parent["energy"] /= 2
    child["energy"] = parent["energy"]
    child["beta"] = parent["beta"] * (0.75 + 0.5 * chance("beta"))
    child["trail"] = list(parent["trail"])
    child["keys"] = keys
    child["weights"] = [weight * factor for weight, factor in zip(weights, noise, strict=True)]
    return child
