"""Converts visits, in-links and examples to rows of crawl.db, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from clew.base.chance import key_of
from clew.errors import StoreError
from clew.store.record import Record
from clew.store.warc import ArchivePosition
from clew.types import Doc, Judgement, Link, UrlEntry, UrlState

COLUMNS = (
    '"order", slot, url, host, depth, state, reason, status, relevance, relevant, topics, title, language, words, '
    "score, bytes, seconds, at, location, file, offset, length"
)
DAMAGED = "the database holds something that clew did not write (to see what is left: clew check FOLDER):"
_NAMES = COLUMNS.split(", ")
STATE = _NAMES.index("state")
RELEVANT = _NAMES.index("relevant")
TOPICS = _NAMES.index("topics")


def record_of(row: Sequence[Any]) -> Record:
    """A row of `pages` as a record."""
    values = list(row)
    # SQLite has no enums, booleans or mappings.
    values[STATE] = _state_of(row[STATE])
    values[RELEVANT] = bool(row[RELEVANT])
    values[TOPICS] = loaded(row[TOPICS])
    return Record(*values)


def loaded(saved: str) -> Any:
    """The value of a text that clew has written as JSON; SQLite itself does not notice if it is damaged."""
    try:
        return json.loads(saved)
    except (TypeError, ValueError) as error:
        raise StoreError(f"{DAMAGED} {str(saved)[:40]!r} cannot be read") from error


def _state_of(text: str) -> UrlState:
    try:
        return UrlState.from_text(text)
    except StopIteration as error:
        raise StoreError(f"{DAMAGED} there is no state {str(text)[:40]!r}") from error


def row_of(record: Record, place: ArchivePosition) -> tuple[Any, ...]:
    """A visit as a row of `pages`."""
    r = record
    head = (r.order, key_of(r.url), r.slot, r.url, r.host, r.depth, str(r.state), r.reason, r.status, r.relevance)
    judged = (r.relevant, json.dumps(dict(r.topics)), r.title, r.language, r.words)
    return (*head, *judged, r.score, r.bytes, r.seconds, r.at, r.location, *place)


def entry_row(row: tuple[int, UrlEntry]) -> tuple[Any, ...]:
    """A slot and the texts of its URL as a row of `candidates`."""
    slot, (url, links, reason) = row
    return slot, url, reason, json.dumps(links)


def judgement_row(item: tuple[int, Judgement]) -> tuple[Any, ...]:
    """The order of a visit and its new judgement, as the parameters of an update of `pages`."""
    order, judgement = item
    return judgement.relevance, judgement.relevant, json.dumps(dict(judgement.topics)), order


def example_row(place: str, docs: Sequence[Doc]) -> tuple[str, str]:
    """The documents of an example as a row of `examples`."""
    return place, json.dumps([_plain(doc) for doc in docs])


def docs_of(saved: str) -> list[Doc]:
    """The documents that `example_row` has saved."""
    return [_doc(values) for values in loaded(saved)]


def _plain(doc: Doc) -> dict[str, Any]:
    return {**asdict(doc), "links": [*doc.links]}


def _doc(values: dict[str, Any]) -> Doc:
    links = tuple(Link(*link) for link in values["links"])
    # Examples of earlier versions have neither feeds nor headers.
    feeds = tuple((url, title) for url, title in values.get("feeds", ()))
    headers = tuple((name, value) for name, value in values.get("headers", ()))
    # Examples are judged, and their forms are of no use.
    return Doc(**{**values, "links": links, "feeds": feeds, "headers": headers, "forms": ()})
