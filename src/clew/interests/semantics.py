"""Evaluation of formulas: fuzzy logic (min, max, 1 - x) or independent probabilities, with optional weights."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from clew.interests.syntax import ANY, And, Compare, Node, Not, Or, Predicate, Topic

Combine = Callable[[Sequence[float]], float]

SIGNS: Final = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}


def either(values: Sequence[float]) -> float:
    """The probability that at least one of several independent events holds."""
    return 1.0 - math.prod(1.0 - value for value in values)


# For each semantics, how AND and how OR combine the values of their parts.
SEMANTICS: Final[Mapping[str, tuple[Combine, Combine]]] = {
    "possibilistic": (min, max),
    "probabilistic": (math.prod, either),
}


def evaluate(node: Node, topics: Mapping[str, float], semantics: str = "possibilistic") -> float:
    """The value of a formula for memberships by name; a missing name counts as 0.

    >>> evaluate(And((Topic("sailing"), Topic("ruegen"))), {"sailing": 0.6, "ruegen": 0.4})
    0.4
    """
    all_of, any_of = SEMANTICS[semantics]

    def value(node: Node) -> float:
        match node:
            case Topic(name):
                return topics.get(name, 1.0 if name == ANY else 0.0)
            case Predicate():
                return topics.get(str(node), 0.0)
            case And(parts, weights):
                return weighted(all_of, list(map(value, parts)), weights)
            case Or(parts, weights):
                return weighted(any_of, list(map(value, parts)), weights)
            case Not(part):
                return 1.0 - value(part)
            case Compare(part, sign, number):
                return float(SIGNS[sign](value(part), number))

    return value(node)


def weighted(combine: Combine, values: Sequence[float], weights: Sequence[float] = ()) -> float:
    """The weighted combination of Fagin and Wimmers: equal weights change nothing, a weight of 0 drops a part.

    >>> round(weighted(min, [0.9, 0.2], [0.7, 0.3]), 4)
    0.48

    A formula for incorporating weights into scoring rules, Theoretical Computer Science 239, 2000.
    """
    if not weights or min(weights) == max(weights):
        return combine(values)
    total = sum(weights)
    order = sorted(range(len(values)), key=lambda i: -weights[i])
    shares = [weights[i] / total for i in order] + [0.0]
    ranked = [values[i] for i in order]
    # The paper's sum over the i parts of greatest weight; terms with a factor of 0 are not worth combining.
    return sum(
        i * (shares[i - 1] - shares[i]) * combine(ranked[:i])
        for i in range(1, len(ranked) + 1)
        if shares[i - 1] > shares[i]
    )
