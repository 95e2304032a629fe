"""A visit of the crawl as later visits have changed it: the newest version of its page that is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.config import Scope
from clew.parse import document
from clew.store.record import Record
from clew.store.revisits import FOLDER, Revisit
from clew.store.warc import Archive, ArchivePosition


def updated(
    record: Record, visits: Sequence[Revisit], archive: Archive, scope: Scope, threshold: float, said: bool
) -> Record:
    """The record with what its page says now, or why it says nothing any more; `said`: the user has judged the page.

    The topics of a newer version are not kept. Its answer is in a folder beside that of the first versions.
    """
    told = [visit.reason for visit in visits if visit.changed is not None]
    if told and told[-1]:
        record = replace(record, reason=f"since then {told[-1]}")
    new = next((visit for visit in reversed(visits) if visit.whole), None)
    if new is None:
        return record
    place = ArchivePosition(f"../{FOLDER}/{new.place.file}", new.place.offset, new.place.length)
    fetched = archive.read(place, record.url)
    doc = document(fetched, scope)
    relevance = new.relevance or 0.0
    counts = relevance >= threshold and not (doc.noindex and scope.noindex == "drop")
    return replace(
        record,
        status=new.status,
        relevance=record.relevance if said else relevance,
        relevant=record.relevant if said else counts,
        topics={},
        title=doc.title,
        language=doc.language,
        words=sum(doc.terms.values()),
        bytes=len(fetched.raw),
        at=new.at,
        file=place.file,
        offset=place.offset,
        length=place.length,
    )
