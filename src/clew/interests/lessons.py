"""Lessons: what labelled pages teach the topics of a formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from clew.interests.semantics import evaluate
from clew.interests.syntax import ANY, And, Compare, Node, Not, Or, Predicate, Topic
from clew.types import Doc


class Lesson(NamedTuple):
    """Further examples and counter-examples of a topic."""

    yes: list[Doc]
    no: list[Doc]


class Example(NamedTuple):
    """A document that the user gave for a topic, or against it."""

    topic: str
    doc: Doc
    counts: bool = True  # False: a counter-example


Labels = Iterable[tuple[Doc, bool, Mapping[str, float]]]
"""Labelled documents: each with its label (wanted or not) and its membership in every topic."""


def lessons(node: Node, labels: Labels, semantics: str = "possibilistic") -> dict[str, Lesson]:
    """Examples and counter-examples per topic, in the order of the labels.

    >>> from clew.interests.parser import parse
    >>> found = lessons(parse("sailing AND ruegen"), [(Doc("a"), False, {"sailing": 0.9, "ruegen": 0.1})])
    >>> {name: [doc.url for doc in lesson.no] for name, lesson in found.items()}
    {'ruegen': ['a']}
    """
    found: dict[str, Lesson] = {}
    for doc, wanted, topics in labels:
        for name, belongs in _taught(node, wanted, topics, semantics):
            lesson = found.setdefault(name, Lesson([], []))
            side = lesson.yes if belongs else lesson.no
            side.append(doc)
    return found


def _taught(node: Node, wanted: bool, topics: Mapping[str, float], semantics: str) -> Iterator[tuple[str, bool]]:
    """Each topic the label speaks about, and whether the page belongs to it."""
    match node:
        case Topic(name) if name != ANY:
            yield name, wanted
        case Not(part):
            yield from _taught(part, not wanted, topics, semantics)
        case And(parts) | Or(parts):
            # A wanted OR, like an unwanted AND, is explained by a single part; the label is taken to be about the part
            # that is closest to explaining it already. In the other two cases it holds for every part.
            if isinstance(node, Or) == wanted:
                nearest = max if wanted else min
                parts = (nearest(parts, key=lambda part: evaluate(part, topics, semantics)),)
            for part in parts:
                yield from _taught(part, wanted, topics, semantics)
        # ANY, predicates and comparisons are fixed rules: there is nothing to learn.
        case Topic() | Predicate() | Compare():
            return
