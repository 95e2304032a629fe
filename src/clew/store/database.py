"""Where the database of a crawl folder lies, and whether this version of clew can read it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from clew.errors import StoreError
from clew.store.schema import VERSION

DATABASE: Final = "crawl.db"
SHARDS: Final = "shards"
"""The folder in which the shards of a crawl have theirs."""


def is_whole(folder: Path) -> bool:
    """Whether this is the folder of a crawl on several shards."""
    return (folder / SHARDS).is_dir() and not (folder / DATABASE).exists()


def database_of(folder: Path) -> Path:
    """The database of a crawl folder; a folder without one is no crawl folder."""
    path = folder / DATABASE
    if is_whole(folder):
        raise StoreError(f"{folder} is a crawl on several shards: this cannot be done with all of them yet")
    if not path.is_file():
        raise StoreError(f"{folder} is not a crawl folder: it has no {DATABASE}")
    return path


def check_version(db: sqlite3.Connection, folder: Path) -> None:
    """Refuse a database that clew did not write, or not this version of it."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        raise StoreError(f"{folder}/crawl.db is empty, or not a database of clew; bring it back from a backup")
    if version != VERSION:
        raise StoreError(f"{folder}/crawl.db has version {version}; this clew reads version {VERSION}")
