"""How fit a page is: its likeness to the start pages, in links and terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple


class Gene(NamedTuple):
    """What is compared of a page."""

    links: frozenset[int]
    terms: Mapping[str, float]


def jaccard(some: Set[int], others: Set[int]) -> float:
    """The share of common links.

    >>> jaccard({1, 2, 3}, {2, 3, 4})
    0.5
    """
    return len(some & others) / (len(some | others) or 1)


def tanimoto(some: Mapping[str, float], others: Mapping[str, float]) -> float:
    """a.b / (|a|^2 + |b|^2 - a.b).

    >>> tanimoto({"x": 1, "y": 2}, {"x": 1, "y": 1, "z": 1})
    0.6
    """
    product = sum([weight * others[term] for term, weight in some.items() if term in others])
    rest = sum([w * w for w in some.values()]) + sum([w * w for w in others.values()]) - product
    return product / rest if rest else 0.0


def fitness(gene: Gene, models: Sequence[Gene]) -> float:
    """The mean likeness in links and terms."""
    likeness = [jaccard(gene.links, model.links) + tanimoto(gene.terms, model.terms) for model in models]
    return sum(likeness) / 2 / len(likeness) if likeness else 0.0


def best_of(pages: Mapping[int, float], size: int) -> dict[int, float]:
    """The fittest pages, the older of equals first."""
    return dict(sorted(pages.items(), key=lambda item: (-item[1], item[0]))[:size])
