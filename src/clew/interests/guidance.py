"""A formula without its negated parts: pages are judged with them, links are not."""

from __future__ import annotations

from typing import Final

from clew.interests.syntax import ANY, And, Compare, Node, Not, Or, Predicate, Topic, joined

OPPOSITE: Final = {">=": "<", ">": "<=", "<": ">=", "<=": ">"}


def guided(node: Node) -> Node:
    """The positive parts; ANY if there are none. `x < 0.3` is a negated part as well.

    >>> from clew.interests.parser import parse
    >>> print(guided(parse("sailing AND NOT (ads OR NOT ruegen) AND golf < 0.3")))
    sailing AND ruegen
    """
    return _positive(_inwards(node, negate=False)) or Topic(ANY)


def _inwards(node: Node, negate: bool) -> Node:
    """Negations moved to the topics and predicates by De Morgan's laws."""
    match node:
        case Not(part):
            return _inwards(part, not negate)
        case Compare(part, sign, number):
            return Compare(part, OPPOSITE[sign] if negate else sign, number)
        case And(parts, weights) | Or(parts, weights):
            kind = (Or if isinstance(node, And) else And) if negate else type(node)
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
            if not any(weight for _, weight in kept):
                return None
            return joined(type(node), [p for p, _ in kept], [w for _, w in kept] if weights else [])
        case _:
            return node
