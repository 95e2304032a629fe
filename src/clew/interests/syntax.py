"""The nodes of a formula; `str` of a node is text that parses back to an equal node."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

ANY: Final = "ANY"  # the root of every taxonomy, true of every page
OPERATORS: Final = ("AND", "OR", "NOT")
# A word may contain signs such as "+" or "-" (c++, Mecklenburg-Vorpommern), but none that the lexer needs.
WORD: Final = r"[\w.][^\s()\"“”„<>=^,&|!]*"
_plain = re.compile(rf"{WORD}( {WORD})*")


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of the taxonomy, or words that stand for themselves.

    >>> print(Topic("water sports"), Topic("rock and roll"))
    water sports "rock and roll"
    """

    name: str

    def __str__(self) -> str:
        reserved = any(word.upper() in OPERATORS for word in self.name.split(" "))
        if reserved or not _plain.fullmatch(self.name):
            return quote(self.name)
        return self.name


@dataclass(frozen=True, slots=True)
class Predicate:
    """A test of a page: `word("baseball")`, `url(".com")`, …"""

    name: str
    argument: str

    def __str__(self) -> str:
        return f"{self.name}({quote(self.argument)})"


@dataclass(frozen=True, slots=True)
class Compare:
    """1 if the comparison with the number holds, else 0: `topic(sports) >= 0.6`."""

    part: Node
    sign: str
    number: float

    def __str__(self) -> str:
        return f"{_grouped(self.part, And, Or, Not, Compare)} {self.sign} {self.number!r}"


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of its part."""

    part: Node

    def __str__(self) -> str:
        return f"NOT {_grouped(self.part, And, Or)}"


@dataclass(frozen=True, slots=True)
class And:
    """The conjunction of its parts; weights are as the user wrote them, () if there are none.

    >>> print(And((Topic("sailing"), Topic("ruegen")), (0.7, 0.3)))
    sailing^0.7 AND ruegen^0.3
    """

    parts: tuple[Node, ...]
    weights: tuple[float, ...] = ()

    def __str__(self) -> str:
        return " AND ".join(_weighted(self, And, Or))


@dataclass(frozen=True, slots=True)
class Or:
    """The disjunction of its parts."""

    parts: tuple[Node, ...]
    weights: tuple[float, ...] = ()

    def __str__(self) -> str:
        # AND binds tighter and needs no parentheses, unless a weight would stick to its last part.
        if self.weights:
            return " OR ".join(_weighted(self, And, Or))
        return " OR ".join(_weighted(self, Or))


Node = Topic | Predicate | Compare | Not | And | Or
Atom = Topic | Predicate


def atoms(node: Node) -> Iterator[Atom]:
    """Every topic and predicate once, from left to right."""
    return iter(dict.fromkeys(_walk(node)))


def quote(text: str) -> str:
    """The text as a quoted string of the formula language."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def joined(kind: type[And] | type[Or], parts: list[Node], weights: list[float]) -> Node:
    """An AND or OR without repeated parts; a single part needs no operator."""
    weight_of: dict[Node, float] = {}
    for part, weight in zip(parts, weights or [1.0] * len(parts), strict=True):
        weight_of[part] = max(weight, weight_of.get(part, 0.0))
    if len(weight_of) == 1:
        return next(iter(weight_of))
    return kind(tuple(weight_of), tuple(weight_of.values()) if weights else ())


def _walk(node: Node) -> Iterator[Atom]:
    match node:
        case Topic() | Predicate():
            yield node
        case Not(part) | Compare(part):
            yield from _walk(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _walk(part)


def _weighted(node: And | Or, *grouped: type[Node]) -> list[str]:
    texts = [_grouped(part, *grouped) for part in node.parts]
    if not node.weights:
        return texts
    return [f"{text}^{weight!r}" for text, weight in zip(texts, node.weights, strict=True)]


def _grouped(node: Node, *kinds: type[Node]) -> str:
    return f"({node})" if isinstance(node, kinds) else str(node)
