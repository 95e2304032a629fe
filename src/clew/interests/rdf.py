"""Concepts from SKOS thesauri and from OWL or RDFS class hierarchies, read with rdflib."""

from __future__ import annotations

from typing import Any, Final

from clew.base.extras import require
from clew.errors import InterestError
from clew.interests.concepts import Concept

FORMATS: Final = {
    ".ttl": "turtle", ".n3": "n3", ".nt": "nt", ".jsonld": "json-ld", ".rdf": "xml", ".owl": "xml", ".skos": "xml",
    ".xml": "xml",
}  # fmt: skip


def parse(data: bytes, path: str) -> dict[str, Concept]:
    """Every concept and class with a label or a relation; a property relates its domain to its range."""
    graph = _graph(data, path)
    names = _names()
    labels = _collected(graph, names["labels"])
    broader = _collected(graph, names["broader"])
    for narrower, subject in _pairs(graph, names["narrower"], turned=True):
        broader.setdefault(narrower, []).append(subject)
    related = _collected(graph, names["related"])
    ranges = _collected(graph, names["ranges"])
    for prop, domain in _pairs(graph, names["domains"]):
        related.setdefault(domain, []).extend(ranges.get(prop, []))
        # A property is a relation, not a concept of its own.
        labels.pop(prop, None)
    # Sorted, because the order of a set depends on the hash seed.
    found = sorted({*labels, *broader, *related, *_targets(broader), *_targets(related)})
    if not found:
        raise InterestError(f"the ontology {path} contains neither SKOS concepts nor classes")
    return {name: _concept(name, labels, broader, related) for name in found}


def _concept(
    name: str, labels: dict[str, list[str]], broader: dict[str, list[str]], related: dict[str, list[str]]
) -> Concept:
    return Concept(_once(labels, name) or (_local(name),), _once(broader, name), _once(related, name))


def _once(column: dict[str, list[str]], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(column.get(name, [])))


def _graph(data: bytes, path: str) -> Any:
    require("rdflib", f"RDF ontologies such as {path}", "write it as TOML or JSON")
    import rdflib

    suffix = path[path.rfind(".") :].lower() if "." in path else ""
    try:
        return rdflib.Graph().parse(data=data, format=FORMATS.get(suffix, "turtle"))
    # Each parser of rdflib raises errors of its own.
    except Exception as error:
        raise InterestError(f"cannot read the ontology {path}: {error}") from None


def _names() -> dict[str, tuple[Any, ...]]:
    from rdflib.namespace import OWL, RDFS, SKOS

    return {
        "labels": (SKOS.prefLabel, SKOS.altLabel, SKOS.hiddenLabel, RDFS.label),
        "broader": (SKOS.broader, SKOS.broadMatch, RDFS.subClassOf),
        "narrower": (SKOS.narrower, SKOS.narrowMatch),
        "related": (SKOS.related, SKOS.relatedMatch, OWL.equivalentClass),
        "domains": (RDFS.domain,),
        "ranges": (RDFS.range,),
    }


def _pairs(graph: Any, predicates: tuple[Any, ...], turned: bool = False) -> list[tuple[str, str]]:
    """The sorted pairs of subject and object, or of object and subject; blank nodes are left out."""
    from rdflib import BNode

    found: list[tuple[str, str]] = []
    for predicate in predicates:
        for subject, value in graph.subject_objects(predicate):
            # A blank node, such as a restriction of OWL, has no name of its own.
            if isinstance(subject, BNode) or isinstance(value, BNode):
                continue
            pair = (str(value), str(subject)) if turned else (str(subject), str(value))
            found.append(pair)
    return sorted(found)


def _collected(graph: Any, predicates: tuple[Any, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for subject, value in _pairs(graph, predicates):
        found.setdefault(subject, []).append(value)
    return found


def _targets(column: dict[str, list[str]]) -> set[str]:
    found: set[str] = set()
    found.update(*column.values())
    return found


def _local(name: str) -> str:
    """The readable end of an address: http://example.org/terms#SailingBoat is a Sailing Boat."""
    end = name.rstrip("/#").rpartition("#")[2].rpartition("/")[2].replace("_", " ")
    words = ""
    for before, character in zip(" " + end, end, strict=False):
        if before.islower() and character.isupper():
            words += " "
        words += character
    return words
