"""Copies chosen pages of a crawl folder into one WARC file, with the records that belong to them."""

from __future__ import annotations

import gzip
import io
import logging
import zlib
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import IO, Final, NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from clew.errors import StoreError
from clew.parse.url import host, is_robots_file
from clew.store import warc_records
from clew.store.other_answers import OtherAnswer, load_other_answers
from clew.store.record import Record
from clew.store.records import Records
from clew.store.warc import ArchivePosition
from clew.version import __version__

log: Final = logging.getLogger("clew.export")


class IndexEntry(NamedTuple):
    """A record of the file that can be looked up by its URL."""

    url: str
    date: str  # its WARC-Date
    mime: str
    status: int
    digest: str
    place: ArchivePosition = ArchivePosition()


class Member(NamedTuple):
    """One record of an archive, compressed."""

    data: bytes
    entry: IndexEntry | None  # None for records that are not looked up


class WarcCopy:
    """Copies records into WARC files as they are, so that all digests stay; remembers where it has put them."""

    def __init__(self, records: Records) -> None:
        self._archive = records.store.archive
        self._db = records.store.db
        self.index: list[IndexEntry] = []

    def begin(self, file: IO[bytes], name: str) -> None:
        """Begin a file."""
        self._file = file
        self._name = name
        self.size = 0
        self._write(Member(warc_records.info(f"clew/{__version__}"), None))

    def sources(self, chosen: Iterable[Record]) -> Iterator[Record | OtherAnswer]:
        """The chosen visits, then what belongs to no visit: robots.txt of their hosts, scripts of rendered pages."""
        hosts: set[str] = set()
        for record in chosen:
            hosts.add(record.host)
            yield record
        for answer in load_other_answers(self._db):
            if not is_robots_file(answer.url) or host(answer.url) in hosts:
                yield answer

    def add(self, source: Record | OtherAnswer) -> bool:
        """Copy the records of an answer: response, request, and the page as rendered; whether there are any."""
        if not source.file:
            return False
        place = ArchivePosition(source.file, source.offset, source.length)
        try:
            data = self._archive.data(place, source.url)
            # Checks the sums of all members: a damaged one would make the rest of the file unreadable.
            gzip.decompress(data)
            copied = list(members(data))
        except (OSError, EOFError, zlib.error, StoreError) as error:
            log.warning("%s is left out because its record cannot be read: %s", source.url, error)
            return False
        for member in copied:
            self._write(member)
        return True

    def _write(self, member: Member) -> None:
        self._file.write(member.data)
        if member.entry:
            place = (self._name, self.size, len(member.data))
            self.index.append(member.entry._replace(place=ArchivePosition(*place)))
        self.size += len(member.data)


def write_warc(records: Records, chosen: Iterable[Record], file: IO[bytes]) -> int:
    """Write the chosen pages as a WARC file; return their number."""
    copy = WarcCopy(records)
    copy.begin(file, "")
    return sum(copy.add(source) and isinstance(source, Record) for source in copy.sources(chosen))


def members(data: bytes) -> Iterator[Member]:
    """The records in the bytes of a visit, one by one; a rendered page gets the form of today."""
    starts = [record.stream_pos for record in ArchiveIterator(io.BytesIO(data), parse_http=False)]
    answer_id = ""
    for start, end in pairwise([*starts, len(data)]):
        part = data[start:end]
        record = next(iter(ArchiveIterator(io.BytesIO(part))))
        if record.record_type == WarcRecordType.conversion:
            # Earlier versions gave it the URL of the page, and other tools would take it for the answer.
            part = _of_today(record, answer_id)
            record = next(iter(ArchiveIterator(io.BytesIO(part))))
        elif record.record_type == WarcRecordType.response:
            answer_id = record.record_id or ""
        yield Member(part, _entry(record))


def _of_today(record: WarcRecord, answer_id: str) -> bytes:
    url = record.headers.get("WARC-Target-URI") or ""
    return warc_records.rendered(url, record.reader.read(), record.record_date.timestamp(), answer_id)


def _entry(record: WarcRecord) -> IndexEntry | None:
    headers = record.headers
    url = headers.get("WARC-Target-URI") or ""
    date = headers.get("WARC-Date") or ""
    digest = headers.get("WARC-Payload-Digest") or ""
    if record.record_type == WarcRecordType.response:
        mime = record.http_content_type or "unk"
        return IndexEntry(url, date, mime, record.http_headers.status_code or 0, digest)
    if record.record_type == WarcRecordType.resource:
        return IndexEntry(url, date, "text/html", 200, digest)
    return None
