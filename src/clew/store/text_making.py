"""Makes the main texts that a folder lacks, because an earlier version crawled into it or they were switched off."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from clew.base.trouble import trouble
from clew.errors import RecordLost, StoreError
from clew.parse.extractors import main_text
from clew.store.database import is_whole
from clew.store.labels import LOCK_WAIT_SECONDS
from clew.store.records import Records
from clew.store.rows import COLUMNS, record_of
from clew.store.texts import NO_INDEX, Text, create_texts, has_texts, row_of
from clew.store.whole import shard_folders

PAGES_PER_COMMIT: Final = 50  # a crawl that runs must not wait long for the database

_ALL: Final = "SELECT \"order\" FROM pages WHERE state = 'fetched' AND status AND file != ''"

Advance = Callable[[int, int], None]
"""Called with the number of pages done and the number of all pages."""


def missing_texts(records: Records) -> list[int]:
    """The visits whose main text was not made yet and can be made."""
    db = records.store.db
    lacking = ' AND "order" NOT IN (SELECT visit FROM texts)' if has_texts(db) else ""
    return [row[0] for row in db.execute(f'{_ALL}{lacking} ORDER BY "order"')]


def make_texts(folder: Path, advance: Advance | None = None) -> int:
    """Make the texts that are missing, and index them; return their number. The crawl may be running."""
    if is_whole(folder):
        return sum(make_texts(path, advance) for path in shard_folders(folder))
    with Records(folder) as records:
        visits = missing_texts(records)
        if not visits:
            return 0
        address = f"{(folder / 'crawl.db').absolute().as_uri()}?mode=rw"
        try:
            with closing(sqlite3.connect(address, uri=True, timeout=LOCK_WAIT_SECONDS)) as db:
                if not create_texts(db):
                    raise StoreError(NO_INDEX)
                _make(records, db, visits, advance)
        except sqlite3.Error as error:
            message = trouble(error, folder) or f"cannot make the search index of {folder}: {error}"
            raise StoreError(message) from error
    return len(visits)


def _make(records: Records, db: sqlite3.Connection, visits: list[int], advance: Advance | None) -> None:
    for start in range(0, len(visits), PAGES_PER_COMMIT):
        rows = [_text(records, order) for order in visits[start : start + PAGES_PER_COMMIT]]
        with db:
            # A text that the crawl, or another search, has written in the meantime is as new as this one or newer.
            db.executemany("INSERT OR IGNORE INTO texts VALUES (?,?,?)", [row for row in rows if row])
        if advance:
            advance(min(start + PAGES_PER_COMMIT, len(visits)), len(visits))


def _text(records: Records, order: int) -> Text | None:
    row = records.store.db.execute(f'SELECT {COLUMNS} FROM pages WHERE "order" = ?', (order,)).fetchone()
    record = records.latest(record_of(row))
    try:
        fetched = records.store.answer(record)
    except RecordLost as error:
        records.store.lost.note(record, error)
        return None
    return row_of(order, record.title, main_text(fetched, records.config.scope))
