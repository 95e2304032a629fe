"""Brings the record of a visit up to date with the newest version of its page."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from clew.config import Scope
from clew.errors import RecordLost
from clew.parse import document
from clew.store.record import LOST, RESULTS, Record
from clew.store.revisits import FOLDER, Revisit
from clew.store.warc import Archive


def updated(
    record: Record, visits: Sequence[Revisit], archive: Archive, scope: Scope, threshold: float, is_labelled: bool
) -> Record:
    """The record with the content of the newest version of its page, or the reason why the page has none any more.

    A label of the user overrides the judgement of the newest version.
    """
    conclusive = [visit for visit in visits if visit.changed is not None]
    if conclusive and conclusive[-1].reason:
        record = replace(record, reason=f"since then {conclusive[-1].reason}")
    for visit in reversed(visits):
        if visit.whole:
            # A version that is lost leaves the one before it as the newest.
            with suppress(RecordLost):
                return _in_version(record, visit, archive, scope, threshold, is_labelled)
    return record


def _in_version(
    record: Record, newest: Revisit, archive: Archive, scope: Scope, threshold: float, is_labelled: bool
) -> Record:
    # The archive reads files relative to the folder of the first versions; with shards, they are known by their paths.
    file = newest.place.file
    place = newest.place._replace(file=file if "/" in file else f"../{FOLDER}/{file}")
    fetched = archive.read(place, record.url)
    doc = document(fetched, scope)
    relevance = newest.relevance or 0.0
    is_dropped = (doc.noindex and scope.noindex == "drop") or RESULTS in record.reason
    is_relevant = relevance >= threshold and not is_dropped
    return replace(
        record,
        status=newest.status,
        reason=record.reason.removesuffix(LOST).removesuffix("; "),
        relevance=record.relevance if is_labelled else relevance,
        relevant=record.relevant if is_labelled else is_relevant,
        # Revisits do not keep the topics of a new version, and those of the first are out of date.
        topics={},
        title=record.title if doc.media else doc.title,
        language=doc.language,
        words=sum(doc.terms.values()),
        bytes=len(fetched.raw),
        at=newest.at,
        file=place.file,
        offset=place.offset,
        length=place.length,
    )
