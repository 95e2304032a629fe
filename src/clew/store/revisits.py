"""Keeps later visits of pages that were crawled: their history, and an archive of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from http import HTTPStatus
from typing import Any, Final

from clew.base.chance import key_of
from clew.errors import RecordLost
from clew.parse import document
from clew.store.damage import REVISITS as TABLE
from clew.store.damage import open_archive
from clew.store.record import CrawlFolder, Record
from clew.store.rows import COLUMNS, record_of
from clew.store.schema import REVISITS
from clew.store.sqlite import SqliteStore
from clew.store.texts import forget_text, has_texts, replace_text
from clew.store.told_settings import settings_in
from clew.store.warc import Archive, ArchivePosition
from clew.types import Fetched

FOLDER: Final = "again"
LAST_ABSORBED: Final = "revisits taken in"
"""The fact that holds the last revisit whose new links are in the frontier; written together with the frontier."""
_COLUMNS: Final = "id, url, at, status, changed, reason, relevance, links, hinted, whole, file, offset, length"


@dataclass(frozen=True, slots=True)
class Revisit:
    """One later visit of a page."""

    url: str
    at: float
    status: int = 0
    changed: bool | None = None  # None if the answer leaves it open
    reason: str = ""
    relevance: float | None = None  # of the new version; None if there is none
    links: int = 0  # links to URLs that the crawl had not seen
    hinted: bool = False  # a sitemap announced a change
    whole: bool = False  # the archive has the answer itself, not just a reference to an earlier one
    place: ArchivePosition = field(default_factory=ArchivePosition)
    id: int = 0


class Revisits:
    """The later visits in an open crawl folder; added visits are durable after `commit`.

    As with the crawl, a record is in the archive before the transaction that refers to it. When the folder is opened,
    the archive is truncated after the last record that a transaction refers to.
    """

    def __init__(self, store: CrawlFolder, max_warc: int = 10**9) -> None:
        # Revisits lie in tables of their own in the same database.
        assert isinstance(store, SqliteStore)
        self.store = store
        self.db = store.db
        self.archive = Archive(store.folder / FOLDER, max_warc)
        self._rows: list[Revisit] = []
        self._texts: dict[str, tuple[str, str]] = {}  # by URL: title and main text of new versions
        if not store.reading:
            self.db.executescript(REVISITS)
            open_archive(self.db, self.archive, TABLE)

    def add(self, visit: Revisit, fetched: Fetched, earlier: float) -> Revisit:
        """Write the answer into the archive, and add the visit to the batch.

        An unchanged page is archived as a reference to the version that was fetched at the time `earlier`.
        """
        if fetched.status:
            with self.store.translate_errors():
                if fetched.status == HTTPStatus.NOT_MODIFIED or (fetched.ok and not visit.whole):
                    place = self.archive.refer(fetched, visit.at, earlier)
                else:
                    place = self.archive.append(fetched, visit.at)
            visit = replace(visit, place=place)
        self._rows.append(visit)
        if visit.whole and self.store.keeps_text:
            scope = settings_in(self.store).scope
            doc = document(fetched, scope, with_main_text=True)
            self._texts[visit.url] = doc.title, doc.main_text
        return visit

    def commit(self) -> None:
        """Write the batch in one transaction."""
        rows = self._rows
        texts = self._texts
        self._rows = []
        self._texts = {}
        with self.store.translate_errors():
            self.archive.flush()
            with self.db:
                marks = ",".join("?" * 13)
                # SQLite assigns the id; the key of the URL takes its place.
                names = _COLUMNS.replace("id", "key", 1)
                self.db.executemany(f"INSERT INTO revisits ({names}) VALUES ({marks})", map(_row, rows))
                self._replace_texts([visit.url for visit in rows if visit.whole], texts)

    def _replace_texts(self, urls: list[str], texts: Mapping[str, tuple[str, str]]) -> None:
        """The index has one version of a page: the newest."""
        if not has_texts(self.db):
            return
        for url in urls:
            if url in texts:
                replace_text(self.db, url, *texts[url])
            else:
                forget_text(self.db, url)

    def all(self, after: int = 0) -> Iterator[Revisit]:
        """Committed visits in order, starting after the given id."""
        return map(_visit, self._find("id > ?", after))

    def of(self, url: str) -> list[Revisit]:
        """The later visits of one page, in order."""
        return list(map(_visit, self._find("key = ?", key_of(url))))

    def record(self, url: str) -> Record | None:
        """The record of the visit by the crawl itself."""
        row = self.db.execute(f"SELECT {COLUMNS} FROM pages WHERE key = ?", (key_of(url),)).fetchone()
        return record_of(row) if row else None

    def version(self, record: Record) -> tuple[Fetched, float]:
        """The latest version of a page that the archive has, and when it was fetched; RecordLost if it has none."""
        for visit in reversed(self.of(record.url)):
            if visit.whole:
                with suppress(RecordLost):
                    return self.archive.read(visit.place, visit.url), visit.at
        return self.store.answer(record), record.at

    def close(self) -> None:
        """Close the archive; the store stays open."""
        self.archive.close()

    def _find(self, where: str, value: int) -> list[tuple[Any, ...]]:
        if not self._exists:
            return []
        return self.db.execute(f"SELECT {_COLUMNS} FROM revisits WHERE {where} ORDER BY id", (value,)).fetchall()

    @cached_property
    def _exists(self) -> bool:
        """Whether the folder has the table; before its first recrawl it has none, and a reader does not create it."""
        return self.db.execute("SELECT 1 FROM pragma_table_info('revisits')").fetchone() is not None


def _row(visit: Revisit) -> tuple[object, ...]:
    head = (key_of(visit.url), visit.url, visit.at, visit.status, visit.changed, visit.reason, visit.relevance)
    return (*head, visit.links, visit.hinted, visit.whole, *visit.place)


def _visit(row: tuple[Any, ...]) -> Revisit:
    number, url, at, status, changed, reason, relevance, links, hinted, whole, *place = row
    return Revisit(
        url=url,
        at=at,
        status=status,
        # NULL stays None: the answer leaves it open.
        changed=None if changed is None else bool(changed),
        reason=reason,
        relevance=relevance,
        links=links,
        hinted=bool(hinted),
        whole=bool(whole),
        place=ArchivePosition(*place),
        id=number,
    )
