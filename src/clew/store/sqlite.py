"""The crawl folder: crawl.db and the archive, one transaction for a batch of visits."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from clew import config
from clew.base.chance import key_of
from clew.config import Config, Scope, migration
from clew.errors import StoreError
from clew.parse import document
from clew.store.folder import claim, connect, create, lock, translate_errors
from clew.store.host_state import load_host_state, save_host_state
from clew.store.labels import Label, valid
from clew.store.record import Record, Rows, page_of
from clew.store.rows import COLUMNS, doc_of, entry_row, plain_of, record_of, row_of
from clew.store.schema import HOST_STATE, LABELS, VERSION
from clew.store.warc import Archive, ArchivePosition
from clew.types import Doc, Fetched, HostState, Judgement, Link, Page, UrlEntry, UrlState

_CHUNK = 500  # visits read at once: a query that stays open would be in the way of other processes
RECENT = 300
"""Pages kept at hand in full, because strategies look back mostly at the latest."""


def open_folder(
    folder: Path, *, new: Config | None = None, max_warc: int = 10**9, reading: bool = False
) -> SqliteStore:
    """A crawl folder: a new one with its settings, or one that exists."""
    return SqliteStore(folder, new=new, max_warc=max_warc, reading=reading)


class SqliteStore:
    """Durable: a kill at any moment loses no committed visit and repeats none.

    A WARC record is on disk before the transaction that names it; on opening, the archive is cut back to the last
    record that a transaction names.
    """

    def __init__(
        self, folder: Path, *, new: Config | None = None, max_warc: int = 10**9, reading: bool = False
    ) -> None:
        """Open a crawl folder: a new one with its settings, or one that exists."""
        self.folder = folder
        self.reading = reading
        if not new and not (folder / "crawl.db").exists():
            raise StoreError(f"{folder} is not a crawl folder: it has no crawl.db")
        self._rows: list[tuple[Any, ...]] = []
        self._notes: list[tuple[float, str, str]] = []
        self._recent: dict[str, Page] = {}  # all that is not committed, and some more
        self._again: dict[int, Judgement] = {}  # visit -> its new judgement
        self._taken: list[tuple[int, int]] = []  # visits before, label
        self._facts: dict[str, str] = {}
        self._new = new
        with self.translate_errors(), ExitStack() as undo:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = undo.enter_context(nullcontext() if reading else lock(folder))
            if new:
                claim(folder)
                config.write(new, folder / "crawl.toml")
                create(folder / "crawl.db")
            self.archive = Archive(folder / "pages", max_warc)
            self.db = undo.enter_context(closing(connect(folder, reading)))
            self._prepare()
            undo.pop_all()

    def add(self, record: Record, fetched: Fetched, page: Page | None) -> None:
        """Into the archive and the batch."""
        place = ArchivePosition()
        if fetched.status:
            with self.translate_errors():
                place = self.archive.append(fetched, record.at)
        self._rows.append(row_of(record, place))
        if page:
            self._recent[page.url] = page

    def commit(self, entries: Rows, progress: Mapping[str, Any], checkpoint: Mapping[str, bytes] | None = None) -> None:
        """One transaction: visits, evidence, notes, where the crawl stands and, if given, the checkpoint."""
        with self.translate_errors():
            self.archive.flush()
            with self.db:
                self.db.executemany(f"INSERT INTO pages VALUES ({','.join('?' * 23)})", self._rows)
                self.db.executemany("INSERT OR REPLACE INTO candidates VALUES (?,?,?,?)", map(entry_row, entries))
                self.db.executemany("INSERT INTO journal VALUES (?,?,?)", self._notes)
                self.db.executemany(
                    'UPDATE pages SET relevance = ?, relevant = ?, topics = ? WHERE "order" = ?',
                    ((j.relevance, j.relevant, json.dumps(dict(j.topics)), order) for order, j in self._again.items()),
                )
                self.db.executemany("UPDATE labels SET taken = ? WHERE id = ?", self._taken)
                facts = {**self._facts, "progress": json.dumps(progress)}
                self.db.executemany("INSERT OR REPLACE INTO meta VALUES (?,?)", facts.items())
                if checkpoint:
                    self.db.execute("DELETE FROM checkpoints")
                    self.db.executemany("INSERT INTO checkpoints VALUES (?,?)", checkpoint.items())
        self._rows = []
        self._notes = []
        self._taken = []
        self._again = {}
        self._facts = {}
        for url in list(self._recent)[:-RECENT]:
            del self._recent[url]

    def entries(self, slots: Sequence[int]) -> dict[int, UrlEntry]:
        """Evidence from the shelf."""
        found = {}
        for start in range(0, len(slots), 500):
            part = slots[start : start + 500]
            marks = ",".join("?" * len(part))
            query = f"SELECT slot, url, reason, links FROM candidates WHERE slot IN ({marks})"
            for slot, url, reason, links in self.db.execute(query, part):
                found[slot] = UrlEntry(url, tuple(Link(*link) for link in json.loads(links)), reason)
        return found

    def page(self, url: str) -> Page | None:
        """A visited page, its text and links read again from the archive."""
        if url in self._recent:
            return self._recent[url]
        query = f"SELECT {COLUMNS} FROM pages WHERE key = ? AND state != 'redirected'"
        row = self.db.execute(query, (key_of(url),)).fetchone()
        return self.whole(self._record(row))[0] if row else None

    def pages(self) -> Iterator[Page]:
        """All visited pages but redirect hops."""
        last = -1
        for record in self.visits():
            last = record.order
            if record.state != UrlState.REDIRECTED:
                yield self._recent.get(record.url) or self.whole(record)[0]
        yield from [page for page in self._recent.values() if page.order > last]

    def visits(self, after: int = -1) -> Iterator[Record]:
        """Visits in their order, those after a given one."""
        query = f'SELECT {COLUMNS} FROM pages WHERE "order" > ? ORDER BY "order" LIMIT {_CHUNK}'
        while rows := self.db.execute(query, (after,)).fetchall():
            yield from map(self._record, rows)
            after = rows[-1][0]

    def whole(self, record: Record) -> tuple[Page, Fetched]:
        """A visit with everything that was known of it then."""
        fetched, doc = self._read(record)
        entry = self.entries([record.slot]).get(record.slot)
        return page_of(record, doc, entry.links if entry else ()), fetched

    def docs(self) -> Iterator[tuple[Record, Doc]]:
        """Every document with its visit; all must be committed."""
        return ((record, self._read(record)[1]) for record in self.visits() if record.state == UrlState.FETCHED)

    def doc(self, url: str) -> Doc | None:
        """The document of a visited page."""
        row = self.db.execute(f"SELECT {COLUMNS} FROM pages WHERE key = ?", (key_of(url),)).fetchone()
        return self._read(self._record(row))[1] if row else None

    def checkpoint(self) -> dict[str, bytes]:
        """The parts of the last checkpoint; empty when there is none."""
        return dict(self.db.execute("SELECT part, data FROM checkpoints"))

    def progress(self) -> dict[str, Any]:
        """Where the crawl stood at the last commit."""
        return migration.progress(json.loads(self.get("progress", "{}")))

    def keep(self, examples: Mapping[str, list[Doc]]) -> None:
        """Keep what the interest was made from."""
        rows = [(place, json.dumps([plain_of(doc) for doc in docs])) for place, docs in examples.items()]
        with self.translate_errors(), self.db:
            self.db.executemany("INSERT OR REPLACE INTO examples VALUES (?,?)", rows)

    def examples(self) -> dict[str, list[Doc]]:
        """What the interest was made from."""
        rows = self.db.execute("SELECT place, docs FROM examples")
        return {place: [doc_of(saved) for saved in json.loads(docs)] for place, docs in rows}

    def note(self, event: str, detail: str) -> None:
        """Into the journal with the next commit."""
        self._notes.append((time.time(), event, detail))

    def save_host_state(self, host_state: HostState) -> None:
        """Keep what a host asks of us, at once."""
        with self.translate_errors():
            save_host_state(self.db, host_state)

    def load_host_state(self, seconds: float) -> list[HostState]:
        """What hosts have asked of us, and how fast those were that were visited in the last seconds."""
        return load_host_state(self.db, seconds)

    def judge(self, order: int, url: str, judgement: Judgement) -> None:
        """Another judgement of a page, durable with the next commit, seen from now on."""
        self._again[order] = judgement
        if url in self._recent:
            self._recent[url] = replace(self._recent[url], **judgement._asdict())

    def labels(self) -> list[Label]:
        """What the user has said and is not taken in yet, of the pages that redirects have led to."""
        return valid(self.db, self.get("interest"), taken=(False,))

    def mark_applied(self, label: Label, order: int) -> None:
        """Note that a label was taken in, with the next commit."""
        self._taken.append((order, label.id))

    def said(self, interest: str = "") -> list[Label]:
        """What was taken in and holds under an interest, or that of now, of the pages that redirects have led to."""
        return valid(self.db, interest or self.get("interest"), taken=(True,))

    def set(self, name: str, value: str) -> None:
        """A fact about the whole crawl, with the next commit."""
        self._facts[name] = value

    def get(self, name: str, default: str = "") -> str:
        """A fact about the whole crawl."""
        if name in self._facts:
            return self._facts[name]
        row = self.db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else default

    def close(self) -> None:
        """Let go of the folder, also when the disk is full: what is lost then was not committed."""
        with suppress(OSError):
            self.archive.close()
        self.db.close()
        if self._lock is not None:
            self._lock.close()

    def translate_errors(self) -> AbstractContextManager[None]:
        """Failures of disk and database become one message that says what to do."""
        return translate_errors(self.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _prepare(self) -> None:
        found = self.db.execute("PRAGMA user_version").fetchone()[0]
        if found != VERSION:
            raise StoreError(f"{self.folder}/crawl.db has version {found}; this clew reads version {VERSION}")
        if not self.reading:
            self.db.execute("PRAGMA synchronous = NORMAL")
            self.db.execute(LABELS)
            self.db.execute(HOST_STATE)
            self.archive.cut(self._last())

    def _record(self, row: Sequence[Any]) -> Record:
        record = record_of(row)
        again = self._again.get(record.order)
        return replace(record, **again._asdict()) if again else record

    @cached_property
    def _scope(self) -> Scope:
        """By which the pages of the archive are read."""
        return (self._new or config.read_folder(self.folder)).scope

    def _read(self, record: Record) -> tuple[Fetched, Doc]:
        fetched = Fetched(record.url, record.status)
        doc = Doc(record.url)
        if record.file:
            fetched = self.archive.read(ArchivePosition(record.file, record.offset, record.length), record.url)
        if record.state == UrlState.FETCHED:
            doc = document(fetched, self._scope)
        return fetched, doc

    def _last(self) -> ArchivePosition:
        query = "SELECT file, offset, length FROM pages WHERE file > '' ORDER BY \"order\" DESC LIMIT 1"
        row = self.db.execute(query).fetchone()
        return ArchivePosition(*row) if row else ArchivePosition()
