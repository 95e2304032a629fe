"""Widening: the three methods of the Ariadne paper to make a formula more general step by step, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from clew.config import unknown
from clew.errors import InterestError
from clew.interests.syntax import And, Compare, Node, Not, Or, Predicate, Topic, atoms, joined
from clew.interests.taxonomy import Taxonomy

WEIGHT_STEP: Final = 0.1  # share of the weight that moves to the rarest part in one step

Counts = Mapping[str, float]
"""How frequent each topic is: the number of visited pages relevant to it, or another number that grows with it."""


def widened(node: Node, method: str, counts: Counts, tree: Taxonomy, ceiling: int = 1) -> Node | None:
    """The next more general formula, or None if there is none.

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
    raise InterestError(unknown("widening method", method, ["drop", "reweight", "taxonomy"]))


def narrowed(node: Node, goal: Node, counts: Counts, tree: Taxonomy) -> Node | None:
    """The formula with its most frequent topic one step nearer to the goal, or None if there is no such step.

    >>> from clew.config import Topic as T
    >>> from clew.interests.parser import parse
    >>> tree = Taxonomy({"sports": T(), "sailing": T("sports"), "islands": T(), "ruegen": T("islands")})
    >>> print(narrowed(parse("sports AND islands"), parse("sailing AND ruegen"), {"sports": 3, "islands": 9}, tree))
    sports AND ruegen
    """
    wanted = [atom.name for atom in atoms(goal) if isinstance(atom, Topic)]
    below: dict[Topic, set[str]] = {}
    for atom in atoms(node):
        if isinstance(atom, Topic) and atom.name not in wanted:
            below[atom] = {child for name in wanted if (child := _child(atom.name, name, tree))}
    # A topic that stands for several of the goal could become any of them.
    single = [topic for topic, children in below.items() if len(children) == 1]
    if not single:
        return None
    frequent = max(single, key=lambda topic: frequency(topic, counts))
    return _replaced(node, frequent, Topic(*below[frequent]))


def _child(above: str, name: str, tree: Taxonomy) -> str:
    """The topic one step below another on the way down to a third; "" if the way does not lead there."""
    line = list(tree.upwards(name))
    return line[line.index(above) - 1] if above in line[1:] else ""


def frequency(node: Node, counts: Counts) -> float:
    """An upper bound for the pages of a part: the rarest part limits an AND, the sum of all parts an OR."""
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
    # Ties: the first part counts as the rarest, the last as the most frequent.
    frequent = max(range(len(node.parts)), key=lambda i: (frequency(node.parts[i], counts), i))
    kept = [i for i in range(len(node.parts)) if i != frequent]
    weights = [node.weights[i] for i in kept] if node.weights else []
    # Weights cannot all be 0: if only parts without weight are left, they count equally.
    return joined(And, [node.parts[i] for i in kept], weights if any(weights) else [])


def _reweighted(node: And, counts: Counts) -> Node | None:
    written = node.weights or (1.0,) * len(node.parts)
    shares = [weight / sum(written) for weight in written]
    rare = min(range(len(shares)), key=lambda i: (frequency(node.parts[i], counts), i))
    if shares[rare] > 1.0 - 1e-9:
        return None
    share = min(1.0, shares[rare] + WEIGHT_STEP)
    # The other parts keep their proportions to each other.
    shrink = (1.0 - share) / (1.0 - shares[rare])
    weights = [share if i == rare else old * shrink for i, old in enumerate(shares)]
    # Without rounding, the errors of repeated steps would show in the printed formula.
    return And(node.parts, tuple(round(weight, 9) for weight in weights))


def _lifted(node: Node, counts: Counts, tree: Taxonomy, ceiling: int) -> Node | None:
    topics = [atom for atom in atoms(node) if isinstance(atom, Topic) and tree.level(atom.name) > ceiling]
    if not topics:
        return None
    rarest = min(topics, key=lambda topic: frequency(topic, counts))
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
    """Change the outermost AND that can change; others wait for a later step."""
    if isinstance(node, And):
        changed = change(node)
        if changed is not None:
            return changed
    if not isinstance(node, And | Or):
        return None
    for i, part in enumerate(node.parts):
        inner = _in_first_and(part, change)
        if inner is not None:
            parts = [*node.parts[:i], inner, *node.parts[i + 1 :]]
            return joined(type(node), parts, list(node.weights))
    return None
