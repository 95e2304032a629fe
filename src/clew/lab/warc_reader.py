"""Reading WARC files that may be damaged: what can be read is used, what is lost is counted."""

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

WORD: Final = b"WARC/"  # every record begins with it
GZIP: Final = b"\x1f\x8b\x08"
PLAIN: Final = b"\r\n\r\n" + WORD
ENOUGH: Final = 512  # compressed bytes that tell whether a record begins there


@dataclass
class Salvage:
    """The answers in a file; the counts are right when all have been asked for."""

    path: Path
    records: int = 0  # of any kind that were read in full
    lost: int = 0  # that were there and could not be read

    def answers(self) -> Iterator[Fetched]:
        """Every response that is there in full."""
        at: int | None = 0 if self.path.stat().st_size else None
        counted = False  # whether the record to go on with is known to be lost
        with self.path.open("rb") as file:
            while at is not None:
                before, lost = self.records, self.lost
                at, damaged = yield from self._stretch(file, at)
                if damaged and self.lost == lost and not (counted and self.records == before):
                    self.lost += 1
                counted = self.records > before

    def _stretch(self, file: BinaryIO, start: int) -> Generator[Fetched, None, tuple[int | None, bool]]:
        """The answers up to the next damage; where to go on behind it, and whether there was any."""
        file.seek(start)
        last, damaged = start, False
        try:
            for record in ArchiveIterator(file, parse_http=False):
                last = record.stream_pos
                if (fetched := self._read(record)) is not None:
                    yield fetched
        except OSError:
            damaged = True
        further = _beginning(file, last + 1)
        return further, damaged or further is not None

    def _read(self, record: WarcRecord) -> Fetched | None:
        """The answer in a record, if it has one and it is whole."""
        length = record.content_length
        record.freeze()
        if record.content_length < length or "Content-Length" not in record.headers:
            self.lost += 1
            return None
        self.records += 1
        if record.record_type != WarcRecordType.response or not record.is_http:
            return None
        record.parse_http(auto_decode="transfer")
        headers, raw = record.http_headers, record.reader.read()
        body = decoded(raw, headers.get("Content-Encoding") or "")
        url = record.headers.get("WARC-Target-URI") or ""
        return Fetched(url, headers.status_code or 0, tuple(headers.items()), body, raw)


def _beginning(file: BinaryIO, after: int) -> int | None:
    """Where the next record begins."""
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        sign = PLAIN if data[: len(WORD)] == WORD else GZIP
        place = data.find(sign, after)
        while place >= 0 and not _begins(data[place : place + ENOUGH]):
            place = data.find(sign, place + 1)
    return place if place >= 0 else None


def _begins(data: bytes) -> bool:
    """Whether these bytes, or what they are compressed from, look like a record, as far as they go."""
    if data.startswith(PLAIN):
        return True
    try:
        return WORD.startswith(zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data, len(WORD)))
    except zlib.error:
        return False
