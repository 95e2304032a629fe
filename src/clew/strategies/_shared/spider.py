"""The genotype of an InfoSpider: keywords, a small net that rates links by them, and how far it trusts the net."""

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

WINDOW: Final = 10
"""Words on each side of a link that are near it."""
FREQUENT: Final = 200
"""Terms of a start page that may become keywords."""

Chance = Callable[..., float]
Values = NDArray[np.float64]


class Spider(TypedDict):
    """An agent; the last weight is the net's bias."""

    at: int
    trail: list[int]  # the pages it came from, for the back button
    energy: float
    beta: float
    keys: list[str]
    weights: list[float]
    wish: Wish | None
    seen: list[float]  # the inputs of the link that it follows
    rest: int  # moves over known pages since the last new one


def first_keywords(page: Page, interest: Rating, most: int) -> list[str]:
    """What the interest rates highest among its own words and the frequent terms of a page."""
    frequent = sorted(page.terms, key=lambda term: (-page.terms[term], term))[:FREQUENT]
    terms = [*dict.fromkeys([*stems(str(interest)), *frequent])]
    rates = {term: interest.rate(term) for term in terms}
    return sorted((t for t in terms if rates[t] > 0 or t in page.terms), key=lambda t: -rates[t])[:most]


def inputs(links: Sequence[Link], keys: Sequence[str], language: str = "en") -> Values:
    """One row for each link: for every keyword the sum of 1/distance over its places in the anchor and near it.

    >>> inputs([Link("p", "q", "boats", "sails of the old wooden\\t harbour")], ["boat", "sail"]).round(2).tolist()
    [[1.0, 0.33]]
    """
    rows, columns = np.zeros((len(links), len(keys))), {key: column for column, key in enumerate(keys)}
    for row, link in zip(rows, links, strict=True):
        before, _, after = link.around.partition("\t")
        for words in (stems(before, language)[: -WINDOW - 1 : -1], stems(after, language)[:WINDOW]):
            for distance, word in enumerate(words, 1):
                if word in columns:
                    row[columns[word]] += 1 / distance
        for word in stems(link.anchor, language):
            if word in columns:
                row[columns[word]] += 1.0
    return rows


def outputs(rows: Values, weights: Sequence[float]) -> Values:
    """Lambda of each link, in [-1, 1]."""
    return np.asarray(np.tanh(rows @ np.array(weights[:-1]) + weights[-1]))


def probabilities(outputs: Values, beta: float) -> Values:
    """With which links are followed: proportional to exp(beta * lambda).

    >>> probabilities(np.array([0.8, 0.2, -0.1]), 2.0).round(4).tolist()
    [0.6819, 0.2054, 0.1127]
    """
    powers = np.exp(beta * (outputs - outputs.max()))
    return np.asarray(powers / powers.sum())


def taught(weights: Sequence[float], seen: Sequence[float], target: float, rate: float) -> list[float]:
    """The weights after one step of back-propagation."""
    values = np.array([*seen, 1.0])
    given = math.tanh(float(values @ np.array(weights)))
    return [*(np.array(weights) + rate * (target - given) * (1 - given * given) * values).tolist()]


def child_of(parent: Spider, mate: Spider | None, terms: Mapping[str, float], chance: Chance) -> Spider:
    """A mutated clone with half of the energy; a mate on the same page gives the second half of its keywords."""
    keys, weights = list(parent["keys"]), list(parent["weights"])
    if mate:
        half = len(keys) // 2
        keys = [*dict.fromkeys([*keys[:half], *mate["keys"][half:], *keys[half:]])][: len(keys)]
    fresh = next((term for term in sorted(terms, key=lambda term: (-terms[term], term)) if term not in keys), None)
    if fresh is not None and keys:
        keys[min(range(len(keys)), key=lambda place: abs(weights[place]))] = fresh
    noise = [0.75 + 0.5 * chance("weight", place) for place in range(len(weights))]
    child = parent.copy()
    child["energy"] = parent["energy"] = parent["energy"] / 2
    child["beta"] = parent["beta"] * (0.75 + 0.5 * chance("beta"))
    child["trail"], child["keys"] = list(parent["trail"]), keys
    child["weights"] = [weight * factor for weight, factor in zip(weights, noise, strict=True)]
    return child
