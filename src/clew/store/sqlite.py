"""The crawl folder: crawl.db and the archive, one transaction for a batch of visits."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from clew import config
from clew.config import Config
from clew.errors import FolderInUse, StoreError
from clew.maths.chance import key_of
from clew.parse import parse
from clew.store.record import Record, Rows, page_of
from clew.store.schema import SCHEMA, VERSION
from clew.store.warc import Archive, Place
from clew.types import Doc, Fetched, Known, Link, Page

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_SQLITE_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
RECENT = 300
"""Pages kept at hand in full, because strategies look back mostly at the latest."""
COLUMNS = (
    '"order", slot, url, host, depth, state, reason, status, relevance, relevant, topics, title, language, words, '
    "score, bytes, seconds, at, location, file, offset, length"
)


class SqliteStore:
    """Durable: a kill at any moment loses no committed visit and repeats none.

    A WARC record is on disk before the transaction that names it; on opening, the archive is cut back to the last
    record that a transaction names.
    """

    def __init__(
        self, folder: Path, *, new: Config | None = None, max_warc: int = 10**9, reading: bool = False
    ) -> None:
        """Open a crawl folder: a new one with its settings, or one that exists."""
        self.folder, self.reading = folder, reading
        if not new and not (folder / "crawl.db").exists():
            raise StoreError(f"{folder} is not a crawl folder: it has no crawl.db")
        self._rows: list[tuple[Any, ...]] = []
        self._notes: list[tuple[float, str, str]] = []
        self._recent: dict[str, Page] = {}  # all that is not committed, and some more
        with self._told(), ExitStack() as undo:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = undo.enter_context(nullcontext() if reading else _lock(folder))
            if new:
                _claim(folder)
                config.write(new, folder / "crawl.toml")
                _create(folder / "crawl.db")
            self.archive = Archive(folder / "pages", max_warc)
            self.db = undo.enter_context(closing(self._open()))
            self._prepare()
            undo.pop_all()

    def add(self, record: Record, fetched: Fetched, page: Page | None) -> None:
        """Into the archive and the batch."""
        place = Place()
        if fetched.status:
            with self._told():
                place = self.archive.append(fetched, record.at)
        self._rows.append(_row(record, place))
        if page:
            self._recent[page.url] = page

    def commit(self, shelf: Rows, progress: Mapping[str, Any], checkpoint: Mapping[str, bytes] | None = None) -> None:
        """One transaction: visits, evidence, notes, where the crawl stands and, if given, the checkpoint."""
        with self._told():
            self.archive.flush()
            with self.db:
                self.db.executemany(f"INSERT INTO pages VALUES ({','.join('?' * 23)})", self._rows)
                self.db.executemany("INSERT OR REPLACE INTO candidates VALUES (?,?,?,?)", map(_shelf_row, shelf))
                self.db.executemany("INSERT INTO journal VALUES (?,?,?)", self._notes)
                self.db.execute("INSERT OR REPLACE INTO meta VALUES ('progress', ?)", (json.dumps(progress),))
                if checkpoint:
                    self.db.execute("DELETE FROM checkpoints")
                    self.db.executemany("INSERT INTO checkpoints VALUES (?,?)", checkpoint.items())
        self._rows, self._notes = [], []
        for url in list(self._recent)[:-RECENT]:
            del self._recent[url]

    def known(self, slots: Sequence[int]) -> dict[int, Known]:
        """Evidence from the shelf."""
        found = {}
        for start in range(0, len(slots), 500):
            part = slots[start : start + 500]
            marks = ",".join("?" * len(part))
            query = f"SELECT slot, url, reason, links FROM candidates WHERE slot IN ({marks})"
            for slot, url, reason, links in self.db.execute(query, part):
                found[slot] = Known(url, tuple(Link(*link) for link in json.loads(links)), reason)
        return found

    def page(self, url: str) -> Page | None:
        """A visited page, its text and links read again from the archive."""
        if url in self._recent:
            return self._recent[url]
        query = f"SELECT {COLUMNS} FROM pages WHERE key = ? AND state != 'redirected'"
        row = self.db.execute(query, (key_of(url),)).fetchone()
        return self.whole(record_of(row))[0] if row else None

    def pages(self) -> Iterator[Page]:
        """All visited pages but redirect hops."""
        last = -1
        for record in self.visits():
            last = record.order
            if record.state != "redirected":
                yield self._recent.get(record.url) or self.whole(record)[0]
        yield from [page for page in self._recent.values() if page.order > last]

    def visits(self, after: int = -1) -> Iterator[Record]:
        """Visits in their order, those after a given one."""
        query = f'SELECT {COLUMNS} FROM pages WHERE "order" > ? ORDER BY "order"'
        return map(record_of, self.db.execute(query, (after,)))

    def whole(self, record: Record) -> tuple[Page, Fetched]:
        """A visit with everything that was known of it then."""
        fetched, doc = Fetched(record.url, record.status), Doc(record.url)
        if record.file:
            fetched = self.archive.read(Place(record.file, record.offset, record.length), record.url)
        if record.state == "fetched":
            doc = parse(fetched.body, record.url, fetched.header("content-type"))
        entry = self.known([record.slot]).get(record.slot)
        return page_of(record, doc, entry.links if entry else ()), fetched

    def checkpoint(self) -> dict[str, bytes]:
        """The parts of the last checkpoint; empty when there is none."""
        return dict(self.db.execute("SELECT part, data FROM checkpoints"))

    def progress(self) -> dict[str, Any]:
        """Where the crawl stood at the last commit."""
        return dict(json.loads(self.get("progress", "{}")))

    def keep(self, examples: Mapping[str, list[Doc]]) -> None:
        """Keep what the interest was made from."""
        rows = [(place, json.dumps([_plain(doc) for doc in docs])) for place, docs in examples.items()]
        with self._told(), self.db:
            self.db.executemany("INSERT OR REPLACE INTO examples VALUES (?,?)", rows)

    def examples(self) -> dict[str, list[Doc]]:
        """What the interest was made from."""
        rows = self.db.execute("SELECT place, docs FROM examples")
        return {place: [_doc(saved) for saved in json.loads(docs)] for place, docs in rows}

    def note(self, event: str, detail: str) -> None:
        """Into the journal with the next commit."""
        self._notes.append((time.time(), event, detail))

    def set(self, name: str, value: str) -> None:
        """A fact about the whole crawl, durable at once."""
        with self._told(), self.db:
            self.db.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (name, value))

    def get(self, name: str, default: str = "") -> str:
        """A fact about the whole crawl."""
        row = self.db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else default

    def close(self) -> None:
        """Let go of the folder."""
        self.archive.close()
        self.db.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> sqlite3.Connection:
        where = (self.folder / "crawl.db").absolute().as_uri()
        if not self.reading:
            return sqlite3.connect(f"{where}?mode=rw", uri=True)
        # On a disk that cannot be written SQLite cannot share the log; without a log there is nothing to share.
        alone = not os.access(self.folder, os.W_OK) and not (self.folder / "crawl.db-wal").exists()
        return sqlite3.connect(f"{where}?mode=ro{'&immutable=1' if alone else ''}", uri=True)

    def _prepare(self) -> None:
        found = self.db.execute("PRAGMA user_version").fetchone()[0]
        if found != VERSION:
            raise StoreError(f"{self.folder}/crawl.db has version {found}; this clew reads version {VERSION}")
        if not self.reading:
            self.db.execute("PRAGMA synchronous = NORMAL")
            self.archive.cut(self._last())

    def _last(self) -> Place:
        query = "SELECT file, offset, length FROM pages WHERE file > '' ORDER BY \"order\" DESC LIMIT 1"
        row = self.db.execute(query).fetchone()
        return Place(*row) if row else Place()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Failures of disk and database become one message that says what to do."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            if getattr(error, "errno", 0) in _FULL or getattr(error, "sqlite_errorcode", 0) & 0xFF in _SQLITE_FULL:
                message = f"no room left on the disk of {self.folder}; nothing that was committed is lost: "
                raise StoreError(f"{message}make room, then `clew resume {self.folder}`") from error
            raise StoreError(f"cannot use {self.folder}: {error}") from error


def record_of(row: Sequence[Any]) -> Record:
    """A row of `pages` as a record."""
    values = list(row)
    values[9], values[10] = bool(row[9]), json.loads(row[10])
    return Record(*values)


def _row(record: Record, place: Place) -> tuple[Any, ...]:
    r = record
    head = (r.order, key_of(r.url), r.slot, r.url, r.host, r.depth, r.state, r.reason, r.status, r.relevance)
    judged = (r.relevant, json.dumps(dict(r.topics)), r.title, r.language, r.words)
    return (*head, *judged, r.score, r.bytes, r.seconds, r.at, r.location, *place)


def _shelf_row(row: tuple[int, Known]) -> tuple[Any, ...]:
    slot, (url, links, reason) = row
    return slot, url, reason, json.dumps(links)


def _plain(doc: Doc) -> dict[str, Any]:
    return {**asdict(doc), "links": [*doc.links]}


def _doc(saved: dict[str, Any]) -> Doc:
    return Doc(**{**saved, "links": tuple(Link(*link) for link in saved["links"])})


def _create(path: Path) -> None:
    """An empty database under its name only when it is whole: readers and kills never meet half of it."""
    draft = path.with_suffix(".part")
    draft.unlink(missing_ok=True)
    with closing(sqlite3.connect(draft)) as db:
        db.executescript(f"PRAGMA journal_mode = WAL; BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
    os.replace(draft, path)


def _claim(folder: Path) -> None:
    """Refuse a folder that holds a crawl, or files of the user's that a crawl would overwrite."""
    settings = folder / "crawl.toml"
    if (folder / "crawl.db").exists():
        raise StoreError(f"{folder} holds a crawl already; `clew resume {folder}` continues it")
    ours = settings.exists() and settings.read_text(encoding="utf-8", errors="replace").startswith(config.WRITTEN)
    if (settings.exists() and not ours) or any((folder / "pages").glob("*")):
        raise StoreError(f"{folder} holds files of its own (crawl.toml or pages/); choose another folder")


def _lock(folder: Path) -> IO[str]:
    file = (folder / "lock").open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise FolderInUse(f"{folder} is in use by another crawl; wait for it or choose another folder") from None
    return file
