"""Naive Bayes with equal priors: to which layer of a context graph a text belongs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

Terms = Mapping[str, int]


class Layers(TypedDict):
    """A trained model in plain arrays, so that it can be saved."""

    words: dict[str, int]  # term -> its place in the arrays
    counts: NDArray[np.float64]  # of each term in each layer
    rarity: NDArray[np.float64]  # inverse document frequency of each term, as a logarithm


def train(groups: Sequence[Iterable[Terms]], most: int = 40) -> Layers:
    """Train on the documents of each layer; of each document the `most` terms with the highest tf-idf count.

    >>> sorted(train([[{"paper": 8, "pdf": 6}], [{"dept": 9}]])["words"])
    ['dept', 'paper', 'pdf']
    """
    docs: list[tuple[int, Terms]] = []
    seen = Counter[str]()
    for layer, group in enumerate(groups):
        for terms in group:
            if terms:
                docs.append((layer, terms))
                seen.update(terms.keys())
    rarity = {term: math.log((1 + len(docs)) / count) for term, count in seen.items()}
    chosen = [(layer, telling(terms, rarity, most)) for layer, terms in docs]
    words: dict[str, int] = {}
    for _, terms in chosen:
        for term in terms:
            words.setdefault(term, len(words))
    counts = np.zeros((len(groups), len(words)))
    for layer, terms in chosen:
        counts[layer, [words[term] for term in terms]] += list(terms.values())
    return Layers(words=words, counts=counts, rarity=np.array([rarity[term] for term in words]))


def telling(terms: Terms, rarity: Mapping[str, float], most: int) -> dict[str, int]:
    """The terms with the highest tf-idf; of equal ones the first."""
    weights = {term: (1 + math.log(count)) * rarity[term] for term, count in terms.items() if term in rarity}
    return {term: terms[term] for term in sorted(weights, key=lambda term: -weights[term])[:most]}


def posterior(model: Layers, terms: Terms, most: int = 40) -> NDArray[np.float64]:
    """The chance of each layer; all are equally likely for a text without known words."""
    words = model["words"]
    places = np.array([words[term] for term in terms if term in words], dtype=np.int64)
    counts = np.array([terms[term] for term in terms if term in words], dtype=np.float64)
    if len(places) > most:
        weights = (1 + np.log(counts)) * model["rarity"][places]
        best = np.argsort(-weights, kind="stable")[:most]
        places = places[best]
        counts = counts[best]
    # Laplace smoothing. There is no factor for the size of a layer: layers differ tenfold in size, and the largest
    # would swallow the others.
    total = model["counts"].sum(axis=1, keepdims=True) + len(words)
    sums = (np.log((model["counts"][:, places] + 1.0) / total) * counts).sum(axis=1)
    chances = np.exp(sums - sums.max())
    result: NDArray[np.float64] = chances / chances.sum()
    return result
