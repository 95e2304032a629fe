"""The fitness of a page: its similarity to the start pages in links and terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple


class Gene(NamedTuple):
    """The parts of a page that are compared."""

    links: frozenset[int]
    terms: Mapping[str, float]


def jaccard(some: Set[int], others: Set[int]) -> float:
    """The Jaccard coefficient: the share of common links.

    >>> jaccard({1, 2, 3}, {2, 3, 4})
    0.5
    """
    return len(some & others) / (len(some | others) or 1)


def tanimoto(some: Mapping[str, float], others: Mapping[str, float]) -> float:
    """The Tanimoto coefficient a.b / (|a|^2 + |b|^2 - a.b).

    >>> tanimoto({"x": 1, "y": 2}, {"x": 1, "y": 1, "z": 1})
    0.6
    """
    product = sum([weight * others[term] for term, weight in some.items() if term in others])
    squares = sum([weight * weight for weight in some.values()]) + sum([weight * weight for weight in others.values()])
    rest = squares - product
    return product / rest if rest else 0.0


def fitness(gene: Gene, models: Sequence[Gene]) -> float:
    """The mean similarity to the models in links and terms."""
    similarities = [jaccard(gene.links, model.links) + tanimoto(gene.terms, model.terms) for model in models]
    return sum(similarities) / 2 / len(similarities) if similarities else 0.0


def best_of(pages: Mapping[int, float], size: int) -> dict[int, float]:
    """The fittest pages; of equally fit ones the older comes first."""
    return dict(sorted(pages.items(), key=lambda item: (-item[1], item[0]))[:size])
