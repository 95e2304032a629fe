"""Which pages to ask about: those whose label would teach a judge most."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

HOST_SHARE: Final = 0.5  # what a page is worth for each page of its host that is asked about already

Vector = Mapping[str, float]


class Doubtful(NamedTuple):
    """A page that might be asked about."""

    distance: float  # of its relevance from where pages begin to count
    host: str
    terms: Mapping[str, int]


def most_telling(pages: Sequence[Doubtful], n: int, known: Sequence[Mapping[str, int]] = ()) -> list[int]:
    """The places of n pages: near the threshold, unlike each other and the pages that are labelled, of several hosts.

    >>> boats = {"boat": 3, "sail": 2}
    >>> pages = [Doubtful(0.1, "a", boats), Doubtful(0.12, "a", boats), Doubtful(0.3, "b", {"harbour": 2})]
    >>> most_telling(pages, 2)
    [0, 2]
    """
    vectors = _vectors([*(page.terms for page in pages), *known])
    nearest = [0.0] * len(pages)  # likeness to the most similar page that is chosen or known
    for vector in vectors[len(pages) :]:
        nearest = [max(like, _likeness(vector, own)) for like, own in zip(nearest, vectors, strict=False)]
    widest = max([page.distance for page in pages], default=0.0) or 1.0
    asked: Counter[str] = Counter()
    chosen: list[int] = []
    left = list(range(len(pages)))
    while left and len(chosen) < n:
        values = {
            place: (1.0 - pages[place].distance / (2.0 * widest))
            * (1.0 - nearest[place])
            * HOST_SHARE ** asked[pages[place].host]
            for place in left
        }
        best = max(left, key=values.__getitem__)
        chosen.append(best)
        left.remove(best)
        asked[pages[best].host] += 1
        for place in left:
            nearest[place] = max(nearest[place], _likeness(vectors[best], vectors[place]))
    return chosen


def _vectors(texts: Sequence[Mapping[str, int]]) -> list[Vector]:
    """The texts as vectors of length 1, with more weight for words that few of them have."""
    frequency: Counter[str] = Counter()
    for text in texts:
        frequency.update(text.keys())
    rarity = {term: math.log((len(texts) + 1) / count) for term, count in frequency.items()}
    return [_vector(text, rarity) for text in texts]


def _vector(text: Mapping[str, int], rarity: Mapping[str, float]) -> Vector:
    weights = {term: (1.0 + math.log(count)) * rarity[term] for term, count in text.items()}
    length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    return {term: weight / length for term, weight in weights.items()}


def _likeness(one: Vector, other: Vector) -> float:
    """The cosine of two vectors, from 0 to 1."""
    few, many = sorted((one, other), key=len)
    return min(1.0, sum(weight * many.get(term, 0.0) for term, weight in few.items()))
