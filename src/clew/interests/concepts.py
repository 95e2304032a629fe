"""Ontologies: concepts with labels, broader concepts and related concepts."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from clew.config import unknown
from clew.errors import InterestError

MAX_STEPS_FROM_FOCUS: Final = 2  # concepts farther away do not count
RELATED_STEPS: Final = 2  # the length of a relation other than is-a, which has length 1
KEYS: Final = ("labels", "broader", "related")


class Concept(NamedTuple):
    """The labels of a concept and the concepts it is linked to."""

    labels: tuple[str, ...]
    broader: tuple[str, ...] = ()
    related: tuple[str, ...] = ()


Concepts = Mapping[str, Concept]


def steps(concepts: Concepts, focus: Iterable[str]) -> dict[str, int]:
    """The distance of every concept in reach from the nearest concept of the focus.

    >>> steps({"hotel": Concept((), ("lodging",)), "lodging": Concept((), ("place",)), "place": Concept(())}, ["hotel"])
    {'hotel': 0, 'lodging': 1, 'place': 2}
    """
    neighbours = _neighbours(concepts)
    found: dict[str, int] = {}
    # Dijkstra's algorithm; distances are tiny integers, so a scan for each of them replaces the queue.
    tentative = {name: 0 for name in focus}
    for distance in range(MAX_STEPS_FROM_FOCUS + 1):
        reached = [name for name, far in tentative.items() if far == distance and name not in found]
        found |= dict.fromkeys(reached, distance)
        for name in reached:
            for other, length in neighbours[name]:
                tentative[other] = min(distance + length, tentative.get(other, MAX_STEPS_FROM_FOCUS + 1))
    return found


def _neighbours(concepts: Concepts) -> dict[str, list[tuple[str, int]]]:
    """The concepts linked to each one, in either direction, with the length of the link."""
    found: dict[str, list[tuple[str, int]]] = {name: [] for name in concepts}
    for name, concept in concepts.items():
        for others, length in ((concept.broader, 1), (concept.related, RELATED_STEPS)):
            for other in others:
                found[name].append((other, length))
                found.setdefault(other, []).append((name, length))
    return found


class Ontology(NamedTuple):
    """Concepts, and the focus if the file names one."""

    concepts: Concepts
    focus: tuple[str, ...] = ()

    def matching(self, words: Iterable[str]) -> list[str]:
        """The concepts with one of these names or labels, ignoring case and spacing."""
        wanted = set(map(_normalised, words))
        found = []
        for name, concept in self.concepts.items():
            if not wanted.isdisjoint(map(_normalised, (name, *concept.labels))):
                found.append(name)
        return found


def read(path: str) -> Ontology:
    """Read a TOML or JSON file; anything else is taken for SKOS or OWL."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        if path.lower().endswith(".toml"):
            return plain(tomllib.loads(data.decode("utf-8")), path)
        if path.lower().endswith(".json"):
            return plain(json.loads(data), path)
    except OSError as error:
        raise InterestError(f"cannot read the ontology {path}: {error.strerror}") from None
    except ValueError as error:
        raise InterestError(f"cannot read the ontology {path}: {error}") from None
    # Only here: rdflib is an optional dependency.
    from clew.interests.rdf import parse

    return Ontology(parse(data, path))


def plain(data: Any, path: str = "") -> Ontology:
    """An ontology from tables: `[concepts.hotel] labels = ["hotel", "inn"], broader = ["lodging"], related = ["city"]`.

    >>> plain({"focus": ["inn"], "concepts": {"inn": {"broader": ["lodging"]}}}).concepts["lodging"].labels
    ('lodging',)
    """
    tables = data.get("concepts") if isinstance(data, dict) else None
    if not isinstance(tables, dict) or not tables:
        raise InterestError(f"the ontology {path} must contain tables such as [concepts.hotel]")
    concepts = {name: _concept(name, table, path) for name, table in tables.items()}
    # Concepts that are only referred to need no table of their own. A copy, because they are added on the way.
    for concept in [*concepts.values()]:
        for name in (*concept.broader, *concept.related):
            concepts.setdefault(name, Concept((name,)))
    focus = _texts("focus", data.get("focus", []), path)
    for name in focus:
        if name not in concepts:
            raise InterestError(f"ontology {path}: {unknown('concept', name, [*concepts])}")
    return Ontology(concepts, focus)


def _concept(name: str, table: Any, path: str) -> Concept:
    if not isinstance(table, dict):
        raise InterestError(f"ontology {path}: concept {name!r} must be a table")
    for key in table:
        if key not in KEYS:
            raise InterestError(f"ontology {path}: concept {name!r}: {unknown('setting', key, [*KEYS])}")
    parts = {key: _texts(f"{name}.{key}", table.get(key, []), path) for key in KEYS}
    return Concept(parts["labels"] or (name,), parts["broader"], parts["related"])


def _normalised(text: str) -> str:
    return " ".join(text.casefold().split())


def _texts(name: str, value: Any, path: str) -> tuple[str, ...]:
    # A single string is a common way to write a list of one.
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InterestError(f"ontology {path}: {name} must be a list of strings, not {value!r}")
    return tuple(texts)
