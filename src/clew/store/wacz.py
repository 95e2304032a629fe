"""Writes pages of a crawl as a WACZ 1.1.1 file: a ZIP archive of WARC, index, list of pages and their digests."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import count as count_from
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from clew.store.record import Record
from clew.store.records import Records
from clew.store.warc_export import IndexEntry, WarcCopy
from clew.store.warc_records import date
from clew.types import UrlState
from clew.version import __version__

WACZ_VERSION: Final = "1.1.1"
MAX_WARC_BYTES: Final = 10**9  # beyond 2 GiB a ZIP archive has other headers, which players do not read
PAGES_HEADER: Final = {"format": "json-pages-1.0", "id": "pages", "title": "Pages"}
MAX_SPOOLED_BYTES: Final = 10_000_000  # of the list of pages in memory; a longer one waits on the disk
_WWW: Final = re.compile(r"^www\d*\.")


def write_wacz(
    records: Records, chosen: Iterable[Record], file: IO[bytes], text: Callable[[Record], str] | None = None
) -> int:
    """Write the chosen pages as a WACZ file, on request with their text for full-text search; return their number."""
    copy = WarcCopy(records)
    count = 0
    with tempfile.SpooledTemporaryFile(MAX_SPOOLED_BYTES) as pages, ZipFile(file, "w") as archive:
        package = _Package(archive)
        _write_line(pages, PAGES_HEADER | {"hasText": text is not None})
        for record in _copied(copy, chosen, package):
            count += 1
            if record.state == UrlState.FETCHED:
                _write_line(pages, _page(records, record, text))
        with package.resource("indexes/index.cdx") as index:
            index.writelines(sorted(map(cdxj, copy.index)))
        with package.resource("pages/pages.jsonl") as listed:
            pages.seek(0)
            shutil.copyfileobj(pages, listed)
        package.close(records.config.what.interest or "A crawl by clew")
    return count


def _copied(copy: WarcCopy, chosen: Iterable[Record], package: _Package) -> Iterator[Record]:
    """Fill WARC files of a moderate size; yield the visits that are in."""
    sources = copy.sources(chosen)
    for number in count_from(1):
        name = f"{number:05d}.warc.gz"
        # A WARC is compressed already, and players read single records of it.
        with package.resource(f"archive/{name}", ZIP_STORED) as file:
            copy.begin(file, name)
            for source in sources:
                if copy.add(source) and isinstance(source, Record):
                    yield source
                if copy.size > MAX_WARC_BYTES:
                    break
            else:
                return


def cdxj(entry: IndexEntry) -> bytes:
    """The line of a record in the index: sortable URL, time, and where to find it."""
    fields = {
        "url": entry.url,
        "mime": entry.mime,
        "status": str(entry.status),
        "digest": entry.digest,
        "length": str(entry.place.length),
        "offset": str(entry.place.offset),
        "filename": entry.place.file,
    }
    stamp = re.sub(r"\D", "", entry.date)[:14]
    return f"{surt(entry.url)} {stamp} {json.dumps(fields)}\n".encode()


def surt(url: str) -> str:
    """The URL with its host reversed, so that the pages of a domain stand together.

    >>> surt("https://www.example.org/Docs?b=2&a=1"), surt("http://a.org:8080/")
    ('org,example)/docs?a=1&b=2', 'org,a:8080)/')
    >>> surt("urn:clew:rendered:http://a.org/")
    'urn:clew:rendered:http://a.org/'
    """
    scheme, _, rest = url.lower().partition("://")
    if scheme not in ("http", "https"):
        return url
    place, _, path = rest.partition("/")
    name, colon, port = place.partition(":")
    key = ",".join(reversed(_WWW.sub("", name).split(".")))
    before, mark, query = path.partition("?")
    return f"{key}{colon}{port})/{before}{mark}{'&'.join(sorted(query.split('&')))}"


class _Package:
    """The resources of a ZIP archive with their digests, which are its last two files."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._resources: list[dict[str, Any]] = []

    @contextmanager
    def resource(self, path: str, compression: int = ZIP_DEFLATED) -> Iterator[IO[bytes]]:
        """Open a file of the archive for writing."""
        with self._archive.open(_zip_info(path, compression), "w") as member:
            digest = _Digest(member)
            yield digest  # type: ignore[misc]  # it has the methods that writers use
        name = path.rpartition("/")[2]
        self._resources.append({"name": name, "path": path, "hash": digest.text, "bytes": digest.size})

    def close(self, title: str) -> None:
        """Write the description of the package, and its digest."""
        about = {
            "profile": "data-package",
            "wacz_version": WACZ_VERSION,
            "title": title,
            "software": f"clew/{__version__}",
            "created": date(int(time.time())),
            "resources": self._resources,
        }
        description = json.dumps(about, indent=2, ensure_ascii=False).encode()
        self._archive.writestr(_zip_info("datapackage.json"), description)
        seal = {"path": "datapackage.json", "hash": f"sha256:{sha256(description).hexdigest()}"}
        self._archive.writestr(_zip_info("datapackage-digest.json"), json.dumps(seal, indent=2))


class _Digest:
    """Passes on what is written to a file, and takes its digest."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = sha256()
        self.size = 0

    def write(self, data: bytes) -> int:
        self._hash.update(data)
        self.size += len(data)
        return self._file.write(data)

    def writelines(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            self.write(line)

    @property
    def text(self) -> str:
        return f"sha256:{self._hash.hexdigest()}"


def _page(records: Records, record: Record, text: Callable[[Record], str] | None) -> dict[str, Any]:
    page = {"id": str(record.order), "url": record.url, "ts": date(record.at), "title": record.title or record.url}
    return page | {"text": text(record)} if text else page


def _write_line(file: IO[bytes], values: dict[str, Any]) -> None:
    file.write(json.dumps(values, ensure_ascii=False).encode() + b"\n")


def _zip_info(path: str, compression: int = ZIP_DEFLATED) -> ZipInfo:
    info = ZipInfo(path, time.gmtime()[:6])
    info.compress_type = compression
    return info
