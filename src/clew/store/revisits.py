"""Later visits of the pages of a crawl: their history, and an archive of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from http import HTTPStatus
from typing import Final

from clew.base.chance import key_of
from clew.store.record import Record
from clew.store.rows import COLUMNS, record_of
from clew.store.schema import REVISITS
from clew.store.sqlite import SqliteStore
from clew.store.warc import Archive, ArchivePosition
from clew.types import Fetched

FOLDER: Final = "again"
TAKEN: Final = "revisits taken in"
"""The fact up to which revisit the frontier has the new links; written with the frontier itself."""
_COLUMNS: Final = "id, url, at, status, changed, reason, relevance, links, hinted, whole, file, offset, length"


@dataclass(frozen=True, slots=True)
class Revisit:
    """One later visit of a page."""

    url: str
    at: float
    status: int = 0
    changed: bool | None = None  # None: the answer does not tell
    reason: str = ""
    relevance: float | None = None  # of the new version; None: as before
    links: int = 0  # to URLs that the crawl did not know
    hinted: bool = False  # a sitemap had told of a change
    whole: bool = False  # the answer is in the archive, not just a reference to an earlier one
    place: ArchivePosition = field(default_factory=ArchivePosition)
    id: int = 0


class Revisits:
    """The history in a crawl folder that is open; what was added is durable after `commit`.

    As with the crawl, a record is in the archive before the transaction that names it, and on opening the archive is
    cut back to the last record that was named.
    """

    def __init__(self, store: SqliteStore, max_warc: int = 10**9) -> None:
        self.store, self.db = store, store.db
        self.archive = Archive(store.folder / FOLDER, max_warc)
        self._rows: list[Revisit] = []
        if not store.reading:
            self.db.executescript(REVISITS)
            self.archive.cut(self._last())

    def add(self, visit: Revisit, fetched: Fetched, earlier: float) -> Revisit:
        """Into the archive and the batch; `earlier` is when the version came to which a mere reference refers."""
        if fetched.status:
            with self.store.translate_errors():
                if fetched.status == HTTPStatus.NOT_MODIFIED or (fetched.ok and not visit.whole):
                    place = self.archive.refer(fetched, visit.at, earlier)
                else:
                    place = self.archive.append(fetched, visit.at)
            visit = replace(visit, place=place)
        self._rows.append(visit)
        return visit

    def commit(self) -> None:
        """One transaction for the batch."""
        rows, self._rows = self._rows, []
        with self.store.translate_errors():
            self.archive.flush()
            with self.db:
                marks = ",".join("?" * 13)
                names = _COLUMNS.replace("id", "key", 1)
                self.db.executemany(f"INSERT INTO revisits ({names}) VALUES ({marks})", map(_row, rows))

    def all(self, after: int = 0) -> Iterator[Revisit]:
        """What was committed, in its order."""
        return map(_visit, self._find("id > ?", after))

    def of(self, url: str) -> list[Revisit]:
        """The history of one page."""
        return list(map(_visit, self._find("key = ?", key_of(url))))

    def record(self, url: str) -> Record | None:
        """The visit of the crawl itself."""
        row = self.db.execute(f"SELECT {COLUMNS} FROM pages WHERE key = ?", (key_of(url),)).fetchone()
        return record_of(row) if row else None

    def version(self, record: Record) -> tuple[Fetched, float]:
        """The latest version of a page that is in the archive, and when it came."""
        for visit in reversed(self.of(record.url)):
            if visit.whole:
                return self.archive.read(visit.place, visit.url), visit.at
        return self.store.archive.read(
            ArchivePosition(record.file, record.offset, record.length), record.url
        ), record.at

    def close(self) -> None:
        """Let go of the archive; the store stays open."""
        self.archive.close()

    def _find(self, where: str, value: int) -> list[tuple[object, ...]]:
        if not self._begun:
            return []
        return self.db.execute(f"SELECT {_COLUMNS} FROM revisits WHERE {where} ORDER BY id", (value,)).fetchall()

    @cached_property
    def _begun(self) -> bool:
        """Whether there is a history; not in a folder that was opened for reading before its first recrawl."""
        return self.db.execute("SELECT 1 FROM sqlite_master WHERE name = 'revisits'").fetchone() is not None

    def _last(self) -> ArchivePosition:
        query = "SELECT file, offset, length FROM revisits WHERE file > '' ORDER BY id DESC LIMIT 1"
        row = self.db.execute(query).fetchone()
        return ArchivePosition(*row) if row else ArchivePosition()


def _row(visit: Revisit) -> tuple[object, ...]:
    head = (key_of(visit.url), visit.url, visit.at, visit.status, visit.changed, visit.reason, visit.relevance)
    return (*head, visit.links, visit.hinted, visit.whole, *visit.place)


def _visit(row: tuple[object, ...]) -> Revisit:
    number, url, at, status, changed, reason, relevance, links, hinted, whole, *place = row
    told = None if changed is None else bool(changed)
    values = url, at, status, told, reason, relevance, links, bool(hinted), bool(whole)
    return Revisit(*values, ArchivePosition(*place), number)  # type: ignore[arg-type]
