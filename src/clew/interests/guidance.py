"""The positive parts of a formula: NOT counts when pages are judged, not when links are scored."""

from __future__ import annotations

from typing import Final

from clew.interests.syntax import ANY, And, Compare, Node, Not, Or, Predicate, Topic, joined

OPPOSITE: Final = {">=": "<", ">": "<=", "<": ">=", "<=": ">"}


def guided(node: Node) -> Node:
    """The formula without its negated parts, or ANY if nothing is left; `x < 0.3` counts as negated.

    >>> from clew.interests.parser import parse
    >>> print(guided(parse("sailing AND NOT (ads OR NOT ruegen) AND golf < 0.3")))
    sailing AND ruegen
    """
    return _positive(_inwards(node, negate=False)) or Topic(ANY)


def _inwards(node: Node, negate: bool) -> Node:
    """The formula with negations pushed down to topics and predicates by De Morgan's laws."""
    match node:
        case Not(part):
            return _inwards(part, not negate)
        case Compare(part, sign, number):
            return Compare(part, OPPOSITE[sign] if negate else sign, number)
        case And(parts, weights) | Or(parts, weights):
            kind: type[And] | type[Or] = type(node)
            if negate:
                kind = Or if isinstance(node, And) else And
            return kind(tuple(_inwards(part, negate) for part in parts), weights)
        case Topic() | Predicate():
            return Not(node) if negate else node


def _positive(node: Node) -> Node | None:
    match node:
        case Not() | Compare(_, "<" | "<="):
            return None
        case And(parts, weights) | Or(parts, weights):
            pairs = zip(map(_positive, parts), weights or [1.0] * len(parts), strict=True)
            kept = [(part, weight) for part, weight in pairs if part is not None]
            # If every part that carries weight is negated, what is left says nothing.
            if not any(weight for _, weight in kept):
                return None
            kept_parts = [part for part, _ in kept]
            kept_weights = [weight for _, weight in kept] if weights else []
            return joined(type(node), kept_parts, kept_weights)
        case _:
            return node
