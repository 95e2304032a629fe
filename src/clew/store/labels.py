"""Labels that users give to pages; any process may write them, even while another one crawls."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from clew.base.chance import key_of
from clew.base.trouble import trouble
from clew.errors import StoreError
from clew.store.database import check_version, database_of
from clew.store.schema import LABELS

LOCK_WAIT_SECONDS = 10.0
"""Seconds to wait for a commit of the running crawl."""


class Label(NamedTuple):
    """A user's verdict on a page, valid under the interest of its time; the latest label of a page counts."""

    id: int
    url: str
    relevant: bool
    at: float
    taken: int | None = None  # visits before the crawl applied it; None while it is pending
    interest: str = ""
    user: str = ""  # who gave it; "" where nobody is named

    @property
    def is_applied(self) -> bool:
        """Whether the crawl has applied the label."""
        return self.taken is not None

    @property
    def words(self) -> str:
        """The label as users read it."""
        verdict = "relevant" if self.relevant else "not relevant"
        pending = "" if self.is_applied else ", not applied yet"
        return f"labelled {verdict} by {self.user or 'you'}{pending}"


def create_labels(db: sqlite3.Connection) -> None:
    """Make the table of labels, or add the column that it lacks in a folder of an earlier version."""
    db.execute(LABELS)
    if not _has_users(db):
        db.execute("ALTER TABLE labels ADD COLUMN user TEXT")


def write_labels(folder: Path, labels: Mapping[str, bool], user: str = "") -> None:
    """Write labels of a user, by URL, into a crawl folder; the crawl applies them at its next opportunity."""
    path = database_of(folder)
    rows = [(url, relevant, time.time(), user or None) for url, relevant in labels.items()]
    try:
        address = f"{path.absolute().as_uri()}?mode=rw"
        # The folder stays unlocked: a running crawl holds the lock, and SQLite orders the two writers.
        with closing(sqlite3.connect(address, uri=True, timeout=LOCK_WAIT_SECONDS)) as db, db:
            check_version(db, folder)
            create_labels(db)
            interest = "(SELECT value FROM meta WHERE name = 'interest')"
            columns = "url, relevant, at, user, interest"
            db.executemany(f"INSERT INTO labels ({columns}) VALUES (?,?,?,?,{interest})", rows)
    except sqlite3.Error as error:
        raise StoreError(trouble(error, folder) or f"cannot write labels into {folder}: {error}") from error


def all_labels(db: sqlite3.Connection) -> list[Label]:
    """All labels, in the order in which they were given."""
    # A folder of an earlier version has no such table, and one that is opened for reading does not get it.
    if not db.execute("SELECT 1 FROM pragma_table_info('labels')").fetchone():
        return []
    user = "user" if _has_users(db) else "NULL"
    rows = db.execute(f"SELECT id, url, relevant, at, taken, interest, {user} FROM labels ORDER BY id").fetchall()
    return list(map(_label, rows))


def valid_labels(db: sqlite3.Connection, interest: str, applied: bool | None = None) -> list[Label]:
    """The labels that are valid under an interest, with the URLs that redirects lead to; all, applied or pending."""
    # Labels without an interest were written before the folder recorded one; they are valid under any.
    labels = [label for label in all_labels(db) if label.interest in ("", interest)]
    if applied is not None:
        labels = [label for label in labels if label.is_applied == applied]
    return [label._replace(url=redirect_target(db, label.url)) for label in labels]


def latest(labels: Iterable[Label]) -> dict[str, Label]:
    """The latest label of each page, by URL."""
    return {label.url: label for label in labels}


def redirect_target(db: sqlite3.Connection, url: str) -> str:
    """The URL at the end of the redirects that the crawl followed from a URL."""
    query = "SELECT location FROM pages WHERE key = ? AND state = 'redirected'"
    # Redirects may form a loop.
    seen = {url}
    while (row := db.execute(query, (key_of(url),)).fetchone()) and row[0] not in seen:
        url = row[0]
        seen.add(url)
    return url


def _has_users(db: sqlite3.Connection) -> bool:
    return any(name == "user" for _, name, *_ in db.execute("PRAGMA table_info(labels)"))


def _label(row: tuple[Any, ...]) -> Label:
    number, url, relevant, at, taken, interest, user = row
    return Label(number, url, bool(relevant), at, taken, interest or "", user or "")
