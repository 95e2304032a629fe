"""Opens an archive for writing: rows whose records are no longer there are marked, and nothing is written over."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from clew.store.record import LOST
from clew.store.warc import Archive, ArchivePosition

log = logging.getLogger("clew.store")


class NamingTable(NamedTuple):
    """A table whose rows name records of an archive, and what a row says once its record is lost."""

    name: str
    key: str  # in the order of writing
    folder: str
    mark: str


PAGES: Final = NamingTable(
    "pages",
    '"order"',
    "pages",
    f"reason = CASE reason WHEN '' THEN '{LOST}' ELSE reason || '; {LOST}' END, file = '', offset = 0, length = 0",
)
OTHERS: Final = NamingTable("other_answers", "rowid", "pages", "file = '', offset = 0, length = 0")
REVISITS: Final = NamingTable("revisits", "id", "again", "whole = 0, file = '', offset = 0, length = 0")


def open_archive(db: sqlite3.Connection, archive: Archive, *tables: NamingTable) -> None:
    """Continue an archive after the last record that a row of these tables names.

    What follows that record is left from a kill and is cut off. If records are lost, nothing is cut: the files may
    hold the only copy of something, and a backup of them may come back. The archive goes on in a new file.
    """
    used = [""]
    lost: list[str] = []
    was_damaged = False
    for table in tables:
        ends = _ends(db, table)
        was_damaged |= ends.pop("", None) is not None
        used += ends
        lost += _mark_missing(db, archive.folder, table, ends)
    if lost:
        log.warning("%s. The pages keep their rows; to see more: clew check %s", "; ".join(lost), archive.folder.parent)
    if lost or was_damaged:
        archive.leave(max(used))
    else:
        archive.cut(max(_last_position(db, table) for table in tables))


def mark_lost(db: sqlite3.Connection, table: NamingTable, keys: Iterable[int]) -> None:
    """Mark rows whose records are lost: they keep everything but the place in the archive."""
    db.executemany(f"UPDATE {table.name} SET {table.mark} WHERE {table.key} = ?", ((key,) for key in keys))


def _ends(db: sqlite3.Connection, table: NamingTable) -> dict[str, int]:
    """For each file, the end of the last record that a row names; under "", rows that have lost theirs."""
    # A visit without a status had no answer to archive.
    query = f"SELECT file, max(offset + length) FROM {table.name} WHERE status GROUP BY file"
    return dict(db.execute(query))


def _mark_missing(db: sqlite3.Connection, folder: Path, table: NamingTable, ends: dict[str, int]) -> list[str]:
    """Mark the rows whose records lie behind the end of their file; what is lost, in words."""
    lost: list[str] = []
    for file, end in sorted(ends.items()):
        path = folder / file
        size = path.stat().st_size if path.exists() else 0
        if size < end:
            query = f"SELECT {table.key} FROM {table.name} WHERE file = ? AND offset + length > ?"
            keys = [key for (key,) in db.execute(query, (file, size))]
            state = f"ends {end - size:,} bytes early" if path.exists() else "is missing"
            lost.append(f"{table.folder}/{file} {state}: {_answers(len(keys))} lost")
            with db:
                mark_lost(db, table, keys)
                db.execute("INSERT INTO journal VALUES (?,?,?)", (time.time(), "lost", lost[-1]))
    return lost


def _last_position(db: sqlite3.Connection, table: NamingTable) -> ArchivePosition:
    query = f"SELECT file, offset, length FROM {table.name} WHERE file > '' ORDER BY {table.key} DESC LIMIT 1"
    row = db.execute(query).fetchone()
    return ArchivePosition(*row) if row else ArchivePosition()


def _answers(count: int) -> str:
    return "1 answer is" if count == 1 else f"{count:,} answers are"
