"""Answers that earlier crawls have fetched, for crawls that need them again.

A source is either a cache folder, which many crawls read and fill, even at the same time, or the folder of an earlier
crawl, which is only read. Kept are answers that stand for themselves: documents, redirects, and "there is no such page"
(404, 410). Whatever may be otherwise next time, such as a timeout or a server error, is asked for again.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from clew.base.chance import key_of
from clew.base.trouble import trouble
from clew.errors import RecordLost, StoreError
from clew.parse.url import is_robots_file
from clew.store.database import check_version
from clew.store.folder import connect
from clew.store.labels import LOCK_WAIT_SECONDS
from clew.store.other_answers import load_other_answers
from clew.store.warc import Archive, ArchivePosition
from clew.store.whole import databases
from clew.types import Fetched

CACHE_DATABASE: Final = "cache.db"
GONE: Final = frozenset({404, 410})
DAY_SECONDS: Final = 86_400.0

_ANSWERS: Final = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS answers (
  key INTEGER PRIMARY KEY, url TEXT, at REAL, location TEXT, file TEXT, offset INTEGER, length INTEGER);
"""
# Failures of status 200 may have been cut off; of the other ones, only those count that a cache would keep.
_VISIT: Final = """
SELECT url, at, location, file, offset, length FROM pages WHERE key = ? AND file != '' AND (
  state IN ('fetched', 'duplicate', 'redirected') OR status IN (404, 410) OR (state = 'sitemap' AND status = 200))
"""

log = logging.getLogger("clew.cache")


class Place(NamedTuple):
    """Where an answer is kept."""

    url: str
    at: float
    location: str
    file: str
    offset: int
    length: int


class CacheSource(Protocol):
    """A folder that has answers."""

    folder: Path
    archive: Archive

    def find(self, url: str) -> Place | None:
        """Where the answer of a URL is kept; None if it is not here."""
        ...

    def close(self) -> None:
        """Close its files."""
        ...


class CacheFolder:
    """A cache that crawls fill: an index in SQLite, and WARC files, of which each process writes its own."""

    def __init__(self, folder: Path, max_warc: int = 10**9) -> None:
        self.folder = folder
        self.archive = Archive(folder / "pages", max_warc)
        folder.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(folder / CACHE_DATABASE, timeout=LOCK_WAIT_SECONDS, check_same_thread=False)
        _make(self._db)
        self._db.execute("PRAGMA synchronous = NORMAL")

    def find(self, url: str) -> Place | None:
        """Where the answer of a URL is kept."""
        query = "SELECT url, at, location, file, offset, length FROM answers WHERE key = ?"
        row = self._db.execute(query, (key_of(url),)).fetchone()
        return Place(*row) if row else None

    def put(self, answer: Fetched, at: float) -> None:
        """Keep an answer in place of an earlier one."""
        place = self.archive.append(answer, at)
        # A row must never refer to a record that is not in the archive.
        self.archive.flush()
        row = (key_of(answer.url), answer.url, at, answer.location, *place)
        with self._db:
            self._db.execute("INSERT OR REPLACE INTO answers VALUES (?,?,?,?,?,?,?)", row)

    def close(self) -> None:
        """Close index and archive."""
        self.archive.close()
        self._db.close()


def _make(db: sqlite3.Connection) -> None:
    """Make the table, unless it is there; crawls that begin at the same moment all try."""
    give_up_at = time.monotonic() + LOCK_WAIT_SECONDS
    while True:
        try:
            db.executescript(_ANSWERS)
            return
        except sqlite3.OperationalError as error:
            # SQLite does not wait for another process that changes the journal mode.
            if "locked" not in str(error) or time.monotonic() > give_up_at:
                raise
            time.sleep(0.1)


class EarlierCrawl:
    """The folder of another crawl, which is never written to; it may be running."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.archive = Archive(folder / "pages")
        self._db = connect(folder, reading=True)
        check_version(self._db, folder)
        others = load_other_answers(self._db)
        self._robots = {answer.url: answer for answer in others if is_robots_file(answer.url)}

    def find(self, url: str) -> Place | None:
        """Where the answer of a visit is kept, or that of a robots.txt."""
        if row := self._db.execute(_VISIT, (key_of(url),)).fetchone():
            return Place(*row)
        other = self._robots.get(url)
        return Place(other.url, other.at, "", other.file, other.offset, other.length) if other else None

    def close(self) -> None:
        """Close the database."""
        self._db.close()


class PageCache:
    """All sources of a crawl, asked in the order in which its user named them.

    A cache that cannot be read or written never fails a crawl: the web is asked instead.
    """

    def __init__(self, folders: Sequence[Path], days: float | None, now: Callable[[], float] = time.time) -> None:
        self.days = days
        self._now = now
        self.sources: list[CacheSource] = []
        self.filled: list[CacheFolder] = []
        try:
            for folder in folders:
                self._open(folder)
        except (OSError, sqlite3.Error) as error:
            self.close()
            raise StoreError(trouble(error, folder) or f"cannot use the cache {folder}: {error}") from error

    def _open(self, folder: Path) -> None:
        if found := databases(folder):
            self.sources += [EarlierCrawl(database.parent) for database in found]
            return
        if folder.exists() and any(folder.iterdir()) and not (folder / CACHE_DATABASE).is_file():
            raise StoreError(f"{folder} is neither a crawl folder nor a cache; name a folder that is empty or new")
        made = CacheFolder(folder)
        self.sources.append(made)
        self.filled.append(made)

    def find(self, url: str, max_days: float | None = None) -> Fetched | None:
        """The answer to a request that somebody has made before, unless it is too old."""
        days = min((limit for limit in (self.days, max_days) if limit is not None), default=None)
        for source in self.sources:
            try:
                found = self._read(source, url, days)
            except (RecordLost, OSError, sqlite3.Error) as error:
                log.warning("%s cannot be read from %s: %s", url, source.folder, error)
                continue
            if found:
                return found
        return None

    def put(self, answer: Fetched) -> None:
        """Keep an answer for other crawls, if it is one to keep."""
        if answer.cache or not is_kept(answer):
            return
        for folder in self.filled:
            try:
                folder.put(answer, self._now())
            except (OSError, sqlite3.Error) as error:
                log.warning("%s cannot be kept in %s: %s", answer.url, folder.folder, error)

    def close(self) -> None:
        """Close all sources."""
        for source in self.sources:
            with closing(source):
                pass

    def _read(self, source: CacheSource, url: str, days: float | None) -> Fetched | None:
        place = source.find(url)
        # The key is a hash: two URLs may share it, though hardly ever.
        if place is None or place.url != url:
            return None
        if days is not None and self._now() - place.at > days * DAY_SECONDS:
            return None
        answer = source.archive.read(ArchivePosition(place.file, place.offset, place.length), url)
        return replace(answer, location=place.location, cache=str(source.folder), fetched_at=place.at)


def is_kept(answer: Fetched) -> bool:
    """Whether an answer is kept for other crawls.

    >>> is_kept(Fetched("http://a.example/", 200)), is_kept(Fetched("http://a.example/", 503))
    (True, False)
    """
    if answer.error or answer.truncated or answer.transient:
        return False
    return answer.ok or answer.is_redirect or answer.status in GONE
