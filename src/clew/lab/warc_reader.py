"""Reads WARC files that may be damaged: whole records are used, lost ones are counted."""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from clew.parse.body import decoded
from clew.types import Fetched

MAGIC: Final = b"WARC/"  # every record begins with it
GZIP: Final = b"\x1f\x8b\x08"  # begins a compressed record
PLAIN: Final = b"\r\n\r\n" + MAGIC  # the end of an uncompressed record, and the beginning of the next
PROBE_BYTES: Final = 512  # compressed bytes that are enough to tell whether a record begins there


@dataclass
class WarcReader:
    """Reads the responses in a file; the counts are final when all responses have been read."""

    path: Path
    records: int = 0  # of any kind that were read completely
    lost: int = 0  # records that could not be read

    def responses(self) -> Iterator[Fetched]:
        """Every response that is complete."""
        start: int | None = 0 if self.path.stat().st_size else None
        # Whether the record at `start` is already counted as lost: a damaged record may stop the reader twice.
        is_counted = False
        with self.path.open("rb") as file:
            while start is not None:
                records_before = self.records
                lost_before = self.lost
                start, is_damaged = yield from self._stretch(file, start)
                has_progress = self.records > records_before
                if is_damaged and self.lost == lost_before and (has_progress or not is_counted):
                    self.lost += 1
                is_counted = has_progress

    def _stretch(self, file: BinaryIO, start: int) -> Generator[Fetched, None, tuple[int | None, bool]]:
        """The responses up to the next damage; returns where to continue, and whether there was damage."""
        file.seek(start)
        last = start
        is_damaged = False
        try:
            for record in ArchiveIterator(file, parse_http=False):
                last = record.stream_pos
                if (fetched := self._read(record)) is not None:
                    yield fetched
        except OSError:
            is_damaged = True
        # The iterator may also stop without an error; another record behind its end shows that it stopped early.
        following = _next_record(file, last + 1)
        return following, is_damaged or following is not None

    def _read(self, record: WarcRecord) -> Fetched | None:
        """The response in a record; None if it is something else, or incomplete."""
        length = record.content_length
        # Freezing reads the content: what is shorter than announced was cut off.
        record.freeze()
        if record.content_length < length or "Content-Length" not in record.headers:
            self.lost += 1
            return None
        self.records += 1
        if record.record_type != WarcRecordType.response or not record.is_http:
            return None
        record.parse_http(auto_decode="transfer")
        headers = record.http_headers
        raw = record.reader.read()
        body = decoded(raw, headers.get("Content-Encoding") or "")
        url = record.headers.get("WARC-Target-URI") or ""
        return Fetched(url, headers.status_code or 0, tuple(headers.items()), body, raw)


def _next_record(file: BinaryIO, after: int) -> int | None:
    """Where the next record begins; None if there is none."""
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        sign = PLAIN if data[: len(MAGIC)] == MAGIC else GZIP
        place = data.find(sign, after)
        # The three bytes of gzip also occur by chance, inside compressed data.
        while place >= 0 and not _begins_record(data[place : place + PROBE_BYTES]):
            place = data.find(sign, place + 1)
    return place if place >= 0 else None


def _begins_record(data: bytes) -> bool:
    """Whether these bytes, decompressed if need be, look like the beginning of a record."""
    if data.startswith(PLAIN):
        return True
    try:
        return MAGIC.startswith(zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data, len(MAGIC)))
    except zlib.error:
        return False
