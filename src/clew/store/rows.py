"""Visits, evidence and examples as rows of crawl.db, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from clew.base.chance import key_of
from clew.store.record import Record
from clew.store.warc import ArchivePosition
from clew.types import Doc, Link, UrlEntry, UrlState

COLUMNS = (
    '"order", slot, url, host, depth, state, reason, status, relevance, relevant, topics, title, language, words, '
    "score, bytes, seconds, at, location, file, offset, length"
)
STATE, RELEVANT, TOPICS = (COLUMNS.split(", ").index(name) for name in ("state", "relevant", "topics"))


def record_of(row: Sequence[Any]) -> Record:
    """A row of `pages` as a record."""
    values = list(row)
    # SQLite knows neither enums, booleans nor mappings.
    values[STATE] = UrlState.from_text(row[STATE])
    values[RELEVANT] = bool(row[RELEVANT])
    values[TOPICS] = json.loads(row[TOPICS])
    return Record(*values)


def row_of(record: Record, place: ArchivePosition) -> tuple[Any, ...]:
    """A visit as a row of `pages`."""
    r = record
    head = (r.order, key_of(r.url), r.slot, r.url, r.host, r.depth, str(r.state), r.reason, r.status, r.relevance)
    judged = (r.relevant, json.dumps(dict(r.topics)), r.title, r.language, r.words)
    return (*head, *judged, r.score, r.bytes, r.seconds, r.at, r.location, *place)


def entry_row(row: tuple[int, UrlEntry]) -> tuple[Any, ...]:
    """The texts of a URL as a row of `candidates`."""
    slot, (url, links, reason) = row
    return slot, url, reason, json.dumps(links)


def plain_of(doc: Doc) -> dict[str, Any]:
    """A document as JSON knows it."""
    return {**asdict(doc), "links": [*doc.links]}


def doc_of(saved: dict[str, Any]) -> Doc:
    """A document that `plain_of` made plain."""
    feeds = tuple((url, title) for url, title in saved.get("feeds", ()))
    return Doc(**{**saved, "links": tuple(Link(*link) for link in saved["links"]), "feeds": feeds})
