"""What users say of pages: any process may write it down, also while another one crawls."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Container, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from clew.base.chance import key_of
from clew.errors import StoreError
from clew.store.schema import LABELS

LOCK_WAIT_SECONDS = 10.0
"""Seconds to wait for a commit of the crawl that is running."""


class Label(NamedTuple):
    """The user's word on a page; later ones on the same page win. It holds under the interest of its time."""

    id: int
    url: str
    relevant: bool
    at: float
    taken: int | None = None  # visits before the crawl took it in; None while it waits
    interest: str = ""

    @property
    def words(self) -> str:
        """As users read it."""
        waits = "" if self.taken is not None else ", not taken in yet"
        return f"labelled {'' if self.relevant else 'not '}relevant by you{waits}"


def say(folder: Path, said: Mapping[str, bool]) -> None:
    """Write labels down; the crawl takes them in when it comes to them."""
    path = folder / "crawl.db"
    if not path.exists():
        raise StoreError(f"{folder} is not a crawl folder: it has no crawl.db")
    rows = [(url, relevant, time.time()) for url, relevant in said.items()]
    try:
        where = f"{path.absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(where, uri=True, timeout=LOCK_WAIT_SECONDS)) as db, db:
            db.execute(LABELS)
            interest = "(SELECT value FROM meta WHERE name = 'interest')"
            db.executemany(f"INSERT INTO labels (url, relevant, at, interest) VALUES (?,?,?,{interest})", rows)
    except sqlite3.Error as error:
        raise StoreError(f"cannot write labels into {folder}: {error}") from error


def labels(db: sqlite3.Connection) -> list[Label]:
    """All labels in the order in which they were given."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'labels'").fetchone():
        return []  # a folder of an earlier version, opened for reading
    rows = db.execute("SELECT id, url, relevant, at, taken, interest FROM labels ORDER BY id").fetchall()
    return list(map(_label, rows))


def valid(db: sqlite3.Connection, interest: str, taken: Container[bool] = (True, False)) -> list[Label]:
    """The labels that hold under an interest, taken in or not, with the pages that redirects have led to."""
    holding = [label for label in labels(db) if label.interest in ("", interest) and (label.taken is not None) in taken]
    return [label._replace(url=led_to(db, label.url)) for label in holding]


def latest(labels: Iterable[Label]) -> dict[str, Label]:
    """The last word on each page."""
    return {label.url: label for label in labels}


def led_to(db: sqlite3.Connection, url: str) -> str:
    """Where the redirects of a URL have led."""
    seen = {url}
    query = "SELECT location FROM pages WHERE key = ? AND state = 'redirected'"
    while (row := db.execute(query, (key_of(url),)).fetchone()) and row[0] not in seen:
        url = row[0]
        seen.add(url)
    return url


def _label(row: tuple[Any, ...]) -> Label:
    return Label(row[0], row[1], bool(row[2]), row[3], row[4], row[5] or "")
