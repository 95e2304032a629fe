"""Concepts from SKOS thesauri and OWL or RDFS class trees, read by rdflib."""

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
    """Every concept and class that has a label or a relation; properties relate their domain to their range."""
    graph, names = _graph(data, path), _names()
    labels = _collected(graph, names["labels"])
    broader = _collected(graph, names["broader"])
    for narrower, subject in _pairs(graph, names["narrower"], turned=True):
        broader.setdefault(narrower, []).append(subject)
    related = _collected(graph, names["related"])
    ranges = _collected(graph, names["ranges"])
    for prop, domain in _pairs(graph, names["domains"]):
        related.setdefault(domain, []).extend(ranges.get(prop, []))
        labels.pop(prop, None)
    found = dict.fromkeys(sorted({*labels, *broader, *related, *_targets(broader), *_targets(related)}))
    if not found:
        raise InterestError(f"the ontology {path} holds no SKOS concepts and no classes")
    return {name: _concept(name, labels, broader, related) for name in found}


def _concept(name: str, *columns: dict[str, list[str]]) -> Concept:
    labels, broader, related = (tuple(dict.fromkeys(column.get(name, []))) for column in columns)
    return Concept(labels or (_local(name),), broader, related)


def _graph(data: bytes, path: str) -> Any:
    require("rdflib", f"RDF ontologies such as {path}", "write it as TOML or JSON")
    import rdflib

    suffix = path[path.rfind(".") :].lower() if "." in path else ""
    try:
        return rdflib.Graph().parse(data=data, format=FORMATS.get(suffix, "turtle"))
    except Exception as error:  # each of its parsers has errors of its own
        raise InterestError(f"the ontology {path} cannot be read: {error}") from None


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
    """Subjects and objects; what has no name of its own (a blank node, such as a restriction) is left out."""
    from rdflib import BNode

    found = [
        (str(subject), str(value))
        for predicate in predicates
        for subject, value in graph.subject_objects(predicate)
        if not isinstance(subject, BNode) and not isinstance(value, BNode)
    ]
    return sorted((value, subject) for subject, value in found) if turned else sorted(found)


def _collected(graph: Any, predicates: tuple[Any, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for subject, value in _pairs(graph, predicates):
        found.setdefault(subject, []).append(value)
    return found


def _targets(column: dict[str, list[str]]) -> set[str]:
    return {value for values in column.values() for value in values}


def _local(name: str) -> str:
    """The readable end of an address: http://example.org/terms#SailingBoat is a Sailing Boat."""
    end = name.rstrip("/#").rpartition("#")[2].rpartition("/")[2].replace("_", " ")
    return "".join(f" {c}" if c.isupper() and i and end[i - 1].islower() else c for i, c in enumerate(end))
