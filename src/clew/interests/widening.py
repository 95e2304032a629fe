"""The three ways of the Ariadne paper to make a formula more general, one step at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from clew.config import unknown
from clew.errors import InterestError
from clew.interests.syntax import And, Compare, Node, Not, Or, Predicate, Topic, atoms, joined
from clew.interests.taxonomy import Taxonomy

STEP: Final = 0.1  # weight that goes to the rarest part in one step

Counts = Mapping[str, float]
"""How frequent each topic is: the visited pages relevant to it alone, or another number that grows with them."""


def widened(node: Node, method: str, counts: Counts, tree: Taxonomy, ceiling: int = 1) -> Node | None:
    """The next more general formula, or None where there is none.

    >>> from clew.interests.parser import parse
    >>> print(widened(parse("sailing AND ruegen"), "drop", {"sailing": 3, "ruegen": 9}, Taxonomy()))
    sailing
    """
    match method:
        case "drop":
            return _in_first_and(node, lambda found: _dropped(found, counts))
        case "reweight":
            return _in_first_and(node, lambda found: _reweighted(found, counts))
        case "taxonomy":
            return _lifted(node, counts, tree, ceiling)
    raise InterestError(unknown("way to widen", method, ["drop", "reweight", "taxonomy"]))


def frequency(node: Node, counts: Counts) -> float:
    """Pages of a part: a topic's own; an AND has no more than its rarest, an OR than all of them."""
    match node:
        case Topic(name):
            return counts.get(name, 0)
        case Predicate():
            return counts.get(str(node), 0)
        case Not(part) | Compare(part):
            return frequency(part, counts)
        case And(parts):
            return min(frequency(part, counts) for part in parts)
        case Or(parts):
            return sum(frequency(part, counts) for part in parts)


def _dropped(node: And, counts: Counts) -> Node | None:
    # Of equally frequent parts the first is taken for the rarest and the last for the most frequent.
    frequent = max(range(len(node.parts)), key=lambda i: (frequency(node.parts[i], counts), i))
    kept = [i for i in range(len(node.parts)) if i != frequent]
    weights = [node.weights[i] for i in kept] if node.weights else []
    return joined(And, [node.parts[i] for i in kept], weights if any(weights) else [])


def _reweighted(node: And, counts: Counts) -> Node | None:
    given = node.weights or (1.0,) * len(node.parts)
    shares = [weight / sum(given) for weight in given]
    rare = min(range(len(shares)), key=lambda i: (frequency(node.parts[i], counts), i))
    if shares[rare] > 1.0 - 1e-9:
        return None
    share = min(1.0, shares[rare] + STEP)
    rest = (1.0 - share) / (1.0 - shares[rare])
    weights = [share if i == rare else old * rest for i, old in enumerate(shares)]
    return And(node.parts, tuple(round(weight, 9) for weight in weights))


def _lifted(node: Node, counts: Counts, tree: Taxonomy, ceiling: int) -> Node | None:
    topics = [atom for atom in atoms(node) if isinstance(atom, Topic) and tree.level(atom.name) > ceiling]
    if not topics:
        return None
    rarest = min(topics, key=lambda topic: frequency(topic, counts))  # the first of equals
    return _replaced(node, rarest, Topic(tree.parent(rarest.name)))


def _replaced(node: Node, old: Topic, new: Topic) -> Node:
    match node:
        case And(parts, weights) | Or(parts, weights):
            return joined(type(node), [_replaced(part, old, new) for part in parts], list(weights))
        case Not(part):
            return Not(_replaced(part, old, new))
        case Compare(part, sign, number):
            return Compare(_replaced(part, old, new), sign, number)
        case _:
            return new if node == old else node


def _in_first_and(node: Node, change: Callable[[And], Node | None]) -> Node | None:
    """The outermost AND that can change does; further ones wait for a later step."""
    if isinstance(node, And) and (changed := change(node)) is not None:
        return changed
    if not isinstance(node, And | Or):
        return None
    for i, part in enumerate(node.parts):
        if (inner := _in_first_and(part, change)) is not None:
            parts = [*node.parts[:i], inner, *node.parts[i + 1 :]]
            return joined(type(node), parts, list(node.weights))
    return None
