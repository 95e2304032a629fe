"""An ontology: concepts with their labels, what is more general than what, and what else is related."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from clew.config import unknown
from clew.errors import InterestError

REACH: Final = 2  # steps from the focus beyond which a concept does not count
RELATED: Final = 2  # steps that a relation other than is-a costs
KEYS: Final = ("labels", "broader", "related")


class Concept(NamedTuple):
    """What it is called, and what it is linked to."""

    labels: tuple[str, ...]
    broader: tuple[str, ...] = ()
    related: tuple[str, ...] = ()


Concepts = Mapping[str, Concept]


def steps(concepts: Concepts, focus: Iterable[str]) -> dict[str, int]:
    """The distance of every concept in reach from the nearest wanted one.

    >>> steps({"hotel": Concept((), ("lodging",)), "lodging": Concept((), ("place",)), "place": Concept(())}, ["hotel"])
    {'hotel': 0, 'lodging': 1, 'place': 2}
    """
    ways = _ways(concepts)
    found: dict[str, int] = {}
    edge = {name: 0 for name in focus}
    for distance in range(REACH + 1):
        reached = [name for name, far in edge.items() if far == distance and name not in found]
        found |= dict.fromkeys(reached, distance)
        for name in reached:
            for other, cost in ways[name]:
                edge[other] = min(distance + cost, edge.get(other, REACH + 1))
    return found


def _ways(concepts: Concepts) -> dict[str, list[tuple[str, int]]]:
    ways: dict[str, list[tuple[str, int]]] = {name: [] for name in concepts}
    for name, concept in concepts.items():
        for others, cost in ((concept.broader, 1), (concept.related, RELATED)):
            for other in others:
                ways[name].append((other, cost))
                ways.setdefault(other, []).append((name, cost))
    return ways


class Ontology(NamedTuple):
    """Concepts, and those that the file itself calls wanted."""

    concepts: Concepts
    focus: tuple[str, ...] = ()

    def named(self, words: Iterable[str]) -> list[str]:
        """The concepts of these names or labels, in any case of letters."""
        wanted = {" ".join(word.casefold().split()) for word in words}
        return [
            name
            for name, concept in self.concepts.items()
            if not wanted.isdisjoint(" ".join(each.casefold().split()) for each in (name, *concept.labels))
        ]


def read(path: str) -> Ontology:
    """From a TOML or JSON file; anything else is taken for SKOS or OWL."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        if path.lower().endswith(".toml"):
            return plain(tomllib.loads(data.decode("utf-8")), path)
        if path.lower().endswith(".json"):
            return plain(json.loads(data), path)
    except OSError as error:
        raise InterestError(f"the ontology {path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InterestError(f"the ontology {path} cannot be read: {error}") from None
    from clew.interests.rdf import parse

    return Ontology(parse(data, path))


def plain(data: Any, path: str = "") -> Ontology:
    """From tables: `[concepts.hotel] labels = ["hotel", "inn"], broader = ["lodging"], related = ["city"]`.

    >>> plain({"focus": ["inn"], "concepts": {"inn": {"broader": ["lodging"]}}}).concepts["lodging"].labels
    ('lodging',)
    """
    tables = data.get("concepts") if isinstance(data, dict) else None
    if not isinstance(tables, dict) or not tables:
        raise InterestError(f"the ontology {path} must hold tables such as [concepts.hotel]")
    concepts = {name: _concept(name, table, path) for name, table in tables.items()}
    for concept in [*concepts.values()]:
        for name in (*concept.broader, *concept.related):
            concepts.setdefault(name, Concept((name,)))
    focus = _texts("focus", data.get("focus", []), path)
    for name in focus:
        if name not in concepts:
            raise InterestError(f"the ontology {path}: {unknown('concept', name, [*concepts])}")
    return Ontology(concepts, focus)


def _concept(name: str, table: Any, path: str) -> Concept:
    if not isinstance(table, dict):
        raise InterestError(f"the ontology {path}: concept {name!r} must be a table")
    for key in table:
        if key not in KEYS:
            raise InterestError(f"the ontology {path}: concept {name!r}: {unknown('setting', key, [*KEYS])}")
    parts = {key: _texts(f"{name}.{key}", table.get(key, []), path) for key in KEYS}
    return Concept(parts["labels"] or (name,), parts["broader"], parts["related"])


def _texts(name: str, value: Any, path: str) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InterestError(f"the ontology {path}: {name} must be a list of strings, not {value!r}")
    return tuple(texts)
