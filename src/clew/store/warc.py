"""The archive: every answer as the server sent it, in WARC 1.1 files that other tools can read."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from clew.errors import RecordLost
from clew.parse.body import decoded
from clew.store import warc_records
from clew.types import Fetched
from clew.version import __version__

# Earlier versions wrote rendered pages as conversions.
_RENDERED = WarcRecordType.resource | WarcRecordType.conversion
_ANSWERS = WarcRecordType.response | WarcRecordType.revisit


class ArchivePosition(NamedTuple):
    """The place of a record in the archive."""

    file: str = ""
    offset: int = 0
    length: int = 0


class Archive:
    """Appends records to numbered files, and begins a new file when one is full."""

    def __init__(self, folder: Path, max_bytes: int = 10**9, agent: str = f"clew/{__version__}") -> None:
        self.folder = folder
        self.max_bytes = max_bytes
        self.agent = agent
        self._file: BinaryIO | None = None
        self._size = 0
        self._used = 0  # the highest number of a file that must not be used again

    def append(self, fetched: Fetched, at: float) -> ArchivePosition:
        """Write an answer; it is in the file after `flush`."""
        if self._file is None or self._size > self.max_bytes:
            self._roll()
        return self._write(warc_records.answer(fetched, at))

    def refer(self, fetched: Fetched, at: float, earlier: float) -> ArchivePosition:
        """Write that an answer is the same as an earlier one: the server says so (304), or the bytes are equal."""
        if self._file is None or self._size > self.max_bytes:
            self._roll()
        return self._write(warc_records.revisit(fetched, at, earlier))

    def flush(self) -> None:
        """Hand all written records to the operating system."""
        if self._file:
            self._file.flush()

    def close(self) -> None:
        """Close the current file."""
        if self._file:
            self._file.close()
            self._file = None

    def cut(self, last: ArchivePosition) -> None:
        """Remove everything after the last record that counts, and continue there."""
        self.close()
        for path in sorted(self.folder.glob("*.warc.gz")):
            if path.name > last.file:
                path.unlink()
        if last.file:
            self._file = (self.folder / last.file).open("r+b")
            # Never longer than it is: what is missing cannot be brought back by zeros.
            self._size = min(last.offset + last.length, self._file.seek(0, os.SEEK_END))
            self._file.truncate(self._size)
            self._file.seek(self._size)

    def leave(self, last: str) -> None:
        """Leave all files as they are, and continue with a new one; `last` is the last file that was ever used."""
        self.close()
        self._used = number_of(last)

    def read(self, place: ArchivePosition, url: str) -> Fetched:
        """Read an answer; RecordLost if it is missing or damaged."""
        data = self.data(place, url)
        try:
            # The response comes first; the page as a browser has rendered it follows, if one has.
            records = iter(ArchiveIterator(io.BytesIO(data), record_types=_ANSWERS | _RENDERED))
            fetched = _fetched(next(records), url)
            rendered = next(records, None)
            return replace(fetched, rendered=rendered.reader.read()) if rendered else fetched
        except (OSError, StopIteration) as error:
            raise RecordLost(f"the answer of {url} is lost: its record in {place.file} is damaged") from error

    def data(self, place: ArchivePosition, url: str) -> bytes:
        """The bytes of the records of an answer, compressed; RecordLost if they are not all there."""
        try:
            with (self.folder / place.file).open("rb") as file:
                file.seek(place.offset)
                data = file.read(place.length)
        except FileNotFoundError:
            raise RecordLost(f"the answer of {url} is lost: the file {place.file} is missing") from None
        if len(data) < place.length:
            raise RecordLost(f"the answer of {url} is lost: the file {place.file} ends before it")
        return data

    def _roll(self) -> None:
        self.close()
        self.folder.mkdir(parents=True, exist_ok=True)
        last = max((number_of(path.name) for path in self.folder.glob("[0-9]*.warc.gz")), default=0)
        last = max(last, self._used)
        while self._file is None:
            last += 1
            # Mode "x": an existing file is never overwritten. In a cache another process may have been faster.
            with suppress(FileExistsError):
                self._file = (self.folder / f"{last:05d}.warc.gz").open("xb")
        self._size = 0
        self._write(warc_records.info(self.agent))

    def _write(self, data: bytes) -> ArchivePosition:
        assert self._file is not None
        self._file.write(data)
        place = ArchivePosition(Path(self._file.name).name, self._size, len(data))
        self._size += len(data)
        return place


def number_of(file: str) -> int:
    """The number of a file of the archive.

    >>> number_of("00012.warc.gz")
    12
    """
    return int(file[:5] or 0)


def answers(path: Path) -> Iterator[Fetched]:
    """Every response in a WARC file, whichever tool wrote it."""
    with path.open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response, auto_decode="transfer"):
            yield _fetched(record, record.headers.get("WARC-Target-URI") or "")


def _fetched(record: WarcRecord, url: str) -> Fetched:
    headers = record.http_headers
    raw = record.reader.read()
    body = decoded(raw, headers.get("Content-Encoding") or "")
    return Fetched(url, headers.status_code or 0, tuple(headers.items()), body, raw)
