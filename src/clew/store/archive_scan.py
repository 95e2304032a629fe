"""Reads archive files record by record, damaged ones included, to compare them with the database."""

from __future__ import annotations

import io
import mmap
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from isal import isal_zlib
from isal.igzip_lib import IsalError

GZIP: Final = b"\x1f\x8b\x08"  # begins a record
GZIP_WINDOW_BITS: Final = 31  # the largest window, with a gzip header
CHUNK_BYTES: Final = 1 << 16
ANSWERS: Final = (WarcRecordType.response, WarcRecordType.revisit)


class ArchivedAnswer(NamedTuple):
    """A record that holds an answer, as far as it matters for finding its visit."""

    url: str
    at: float
    status: int
    is_whole: bool  # the answer itself, not just a reference to an earlier one


class Member(NamedTuple):
    """A stretch of a file: a compressed record, or bytes that are none."""

    offset: int
    length: int
    data: bytes | None  # the record; None if the bytes cannot be read


def answer_in(data: bytes) -> ArchivedAnswer | None:
    """The answer in a record; None if it holds something else. ValueError if it is damaged."""
    # Read to the end: the checksum comes last.
    try:
        answers = [_answer(record) for record in ArchiveIterator(io.BytesIO(data)) if record.record_type in ANSWERS]
    except OSError as error:
        raise ValueError("damaged") from error
    return answers[0] if answers else None


def members(path: Path, start: int, end: int) -> Iterator[Member]:
    """The records between two places of a file; after damage, from the next beginning of a record on."""
    if start >= end:
        return
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        while start < end:
            data, length = _decompressed(content, start, end)
            if data is None:
                following = content.find(GZIP, start + 1, end)
                length = (following if following >= 0 else end) - start
            yield Member(start, length, data)
            start += length


def _decompressed(content: mmap.mmap, start: int, end: int) -> tuple[bytes | None, int]:
    """The record that begins here, and its compressed length; None if there is none."""
    reader = isal_zlib.decompressobj(wbits=GZIP_WINDOW_BITS)
    parts: list[bytes] = []
    place = start
    try:
        while not reader.eof and place < end:
            parts.append(reader.decompress(content[place : min(place + CHUNK_BYTES, end)]))
            place = min(place + CHUNK_BYTES, end)
    except IsalError:  # type: ignore[misc]  # its stub has no base class
        return None, 0
    if not reader.eof:
        return None, 0
    return b"".join(parts), place - len(reader.unused_data) - start


def _answer(record: WarcRecord) -> ArchivedAnswer:
    record.freeze()
    has_digest = "WARC-Payload-Digest" in record.headers
    status = record.http_headers.status_code if record.http_headers else None
    is_whole = record.record_type == WarcRecordType.response
    # A reference has the digest of a payload that it does not hold.
    if is_whole and has_digest and not record.verify_payload_digest():
        raise ValueError("damaged")
    return ArchivedAnswer(
        record.headers.get("WARC-Target-URI") or "", _seconds(record.record_date), status or 0, is_whole
    )


def _seconds(moment: datetime | None) -> float:
    return moment.timestamp() if moment else 0.0
