"""Verifies a crawl folder: database, archive and labels against each other; and repairs what can be repaired."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from clew.base.chance import key_of
from clew.store.archive_check import ArchiveCheck
from clew.store.damage import OTHERS, PAGES, REVISITS
from clew.store.database import check_version
from clew.store.findings import Advance, Finding, Verification, finding
from clew.store.folder import connect, lock
from clew.store.labels import latest, valid_labels

DATABASE: Final = "database"
MAX_PROBLEMS: Final = 100  # of the database that SQLite lists


def verify(folder: Path, advance: Advance = lambda done, total: None) -> Verification:
    """Read a whole crawl folder and compare its parts; nothing is changed."""
    with closing(connect(folder, reading=True)) as db:
        findings = list(_integrity(db))
        if findings:
            # What follows would only stumble over the same damage.
            return Verification(str(folder), 0, 0, 0, findings)
        check_version(db, folder)
        try:
            return _verified(db, folder, advance)
        except sqlite3.DatabaseError as error:
            text = "faults of the database: it lacks something"
            return Verification(str(folder), 0, 0, 0, finding(DATABASE, text, [str(error)], is_loss=True))


def _verified(db: sqlite3.Connection, folder: Path, advance: Advance) -> Verification:
    findings = [*_texts(db), *_keys(db), *_slots(db), *_labels(db)]
    archives = [[table for table in tables if _exists(db, table.name)] for tables in ((PAGES, OTHERS), (REVISITS,))]
    checks = [ArchiveCheck(db, folder, tables, advance) for tables in archives if tables]
    for check in checks:
        findings += check.findings()
    [pages] = db.execute("SELECT count(*) FROM pages").fetchone()
    answers = sum(check.answers for check in checks)
    return Verification(str(folder), pages, answers, sum(check.total for check in checks), findings)


def repair(folder: Path, found: Verification) -> Verification:
    """Mend what was found, in one transaction; a crawl must not be running."""
    with lock(folder), closing(connect(folder, reading=False)) as db:
        mended = [_repaired(db, each) for each in found.findings]
    return replace(found, findings=mended)


def _repaired(db: sqlite3.Connection, found: Finding) -> Finding:
    if found.kind == DATABASE:
        return _reindexed(db, found)
    with db:
        for statement, values in found.repair:
            db.execute(statement, values)
    return replace(found, is_repaired=bool(found.repair))


def _reindexed(db: sqlite3.Connection, found: Finding) -> Finding:
    """Write all indexes anew: if they were all that was damaged, nothing is lost."""
    try:
        db.execute("REINDEX")
    except sqlite3.DatabaseError:
        return found
    return found if list(_integrity(db)) else replace(found, is_repaired=True, is_loss=False)


def _integrity(db: sqlite3.Connection) -> Iterator[Finding]:
    try:
        lines = [line for (line,) in db.execute(f"PRAGMA integrity_check({MAX_PROBLEMS})") if line != "ok"]
    except sqlite3.DatabaseError as error:
        lines = [str(error)]
    text = "faults of the database, by SQLite's integrity check"
    yield from finding(DATABASE, text, lines, is_loss=True, repair=[("REINDEX", ())])


def _exists(db: sqlite3.Connection, table: str) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone() is not None


def _texts(db: sqlite3.Connection) -> Iterator[Finding]:
    """Topics and in-links are JSON, of which SQLite knows nothing; what cannot be read is emptied."""
    texts = (("pages", '"order"', "topics", "{}"), ("candidates", "slot", "links", "[]"))
    for table, key, column, empty in texts:
        query = f"SELECT {key}, url FROM {table} WHERE NOT json_valid({column}) OR url IS NULL"
        rows = db.execute(query).fetchall()
        mend = f"UPDATE {table} SET {column} = '{empty}' WHERE {key} = ?"
        names = [url or f"number {number}" for number, url in rows]
        text = f"rows of {table} whose {column} or URL cannot be read"
        yield from finding("texts", text, names, is_loss=True, repair=[(mend, (number,)) for number, _ in rows])


def _keys(db: sqlite3.Connection) -> Iterator[Finding]:
    """Pages are found by a hash of their URL."""
    rows = db.execute("SELECT \"order\", key, url FROM pages WHERE url > ''")
    wrong = [(url, order) for order, key, url in rows if key != key_of(url)]
    repair = [('UPDATE pages SET key = ? WHERE "order" = ?', (key_of(url), order)) for url, order in wrong]
    yield from finding("keys", "pages that cannot be found by their URL", [url for url, _ in wrong], repair=repair)


def _slots(db: sqlite3.Connection) -> Iterator[Finding]:
    """Each visited URL has a slot in the frontier."""
    query = "SELECT p.slot, p.url FROM pages p LEFT JOIN candidates c ON c.slot = p.slot WHERE c.url IS NULL"
    rows = db.execute(query).fetchall()
    repair = [("INSERT INTO candidates VALUES (?, ?, '', '[]')", row) for row in rows]
    text = "visited pages that are missing among the known URLs"
    yield from finding("slots", text, [url for _, url in rows], repair=repair)


def _labels(db: sqlite3.Connection) -> Iterator[Finding]:
    """A page counts as its label says, once the label is applied."""
    [interest] = db.execute("SELECT value FROM meta WHERE name = 'interest'").fetchone() or [""]
    query = "SELECT relevant FROM pages WHERE key = ? AND state = 'fetched'"
    ignored = []
    for label in latest(valid_labels(db, interest, applied=True)).values() if _exists(db, "labels") else ():
        row = db.execute(query, (key_of(label.url),)).fetchone()
        if row and bool(row[0]) != label.relevant:
            ignored.append(label)
    repair = [("UPDATE labels SET taken = NULL WHERE id = ?", (label.id,)) for label in ignored]
    text = "labels marked as applied, while their pages are judged otherwise"
    yield from finding("labels", text, [label.url for label in ignored], repair=repair)
