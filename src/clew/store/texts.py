"""The main texts of pages in crawl.db, from which the search index is made."""

from __future__ import annotations

import sqlite3
from typing import Final

from clew.base.chance import key_of
from clew.store.schema import TEXTS
from clew.text.unspaced import apart

SEPARATOR: Final = "\u200b"
"""Behind each character of scripts without spaces; pages lose theirs."""
NO_INDEX: Final = "this Python was built with an SQLite without FTS5, which the search needs"

Text = tuple[int, str, str]
"""The order of a visit, the title and the main text, as in the table."""


class PageTexts:
    """The main texts of an open crawl folder; what is added is durable after the next commit of the store."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._added: list[Text] = []

    def add(self, order: int, title: str, text: str) -> None:
        """The main text of a visit."""
        self._added.append(row_of(order, title, text))

    def write(self) -> None:
        """Write the texts in the transaction of the caller."""
        self._db.executemany("INSERT INTO texts VALUES (?,?,?)", self._added)

    def clear(self) -> None:
        """Forget what was added: it is committed."""
        self._added = []


def create_texts(db: sqlite3.Connection) -> bool:
    """Make the tables where they are missing; False if this SQLite has no full-text search."""
    if not db.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").fetchone():
        return False
    db.executescript(TEXTS)
    return True


def has_texts(db: sqlite3.Connection) -> bool:
    """Whether the folder has the tables; a reader does not create them."""
    return db.execute("SELECT 1 FROM pragma_table_info('texts')").fetchone() is not None


def row_of(order: int, title: str, text: str) -> Text:
    """A text as a row of the table."""
    return order, apart(title.replace("\0", ""), SEPARATOR), apart(text, SEPARATOR)


def readable(text: str) -> str:
    """A title or text of the table as people read it.

    >>> readable("船\u200b舶\u200b and boats")
    '船舶 and boats'
    """
    return text.replace(SEPARATOR, "")


def text_of(db: sqlite3.Connection, order: int) -> str | None:
    """The main text of a visit; None if it was not made yet."""
    if not has_texts(db):
        return None
    row = db.execute("SELECT text FROM texts WHERE visit = ?", (order,)).fetchone()
    return readable(row[0]) if row else None


def replace_text(db: sqlite3.Connection, url: str, title: str, text: str) -> None:
    """Put the text of a new version in the place of the earlier one, in the transaction of the caller."""
    row = db.execute('SELECT "order" FROM pages WHERE key = ?', (key_of(url),)).fetchone()
    if row:
        db.execute(
            "INSERT INTO texts VALUES (?,?,?) "
            "ON CONFLICT (visit) DO UPDATE SET title = excluded.title, text = excluded.text",
            row_of(row[0], title, text),
        )


def forget_text(db: sqlite3.Connection, url: str) -> None:
    """The text of a page is out of date; it is made again when it is wanted. In the transaction of the caller."""
    db.execute('DELETE FROM texts WHERE visit IN (SELECT "order" FROM pages WHERE key = ?)', (key_of(url),))
