"""The archive: every answer as the server sent it, in WARC 1.1 files that other tools can read."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha1
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO, NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from isal import isal_zlib

from clew.parse.body import decoded
from clew.types import Fetched
from clew.version import __version__

# The body is stored without its transfer encoding; headers that describe the encoding would be wrong.
_TRANSFER_HEADERS = {"transfer-encoding", "content-length", "connection", "keep-alive", "trailer"}
_REVISIT_PROFILE = "http://netpreserve.org/warc/1.1/revisit/"
_GZIP_WINDOW_BITS = 31  # the largest window, with a gzip header


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

    def append(self, fetched: Fetched, at: float) -> ArchivePosition:
        """Write an answer; it is in the file after `flush`."""
        if self._file is None or self._size > self.max_bytes:
            self._roll()
        response = _response(fetched, at)
        data = _member(response, sha1(fetched.raw).digest())
        if fetched.rendered:
            data += _member(_conversion(fetched, at, response.record_id or ""))
        return self._write(data)

    def refer(self, fetched: Fetched, at: float, earlier: float) -> ArchivePosition:
        """Write that an answer is the same as an earlier one: the server says so (304), or the bytes are equal."""
        if self._file is None or self._size > self.max_bytes:
            self._roll()
        # An answer 304 has no payload to take the digest of.
        digest = None if fetched.status == HTTPStatus.NOT_MODIFIED else sha1(fetched.raw).digest()
        return self._write(_member(_revisit(fetched, at, earlier), digest))

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
            self._size = last.offset + last.length
            self._file.truncate(self._size)
            self._file.seek(self._size)

    def read(self, place: ArchivePosition, url: str) -> Fetched:
        """Read an answer."""
        with (self.folder / place.file).open("rb") as file:
            file.seek(place.offset)
            data = file.read(place.length)
        records = iter(ArchiveIterator(io.BytesIO(data)))
        fetched = _fetched(next(records), url)
        # If a browser has rendered the page, a conversion record follows the response.
        rendered = next(records, None)
        return replace(fetched, rendered=rendered.reader.read()) if rendered else fetched

    def _roll(self) -> None:
        self.close()
        self.folder.mkdir(parents=True, exist_ok=True)
        last = max((int(path.name[:5]) for path in self.folder.glob("[0-9]*.warc.gz")), default=0)
        # Mode "x": an existing file is never overwritten.
        self._file = (self.folder / f"{last + 1:05d}.warc.gz").open("xb")
        self._size = 0
        self._write(_member(_info(self.agent)))

    def _write(self, data: bytes) -> ArchivePosition:
        assert self._file is not None
        self._file.write(data)
        place = ArchivePosition(Path(self._file.name).name, self._size, len(data))
        self._size += len(data)
        return place


def answers(path: Path) -> Iterator[Fetched]:
    """Every response in a WARC file, whichever tool wrote it."""
    with path.open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response, auto_decode="transfer"):
            yield _fetched(record, record.headers.get("WARC-Target-URI") or "")


def _member(record: WarcRecord, payload_digest: bytes | None = None) -> bytes:
    """The record as a gzip member of its own, which can be read from its offset."""
    plain = io.BytesIO()
    record.write(plain, payload_digest=payload_digest)
    return isal_zlib.compress(plain.getvalue(), level=1, wbits=_GZIP_WINDOW_BITS)


def _response(fetched: Fetched, at: float) -> WarcRecord:
    record = WarcRecord()
    record.init_headers(WarcRecordType.response)
    record.record_date = datetime.fromtimestamp(at, UTC)
    record.headers["WARC-Target-URI"] = fetched.url
    record.headers["Content-Type"] = "application/http; msgtype=response"
    record.set_bytes_content(_head(fetched) + fetched.raw)
    record.is_http = True
    return record


def _conversion(fetched: Fetched, at: float, of: str) -> WarcRecord:
    """The page after its scripts have run, as a conversion of the response record before it."""
    record = WarcRecord()
    record.init_headers(WarcRecordType.conversion)
    record.record_date = datetime.fromtimestamp(at, UTC)
    record.headers["WARC-Target-URI"] = fetched.url
    record.headers["WARC-Refers-To"] = of
    record.headers["Content-Type"] = "text/html; charset=utf-8"
    record.set_bytes_content(fetched.rendered)
    return record


def _revisit(fetched: Fetched, at: float, earlier: float) -> WarcRecord:
    record = WarcRecord()
    record.init_headers(WarcRecordType.revisit)
    record.record_date = datetime.fromtimestamp(at, UTC)
    record.headers["WARC-Target-URI"] = fetched.url
    record.headers["WARC-Refers-To-Target-URI"] = fetched.url
    record.headers["WARC-Refers-To-Date"] = datetime.fromtimestamp(earlier, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    is_not_modified = fetched.status == HTTPStatus.NOT_MODIFIED
    profile = "server-not-modified" if is_not_modified else "identical-payload-digest"
    record.headers["WARC-Profile"] = _REVISIT_PROFILE + profile
    record.headers["Content-Type"] = "application/http; msgtype=response"
    record.set_bytes_content(_head(fetched))
    record.is_http = True
    return record


def _head(fetched: Fetched) -> bytes:
    lines = [f"HTTP/1.1 {fetched.status} {_phrase(fetched.status)}"]
    lines += [f"{name}: {value}" for name, value in fetched.headers if name.lower() not in _TRANSFER_HEADERS]
    lines.append(f"Content-Length: {len(fetched.raw)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Unknown"


def _info(agent: str) -> WarcRecord:
    record = WarcRecord()
    record.init_headers(WarcRecordType.warcinfo)
    record.headers["Content-Type"] = "application/warc-fields"
    record.set_bytes_content(f"software: {agent}\r\nformat: WARC File Format 1.1\r\n".encode())
    return record


def _fetched(record: WarcRecord, url: str) -> Fetched:
    headers = record.http_headers
    raw = record.reader.read()
    body = decoded(raw, headers.get("Content-Encoding") or "")
    return Fetched(url, headers.status_code or 0, tuple(headers.items()), body, raw)
