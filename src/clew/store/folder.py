"""Creates, locks and opens crawl folders, and translates disk and database errors."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

from clew import config
from clew.base.trouble import trouble
from clew.errors import FolderInUse, StoreError
from clew.store.labels import LOCK_WAIT_SECONDS
from clew.store.schema import SCHEMA, VERSION


def create(path: Path) -> None:
    """Create an empty database; it gets its name only when it is complete."""
    # Readers and runs that are killed half-way never see a part of the database: the rename is atomic.
    draft = path.with_suffix(".part")
    draft.unlink(missing_ok=True)
    with closing(sqlite3.connect(draft)) as db:
        db.executescript(f"PRAGMA journal_mode = WAL; BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
    os.replace(draft, path)


def claim(folder: Path) -> None:
    """Refuse a folder that already holds a crawl, or user files that a crawl would overwrite."""
    if (folder / "crawl.db").exists():
        raise StoreError(f"{folder} already holds a crawl; to continue it: clew resume {folder}")
    settings = folder / "crawl.toml"
    is_foreign = settings.exists() and not _written_by_clew(settings)
    if is_foreign or any((folder / "pages").glob("*")):
        raise StoreError(f"{folder} holds other files (crawl.toml or pages/) that would be lost; choose another folder")


def _written_by_clew(settings: Path) -> bool:
    # A run that was killed before it had a database leaves its own crawl.toml, which may be overwritten.
    return settings.read_text(encoding="utf-8", errors="replace").startswith(config.WRITTEN)


def lock(folder: Path) -> IO[str]:
    """Lock the folder for one writer; FolderInUse if another process holds the lock."""
    file = (folder / "lock").open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise FolderInUse(f"{folder} is in use by another crawl; wait for it or choose another folder") from None
    return file


def connect(folder: Path, reading: bool) -> sqlite3.Connection:
    """Open the database of an existing folder."""
    address = (folder / "crawl.db").absolute().as_uri()
    # One thread at a time uses the connection, but the garbage collector may close it from another thread.
    if not reading:
        return sqlite3.connect(f"{address}?mode=rw", uri=True, timeout=LOCK_WAIT_SECONDS, check_same_thread=False)
    # On a read-only disk SQLite cannot create the shared memory of the write-ahead log. Without a log nothing can
    # change either, and SQLite may skip its locks.
    is_immutable = not os.access(folder, os.W_OK) and not (folder / "crawl.db-wal").exists()
    options = "mode=ro&immutable=1" if is_immutable else "mode=ro"
    return sqlite3.connect(f"{address}?{options}", uri=True, check_same_thread=False)


@contextmanager
def translate_errors(folder: Path) -> Iterator[None]:
    """Turn disk and database errors into a StoreError that says what to do."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise StoreError(trouble(error, folder) or f"cannot use {folder}: {error}") from error
