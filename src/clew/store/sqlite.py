"""A store in a crawl folder: crawl.db and the WARC archive, with one transaction for a batch of visits."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from clew import config
from clew.base.chance import key_of
from clew.config import Config, Scope, migration
from clew.errors import RecordLost
from clew.parse import document
from clew.store.checkpoints import write_checkpoint
from clew.store.checksums import verified
from clew.store.damage import OTHERS, PAGES, open_archive
from clew.store.database import SHARDS, check_version, database_of, is_whole
from clew.store.earlier_judgements import EarlierJudgements
from clew.store.folder import claim, connect, create, lock, translate_errors
from clew.store.head import HeadBook, HostNow, Waiting
from clew.store.host_state import load_host_state, save_host_state
from clew.store.labels import Label, create_labels, valid_labels
from clew.store.lost_pages import LostPages
from clew.store.mailbox import Mailbox, MailRows
from clew.store.merged import merged
from clew.store.orders import OrderBook
from clew.store.other_answers import OtherAnswers
from clew.store.pieces import in_one
from clew.store.reasons import Reason, ReasonBook, TopicReason
from clew.store.record import LOST, Content, Record, Rows, page_of, whole_content
from clew.store.rows import COLUMNS, docs_of, entry_row, example_row, judgement_row, loaded, record_of, row_of
from clew.store.schema import EARLIER_JUDGEMENTS, HOST_STATE, ORDERS, OTHER_ANSWERS, REASONS, WAITING_HOSTS
from clew.store.texts import PageTexts, create_texts
from clew.store.upgrade import PARSER, SPELLING, TODAY, old_spellings, renumber
from clew.store.warc import Archive, ArchivePosition
from clew.store.whole import facts_of, joined
from clew.types import Doc, Fetched, HostState, Judgement, Link, Page, Stats, UrlEntry, UrlState

VISITS_PER_QUERY = 500
SLOTS_PER_QUERY = 500
MAX_RECENT_PAGES = 300
"""Committed pages that stay in memory, because strategies look back mostly at the latest ones."""


def open_folder(
    folder: Path, *, new: Config | None = None, max_warc: int = 10**9, reading: bool = False
) -> SqliteStore:
    """Open a crawl folder: a new one with its settings, or an existing one."""
    return SqliteStore(folder, new=new, max_warc=max_warc, reading=reading)


class SqliteStore:
    """A durable store: a kill at any moment loses no committed visit and repeats none.

    A WARC record is in its file before the transaction that refers to it. When a folder is opened, the archive is
    truncated after the last record that a transaction refers to.
    """

    def __init__(
        self, folder: Path, *, new: Config | None = None, max_warc: int = 10**9, reading: bool = False
    ) -> None:
        """Open a crawl folder: a new one with its settings, or an existing one."""
        self.folder = folder
        self.reading = reading
        self.is_whole = reading and is_whole(folder)
        if not new and not self.is_whole:
            database_of(folder)
        self._rows: list[tuple[Any, ...]] = []
        self._notes: list[tuple[float, str, str]] = []
        self._recent: dict[str, Page] = {}  # URL -> page: all uncommitted pages, and the latest committed ones
        self._new_judgements: dict[int, Judgement] = {}  # by the order of the visit
        self._applied: list[tuple[int, int]] = []  # labels: number of visits before, id
        self._facts = dict(TODAY) if new else {}
        self._renumbered: tuple[int, list[tuple[int, int]]] | None = None  # first slot; slots and orders of visits
        self._new = new
        self._content: Content = whole_content
        # If a step fails, the stack closes the lock and the database again.
        with self.translate_errors(), ExitStack() as undo:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = undo.enter_context(nullcontext() if reading else lock(folder))
            if new:
                claim(folder)
                config.write(new, folder / "crawl.toml")
                create(folder / "crawl.db")
            self.archive = Archive(folder / (SHARDS if self.is_whole else "pages"), max_warc)
            self._other_answers = OtherAnswers(self.archive)
            self.db = undo.enter_context(closing(joined(folder) if self.is_whole else connect(folder, reading)))
            self.mailbox: Mailbox | None = None  # of a shard; the tables come with it
            self.mail_rows: Callable[[], MailRows] = MailRows
            self.lost = LostPages(self.db)
            self.orders = OrderBook(self.db)
            self._reasons = ReasonBook(self.db)
            self._head = HeadBook(self.db)
            self._earlier_judgements = EarlierJudgements(self.db)
            self._texts = PageTexts(self.db)
            self._can_search = False
            self._prepare()
            undo.pop_all()

    def add(self, record: Record, fetched: Fetched, page: Page | None) -> None:
        """Write the answer into the archive, and add the visit to the batch."""
        place = ArchivePosition()
        if fetched.status:
            with self.translate_errors():
                place = self.archive.append(fetched, record.at)
        self._rows.append(row_of(record, place))
        if page and record.state != UrlState.SITEMAP:
            self._recent[page.url] = page

    @cached_property
    def keeps_text(self) -> bool:
        """Whether the main text of pages is kept and indexed as they are visited."""
        # Asked at the start of a run, when a resumed crawl has written its new settings.
        return self._can_search and (self._new or config.read_folder(self.folder)).keep.main_text

    def keep_text(self, record: Record, text: str) -> None:
        """Keep what a page says and put it into the search index, if they are kept; durable after the next commit."""
        if record.state == UrlState.FETCHED and self.keeps_text:
            self._texts.add(record.order, record.title, text)

    def keep_reason(self, order: int, reason: Reason) -> None:
        """Keep why a visit was made; it is durable after the next commit."""
        self._reasons.add(order, reason)

    def keep_topics(self, order: int, topics: tuple[TopicReason, ...]) -> None:
        """Replace what speaks for the relevance of a page; it is durable after the next commit."""
        self._reasons.replace_topics(order, topics)

    def keep_head(self, head: Sequence[Waiting], hosts: Sequence[HostNow]) -> None:
        """Show readers the best candidates, and the hosts that have changed, from the next commit on."""
        self._head.keep(head, hosts)

    def set_content(self, content: Content) -> None:
        """Show pages with this part of their documents only."""
        self._content = content

    def keep_answer(self, fetched: Fetched) -> None:
        """Write an answer into the archive that belongs to no visit; it is durable after the next commit."""
        with self.translate_errors():
            self._other_answers.add(fetched)

    def commit(
        self, entries: Rows, progress: Mapping[str, Any], checkpoint: Mapping[str, bytes | None] | None = None
    ) -> None:
        """Write in one transaction: visits, in-links, notes, progress and, if given, the checkpoint."""
        with self.translate_errors():
            # Before the transaction: a row must never refer to a record that is not in the archive.
            self.archive.flush()
            with self.db:
                self.db.executemany(f"INSERT INTO pages VALUES ({','.join('?' * 23)})", self._rows)
                if self._renumbered:
                    renumber(self.db, *self._renumbered)
                self._texts.write()
                self._other_answers.write(self.db)
                self.db.executemany("INSERT OR REPLACE INTO candidates VALUES (?,?,?,?)", map(entry_row, entries))
                self.db.executemany("INSERT INTO journal VALUES (?,?,?)", self._notes)
                if not checkpoint:
                    self._earlier_judgements.keep(self._new_judgements)
                self.db.executemany(
                    'UPDATE pages SET relevance = ?, relevant = ?, topics = ? WHERE "order" = ?',
                    map(judgement_row, self._new_judgements.items()),
                )
                self.db.executemany("UPDATE labels SET taken = ? WHERE id = ?", self._applied)
                self.orders.write()
                self._reasons.write()
                self._head.write()
                if self.mailbox:
                    self.mailbox.write(self.mail_rows(), checkpoint is not None)
                facts = {**self._facts, "progress": json.dumps(progress)}
                self.db.executemany("INSERT OR REPLACE INTO meta VALUES (?,?)", facts.items())
                if checkpoint:
                    write_checkpoint(self.db, checkpoint)
                    self._earlier_judgements.drop()
        # Only now, after the transaction: a commit that fails keeps the batch.
        self._rows = []
        self._texts.clear()
        self._other_answers.clear()
        self.orders.clear()
        self._reasons.clear()
        self._head.clear()
        self._notes = []
        self._applied = []
        self._new_judgements = {}
        self._facts = {}
        self._renumbered = None
        for url in list(self._recent)[:-MAX_RECENT_PAGES]:
            del self._recent[url]

    def entries(self, slots: Sequence[int]) -> dict[int, UrlEntry]:
        """The URLs and in-links of these slots."""
        found = {}
        # SQLite limits the number of parameters in a query.
        for start in range(0, len(slots), SLOTS_PER_QUERY):
            chunk = slots[start : start + SLOTS_PER_QUERY]
            marks = ",".join("?" * len(chunk))
            query = f"SELECT slot, url, reason, links FROM candidates WHERE slot IN ({marks})"
            for slot, url, reason, links in self.db.execute(query, chunk):
                found[slot] = UrlEntry(url, tuple(Link(*link) for link in loaded(links)), reason)
        return found

    def page(self, url: str) -> Page | None:
        """A visited page, with its terms and links; they are parsed again from the archive unless it is recent."""
        if url in self._recent:
            return self._recent[url]
        query = f"SELECT {COLUMNS} FROM pages WHERE key = ? AND state NOT IN ('redirected', 'sitemap')"
        row = self.db.execute(query, (key_of(url),)).fetchone()
        return self.read_visit(self._record(row))[0] if row else None

    def pages(self) -> Iterator[Page]:
        """All visited pages in order, without redirects and sitemaps."""
        last = -1
        for record in self.visits():
            last = record.order
            if record.state not in (UrlState.REDIRECTED, UrlState.SITEMAP):
                yield self._recent.get(record.url) or self.read_visit(record)[0]
        # Then the pages that are not committed yet.
        yield from [page for page in self._recent.values() if page.order > last]

    def visits(self, after: int = -1) -> Iterator[Record]:
        """Committed visits in order, starting after the given one."""
        # In chunks: a query that stays open would get in the way of other processes.
        query = f'SELECT {COLUMNS} FROM pages WHERE "order" > ? ORDER BY "order" LIMIT {VISITS_PER_QUERY}'
        while rows := self.db.execute(query, (after,)).fetchall():
            yield from map(self._record, rows)
            after = rows[-1][0]

    def read_visit(self, record: Record) -> tuple[Page, Fetched]:
        """The page and the answer of a visit, with all that was known at the time."""
        fetched, doc = self._read(record)
        entry = self.entries([record.slot]).get(record.slot)
        return page_of(record, self._content(doc, record.order), entry.links if entry else ()), fetched

    def docs(self, after: int = -1) -> Iterator[tuple[Record, Doc]]:
        """Every document that the archive has, with the record of its visit; all visits must be committed."""
        for record in self.visits(after):
            if record.state == UrlState.FETCHED:
                fetched, doc = self._read(record)
                if fetched.error != LOST:
                    yield record, doc

    def doc(self, url: str) -> Doc | None:
        """The document of a visited page; None if the archive does not have it."""
        row = self.db.execute(f"SELECT {COLUMNS} FROM pages WHERE key = ?", (key_of(url),)).fetchone()
        fetched, doc = self._read(self._record(row)) if row else (None, None)
        return doc if fetched and fetched.error != LOST else None

    def answer(self, record: Record) -> Fetched:
        """The answer of a visit, from the archive; RecordLost if it is no longer there."""
        if record.is_lost:
            raise RecordLost(f"the answer of {record.url} is lost; to fetch the page again: clew recrawl {self.folder}")
        if not record.file:
            return Fetched(record.url, record.status)
        return self.archive.read(ArchivePosition(record.file, record.offset, record.length), record.url)

    def checkpoint(self) -> dict[str, bytes]:
        """The parts of the last checkpoint; empty when there is none. StoreError if one is damaged."""
        return in_one(verified(dict(self.db.execute("SELECT part, data FROM checkpoints"))))

    def rewind_judgements(self) -> None:
        """Show pages as they were judged at the last checkpoint; the replay from there judges them again."""
        self._new_judgements = self._earlier_judgements.read()

    def progress(self) -> dict[str, Any]:
        """Where the crawl stood at the last commit."""
        if self.is_whole:
            return asdict(
                merged([Stats(**migration.progress(loaded(text))) for text in facts_of(self.folder, "progress")])
            )
        return migration.progress(loaded(self.get("progress", "{}")))

    def keep(self, examples: Mapping[str, list[Doc]]) -> None:
        """Keep the example documents of the interest, by their place."""
        rows = [example_row(place, docs) for place, docs in examples.items()]
        with self.translate_errors(), self.db:
            self.db.executemany("INSERT OR REPLACE INTO examples VALUES (?,?)", rows)

    def examples(self) -> dict[str, list[Doc]]:
        """The example documents of the interest, by their place."""
        rows = self.db.execute("SELECT place, docs FROM examples")
        return {place: docs_of(saved) for place, saved in rows}

    def note(self, event: str, detail: str) -> None:
        """Add an entry to the journal; it is durable after the next commit."""
        self._notes.append((time.time(), event, detail))

    def spellings(self) -> dict[str, str]:
        """The URLs that an earlier version knew by another spelling, by their canonical form."""
        return {} if self.get(SPELLING) else old_spellings(self.db)

    def is_parsed_today(self) -> bool:
        """Whether the pages since the last checkpoint were read by the parser of today."""
        return self.get(PARSER) == TODAY[PARSER]

    def renumber(self, first: int, visits: Iterable[Record]) -> None:
        """With the next commit the slots from `first` on are those of today's parser, also in these visits."""
        self._renumbered = first, [(record.slot, record.order) for record in visits]
        self._facts[PARSER] = TODAY[PARSER]

    def save_host_state(self, host_state: HostState) -> None:
        """Save the state of a host at once, without waiting for the next commit."""
        with self.translate_errors():
            save_host_state(self.db, host_state)

    def load_host_state(self, seconds: float) -> list[HostState]:
        """The state of all hosts, with the response time of those visited within the last `seconds`."""
        return load_host_state(self.db, seconds)

    def judge(self, order: int, url: str, judgement: Judgement) -> None:
        """Replace the judgement of a page: readers of this store see it now, others after the next commit."""
        self._new_judgements[order] = judgement
        if url in self._recent:
            self._recent[url] = replace(self._recent[url], **judgement._asdict())

    def labels(self) -> list[Label]:
        """The valid labels that are not applied yet, with the URLs that redirects lead to."""
        return valid_labels(self.db, self.get("interest"), applied=False)

    def mark_applied(self, label: Label, order: int) -> None:
        """Note that a label was applied before this visit; it is durable after the next commit."""
        self._applied.append((order, label.id))

    def applied_labels(self, interest: str = "") -> list[Label]:
        """The applied labels that are valid under an interest, by default the current one."""
        return valid_labels(self.db, interest or self.get("interest"), applied=True)

    def set(self, name: str, value: str) -> None:
        """Set a fact about the whole crawl; it is durable after the next commit."""
        self._facts[name] = value

    def get(self, name: str, default: str = "") -> str:
        """Get a fact about the whole crawl."""
        if name in self._facts:
            return self._facts[name]
        row = self.db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else default

    def close(self) -> None:
        """Release the folder."""
        # On a full disk the archive cannot write its buffer; what is lost then was not committed.
        with suppress(OSError):
            self.archive.close()
        self.db.close()
        if self._lock is not None:
            self._lock.close()

    def translate_errors(self) -> AbstractContextManager[None]:
        """Turn disk and database errors into a StoreError that says what to do."""
        return translate_errors(self.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _prepare(self) -> None:
        check_version(self.db, self.folder)
        if self.reading:
            return
        # Enough with a write-ahead log: a loss of power may undo the last commits, but never damages the database.
        self.db.execute("PRAGMA synchronous = NORMAL")
        # Folders of earlier versions lack these tables.
        create_labels(self.db)
        self.db.execute(ORDERS)
        self.db.execute(HOST_STATE)
        self.db.execute(OTHER_ANSWERS)
        self.db.execute(REASONS)
        self.db.execute(WAITING_HOSTS)
        self.db.execute(EARLIER_JUDGEMENTS)
        self._can_search = create_texts(self.db)
        open_archive(self.db, self.archive, PAGES, OTHERS)

    def _record(self, row: Sequence[Any]) -> Record:
        record = record_of(row)
        judgement = self._new_judgements.get(record.order)
        return replace(record, **judgement._asdict()) if judgement else record

    @cached_property
    def _scope(self) -> Scope:
        """The settings with which archived pages are parsed."""
        return (self._new or config.read_folder(self.folder)).scope

    def _read(self, record: Record) -> tuple[Fetched, Doc]:
        try:
            fetched = self.answer(record)
        except RecordLost as error:
            self.lost.note(record, error)
            return self.lost.read(record)
        is_read = record.state == UrlState.FETCHED or (record.state == UrlState.SITEMAP and fetched.ok)
        doc = document(fetched, self._scope) if is_read else Doc(record.url)
        return fetched, doc
