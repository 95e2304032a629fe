"""Keeps answers that belong to no visit: robots.txt, and the scripts and data of rendered pages."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from typing import NamedTuple

from clew.store.warc import Archive
from clew.types import Fetched


class OtherAnswer(NamedTuple):
    """An answer in the archive that belongs to no visit."""

    url: str
    at: float
    status: int
    file: str
    offset: int
    length: int


class OtherAnswers:
    """Archives such answers at once, and names them in the next transaction."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._batch: list[OtherAnswer] = []

    def add(self, fetched: Fetched) -> None:
        """Write the answer into the archive, and add it to the batch."""
        at = fetched.fetched_at or time.time()
        place = self._archive.append(fetched, at)
        self._batch.append(OtherAnswer(fetched.url, at, fetched.status, *place))

    def write(self, db: sqlite3.Connection) -> None:
        """Write the batch in the transaction of the caller."""
        db.executemany("INSERT INTO other_answers VALUES (?,?,?,?,?,?)", self._batch)

    def clear(self) -> None:
        """Forget the batch, which is committed."""
        self._batch = []


def load_other_answers(db: sqlite3.Connection) -> Iterator[OtherAnswer]:
    """All of them in order; folders of earlier versions have none."""
    if db.execute("SELECT 1 FROM pragma_table_info('other_answers')").fetchone():
        for row in db.execute("SELECT url, at, status, file, offset, length FROM other_answers ORDER BY rowid"):
            yield OtherAnswer(*row)
