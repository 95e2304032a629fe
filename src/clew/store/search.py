"""Full-text search over the pages of a crawl."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clew.errors import ConfigError, StoreError
from clew.store.record import Record
from clew.store.rows import COLUMNS, record_of
from clew.store.search_query import match_expression
from clew.store.texts import has_texts, readable

if TYPE_CHECKING:
    from clew.store.records import Records

TITLE_WEIGHT: Final = 4.0  # of a word in the title, compared with one in the text
SNIPPET_WORDS: Final = 30
HITS_PER_QUERY: Final = 100
# Control characters, which no text of the index has: a page cannot forge them.
_BEGIN: Final = "\x02"
_END: Final = "\x03"

_LINE_BREAK: Final = re.compile(r"\s*\n\s*(?:#{1,6} |`{3,}\s)?|^#{1,6} ")

_RANKED: Final = (
    f"SELECT text_index.rowid, bm25(text_index, {TITLE_WEIGHT}, 1.0) AS cost FROM text_index "
    'JOIN pages ON pages."order" = text_index.rowid '
    "WHERE text_index MATCH ? AND {choice} ORDER BY cost, text_index.rowid LIMIT ? OFFSET ?"
)
_SNIPPET: Final = (
    f"SELECT snippet(text_index, 1, '{_BEGIN}', '{_END}', '…', {SNIPPET_WORDS}) "
    "FROM text_index WHERE text_index MATCH ? AND rowid = ?"
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that a search has found.

    >>> hit = Hit(Record(0, 0, "http://a.example/"), 1.0, (("Old ", False), ("boats", True)))
    >>> hit.snippet, hit.marked("*", "*")
    ('Old boats', 'Old *boats*')
    """

    record: Record  # of the newest version of the page
    score: float  # how well the page fits the query; comparable within one search only
    parts: tuple[tuple[str, bool], ...] = ()  # the text around the matches; True for what matches

    @property
    def url(self) -> str:
        """The URL of the page."""
        return self.record.url

    @property
    def title(self) -> str:
        """The title of the page."""
        return self.record.title

    @property
    def snippet(self) -> str:
        """The text around the matches."""
        return self.marked("", "")

    def marked(self, begin: str, end: str) -> str:
        """The text around the matches, with what matches between marks."""
        return "".join(f"{begin}{text}{end}" if is_match else text for text, is_match in self.parts)


def search(records: Records, query: str, relevant: bool = True, limit: int = 10) -> list[Hit]:
    """The pages that fit a query, the best first; by default only relevant ones."""
    expression = match_expression(query)
    db = records.store.db
    if not has_texts(db):
        raise StoreError(f"{records.folder} has no search index yet; clew search {records.folder} 'QUERY' makes it")
    found: list[Hit] = []
    try:
        for order, cost in _ranked(db, expression, relevant and not records.revisits()):
            if len(found) >= limit:
                break
            row = db.execute(f'SELECT {COLUMNS} FROM pages WHERE "order" = ?', (order,)).fetchone()
            record = records.latest(record_of(row))
            if record.relevant or not relevant:
                found.append(Hit(record, -cost, _parts(db, expression, order)))
    except sqlite3.OperationalError as error:
        # Trouble of the disk or the database has a message elsewhere.
        if not str(error).startswith("fts5:"):
            raise
        raise ConfigError(f"cannot search for {query!r}: {error}") from error
    return found


def _ranked(db: sqlite3.Connection, expression: str, relevant: bool) -> Iterator[tuple[int, float]]:
    """The visits that fit, with their costs, the best first; a page at a time, for few are wanted."""
    ranked = _RANKED.format(choice="pages.relevant" if relevant else "1")
    start = 0
    while rows := db.execute(ranked, (expression, HITS_PER_QUERY, start)).fetchall():
        yield from rows
        start += len(rows)


def _parts(db: sqlite3.Connection, expression: str, order: int) -> tuple[tuple[str, bool], ...]:
    row = db.execute(_SNIPPET, (expression, order)).fetchone()
    parts: list[tuple[str, bool]] = []
    for piece in readable(row[0] if row else "").split(_BEGIN):
        matching, end, rest = piece.rpartition(_END)
        parts.append((_on_one_line(matching), bool(end)))
        parts.append((_on_one_line(rest), False))
    return tuple([(text, is_match) for text, is_match in parts if text])


def _on_one_line(text: str) -> str:
    """The text with blanks for line breaks and without marks of headings."""
    return _LINE_BREAK.sub(" ", text)
