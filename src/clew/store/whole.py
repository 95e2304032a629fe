"""The folder of a crawl on several shards, read as one crawl.

Each shard has an ordinary crawl folder in `shards/`. Views over their databases have the tables of one crawl folder:
visits, slots and labels are numbered so that no two shards share a number, and the place of an answer names the shard.
Nothing is written here; labels go to the shard that visits the page.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from clew.errors import ConfigError, StoreError
from clew.store.database import DATABASE, SHARDS, is_whole
from clew.store.head import HEAD, HEAD_SIZE, Waiting
from clew.store.rows import loaded
from clew.store.schema import VERSION

MARK: Final = "shard"
"""The fact that says of a folder which shard of how many it holds."""

_NUMBERED: Final = {
    "pages": ("order", "slot"),
    "candidates": ("slot",),
    "labels": ("id", "taken"),
    "texts": ("visit",),
    "reasons": ("visit",),
    "revisits": ("id",),
}
"""The columns that count within a shard, by table."""
_TABLES: Final = (*_NUMBERED, "journal", "manners", "other_answers", "examples", "waiting_hosts")
_PLACES: Final = {"pages": "pages", "other_answers": "pages", "revisits": "again"}
"""By table: the folder of the archive whose files it names."""
_HOSTS: Final = """
CREATE TEMP VIEW hosts AS
  SELECT host, count(*) AS visited, sum(relevant) AS relevant, sum(state = 'failed') AS failed,
         sum(bytes) AS bytes, avg(seconds) AS seconds
  FROM pages WHERE state IN ('fetched', 'failed', 'duplicate') GROUP BY host
"""


def shard_folder(folder: Path, shard: int) -> Path:
    """Where a shard has its crawl folder."""
    return folder / SHARDS / str(shard)


def is_shard(folder: Path) -> bool:
    """Whether this is the folder of one shard of a crawl."""
    # A damaged database is nobody's shard; opening it says what is wrong.
    with suppress(sqlite3.Error):
        return (folder / DATABASE).is_file() and bool(facts_in(folder, MARK))
    return False


def refuse_shard(folder: Path, what: str) -> None:
    """Refuse what can only be done with the whole crawl."""
    if is_shard(folder):
        whole = folder.resolve().parent.parent
        raise ConfigError(f"{folder} is one shard of a crawl, which cannot be {what} by itself; the whole is {whole}")


def shard_folders(folder: Path) -> list[Path]:
    """The folders of the shards that are here and have begun, in order."""
    found = [path for path in (folder / SHARDS).iterdir() if path.name.isdecimal() and (path / DATABASE).is_file()]
    return sorted(found, key=lambda path: int(path.name))


def databases(folder: Path) -> list[Path]:
    """The databases of a crawl: its own, or those of its shards; none if it has not begun."""
    if (folder / DATABASE).is_file():
        return [folder / DATABASE]
    return [path / DATABASE for path in shard_folders(folder)] if is_whole(folder) else []


def joined(folder: Path) -> sqlite3.Connection:
    """A connection whose views show the databases of all shards as one."""
    folders = shard_folders(folder)
    if not folders:
        raise StoreError(f"{folder} is a crawl on several shards, and none of them has begun here")
    db = sqlite3.connect(":memory:", uri=True, check_same_thread=False)
    try:
        if len(folders) <= most_attached(db):
            _attach(db, folders)
        else:
            _copy(db, folders)
        db.execute(_HOSTS)
        db.execute("UPDATE meta SET value = ? WHERE name = ?", (_head(folder), HEAD))
        db.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        db.close()
        raise
    return db


def most_attached(db: sqlite3.Connection) -> int:
    """How many databases a connection can have beside its own; ten as a rule."""
    return db.getlimit(sqlite3.SQLITE_LIMIT_ATTACHED)


def _attach(db: sqlite3.Connection, folders: list[Path]) -> None:
    step = _step(folders)
    for number, path in enumerate(folders):
        db.execute(f"ATTACH ? AS s{number}", (_address(path),))
    for table in _TABLES:
        parts = [_rows(db, f"s{number}", table, int(path.name), step) for number, path in enumerate(folders)]
        # A folder has some tables only when there is something for them.
        if found := [part for part in parts if part]:
            db.execute(f"CREATE TEMP VIEW {table} AS {' UNION ALL '.join(found)}")
    # What holds for the whole crawl, each shard knows.
    db.execute("CREATE TEMP TABLE meta AS SELECT name, value FROM s0.meta")


def _copy(db: sqlite3.Connection, folders: list[Path]) -> None:
    """More shards than SQLite attaches at once: copy them, one after the other, into a temporary database."""
    made: set[str] = set()
    for path in folders:
        db.execute("ATTACH ? AS s0", (_address(path),))
        for table in (*_TABLES, "meta"):
            rows = _rows(db, "s0", table, int(path.name), _step(folders))
            if rows and table not in made:
                made.add(table)
                db.execute(f"CREATE TEMP TABLE {table} AS {rows}")
            elif rows and table != "meta":
                db.execute(f"INSERT INTO {table} {rows}")
        db.commit()
        db.execute("DETACH s0")
    db.execute("CREATE INDEX temp.pages_by_key ON pages (key)")
    db.execute("CREATE INDEX temp.candidates_by_url ON candidates (url)")


def _step(folders: list[Path]) -> int:
    """So many numbers lie between two of one shard; folders of some shards may be on other machines."""
    return max(int(path.name) for path in folders) + 1


def _head(folder: Path) -> str:
    """The best candidates of all shards, best first."""
    entries = [entry for text in facts_of(folder, HEAD) for entry in loaded(text)]
    best = sorted((Waiting(*entry) for entry in entries), key=lambda waiting: -waiting.score)
    return json.dumps([tuple(waiting) for waiting in best[:HEAD_SIZE]], ensure_ascii=False)


def _rows(db: sqlite3.Connection, name: str, table: str, shard: int, step: int) -> str:
    """The rows of a table of one shard, with numbers and places as the whole crawl has them."""
    columns = [row[1] for row in db.execute(f"PRAGMA {name}.table_info({table})")]
    if not columns:
        return ""
    shown: list[str] = []
    for column in columns:
        quoted = f'"{column}"'
        if column in _NUMBERED.get(table, ()):
            quoted = f'{quoted} * {step} + {shard} AS "{column}"'
        elif column == "file" and table in _PLACES:
            quoted = f"iif(file = '', '', '{shard}/{_PLACES[table]}/' || file) AS file"
        shown.append(quoted)
    if table == "journal":
        # Events of all shards in the order of their times; views have no number of rows.
        shown.append("CAST(at * 1000000 AS INTEGER) AS rowid")
    return f"SELECT {', '.join(shown)} FROM {name}.{table}"


def _address(path: Path) -> str:
    return f"{(path / DATABASE).absolute().as_uri()}?mode=ro"


def facts_of(folder: Path, name: str) -> list[Any]:
    """What each shard says of a fact, as far as it knows it."""
    return [fact for path in shard_folders(folder) for fact in facts_in(path, name)]


def facts_in(folder: Path, name: str) -> list[Any]:
    """What one crawl folder says of a fact: nothing, or one value."""
    with closing(sqlite3.connect(_address(folder), uri=True)) as db:
        return [row[0] for row in db.execute("SELECT value FROM meta WHERE name = ?", (name,))]
