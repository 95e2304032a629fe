"""The parts of a formula; `str` of each prints text that parses back to the same part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

ANY: Final = "ANY"
OPERATORS: Final = ("AND", "OR", "NOT")
WORD: Final = r"[\w.][^\s()\"“”„<>=^,&|!]*"
_plain = re.compile(rf"{WORD}( {WORD})*")


@dataclass(frozen=True, slots=True)
class Topic:
    """A node of the taxonomy, or a keyword topic of its own.

    >>> print(Topic("water sports"), Topic("rock and roll"))
    water sports "rock and roll"
    """

    name: str

    def __str__(self) -> str:
        reserved = any(word.upper() in OPERATORS for word in self.name.split(" "))
        return self.name if _plain.fullmatch(self.name) and not reserved else quote(self.name)


@dataclass(frozen=True, slots=True)
class Predicate:
    """A test of a page: `word("baseball")`, `url(".com")`, …"""

    name: str
    argument: str

    def __str__(self) -> str:
        return f"{self.name}({quote(self.argument)})"


@dataclass(frozen=True, slots=True)
class Compare:
    """1 where the part compares with the number, else 0: `topic(sports) >= 0.6`."""

    part: Node
    sign: str
    number: float

    def __str__(self) -> str:
        return f"{_grouped(self.part, And, Or, Not, Compare)} {self.sign} {self.number!r}"


@dataclass(frozen=True, slots=True)
class Not:
    """What its part is not."""

    part: Node

    def __str__(self) -> str:
        return f"NOT {_grouped(self.part, And, Or)}"


@dataclass(frozen=True, slots=True)
class And:
    """All of its parts; weights are as the user wrote them, () when there are none.

    >>> print(And((Topic("sailing"), Topic("ruegen")), (0.7, 0.3)))
    sailing^0.7 AND ruegen^0.3
    """

    parts: tuple[Node, ...]
    weights: tuple[float, ...] = ()

    def __str__(self) -> str:
        return " AND ".join(_weighted(self, And, Or))


@dataclass(frozen=True, slots=True)
class Or:
    """Any of its parts."""

    parts: tuple[Node, ...]
    weights: tuple[float, ...] = ()

    def __str__(self) -> str:
        # An AND needs no parentheses here unless a weight would stick to its last part.
        return " OR ".join(_weighted(self, *((And, Or) if self.weights else (Or,))))


Node = Topic | Predicate | Compare | Not | And | Or
Atom = Topic | Predicate


def atoms(node: Node) -> Iterator[Atom]:
    """Every topic and predicate from left to right, repeated ones once."""
    return iter(dict.fromkeys(_walk(node)))


def quote(text: str) -> str:
    """The text as a quoted string of the formula language."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def joined(kind: type[And] | type[Or], parts: list[Node], weights: list[float]) -> Node:
    """An AND or OR without its repeated parts; a lone part stands for itself."""
    total: dict[Node, float] = {}
    for part, weight in zip(parts, weights or [1.0] * len(parts), strict=True):
        total[part] = max(weight, total.get(part, 0.0))
    if len(total) == 1:
        return next(iter(total))
    return kind(tuple(total), tuple(total.values()) if weights else ())


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
