"""The main text of a page: the one that is kept, or one that is extracted from the archive when it is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.errors import RecordLost
from clew.parse.extractors import extractor_named
from clew.store.texts import text_of

if TYPE_CHECKING:
    from clew.store.record import Record
    from clew.store.records import Records


def main_text_of(records: Records, record: Record, extractor: str) -> str:
    """The main text in the version that the record refers to; "" if the archive has lost the answer."""
    extract = extractor_named(extractor)
    if extractor == "clew" and _is_newest(records, record):
        kept = text_of(records.store.db, record.order)
        if kept is not None:
            return kept
    if not record.file and not record.is_lost:
        return ""
    try:
        fetched = records.store.answer(record)
    except RecordLost as error:
        records.store.lost.note(record, error)
        return ""
    return extract(fetched, records.config.scope)


def _is_newest(records: Records, record: Record) -> bool:
    """Whether the kept text is of this version: of each page, the newest is kept."""
    newest = records.latest(record)
    return (newest.file, newest.offset) == (record.file, record.offset)
