"""What a label on a page says about the topics of a formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from clew.interests.semantics import evaluate
from clew.interests.syntax import ANY, And, Compare, Node, Not, Or, Predicate, Topic
from clew.types import Doc


class Lesson(NamedTuple):
    """Further examples of a topic."""

    yes: list[Doc]
    no: list[Doc]


Said = Iterable[tuple[Doc, bool, Mapping[str, float]]]
"""Documents, whether they are wanted, and their membership in every topic."""


def lessons(node: Node, said: Said, semantics: str = "possibilistic") -> dict[str, Lesson]:
    """Examples and counter-examples for each topic, in the order of the labels.

    >>> from clew.interests.parser import parse
    >>> found = lessons(parse("sailing AND ruegen"), [(Doc("a"), False, {"sailing": 0.9, "ruegen": 0.1})])
    >>> {name: [doc.url for doc in lesson.no] for name, lesson in found.items()}
    {'ruegen': ['a']}
    """
    found: dict[str, Lesson] = {}
    for doc, wanted, topics in said:
        for name, belongs in _meant(node, wanted, topics, semantics):
            lesson = found.setdefault(name, Lesson([], []))
            (lesson.yes if belongs else lesson.no).append(doc)
    return found


def _meant(node: Node, wanted: bool, topics: Mapping[str, float], semantics: str) -> Iterator[tuple[str, bool]]:
    """What must hold of the topics. Where one part is enough, the one is meant that is nearest to it already."""
    match node:
        case Topic(name) if name != ANY:
            yield name, wanted
        case Not(part):
            yield from _meant(part, not wanted, topics, semantics)
        case And(parts) | Or(parts):
            if isinstance(node, Or) == wanted:
                nearest = max if wanted else min
                parts = (nearest(parts, key=lambda part: evaluate(part, topics, semantics)),)
            for part in parts:
                yield from _meant(part, wanted, topics, semantics)
        case Topic() | Predicate() | Compare():
            return  # they do not learn
