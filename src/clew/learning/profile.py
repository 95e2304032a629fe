"""Profiles of users and agents as vectors of weighted terms."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

TERMS: Final = 100
"""Terms in a profile, at most."""

Profile = dict[str, float]


def unit(terms: Mapping[str, float]) -> Profile:
    """The strongest terms as a vector of length 1.

    >>> unit({"sail": 3, "boat": 4})
    {'boat': 0.8, 'sail': 0.6}
    """
    chosen = strongest(terms)
    length = math.hypot(*chosen.values()) or 1.0
    return {term: weight / length for term, weight in chosen.items()}


def likeness(some: Mapping[str, float], others: Mapping[str, float]) -> float:
    """The cosine similarity.

    >>> round(likeness({"sail": 3, "boat": 4}, {"boat": 1}), 4)
    0.8
    """
    product = sum([weight * others[term] for term, weight in some.items() if term in others])
    lengths = math.hypot(*some.values()) * math.hypot(*others.values())
    return product / lengths if lengths else 0.0


def rated(profile: Mapping[str, float], doc: Mapping[str, float], rating: float, rate: float = 0.1) -> Profile:
    """The profile after its owner has rated a document.

    >>> rated({"sail": 0.5}, {"sail": 0.6, "boat": 0.8}, 2)
    {'sail': 0.62, 'boat': 0.16000000000000003}
    """
    changed = dict(profile)
    for term, weight in doc.items():
        changed[term] = changed.get(term, 0.0) + rate * rating * weight
    return strongest(changed) if len(changed) > TERMS else changed


def faded(profile: Mapping[str, float], keep: float = 0.97) -> Profile:
    """The profile a night later: old ratings count less."""
    return {term: keep * weight for term, weight in profile.items()}


def strongest(terms: Mapping[str, float], most: int = TERMS) -> Profile:
    """The terms with the largest weights, whatever their sign."""
    return dict(sorted(terms.items(), key=lambda item: (-abs(item[1]), item[0]))[:most])
