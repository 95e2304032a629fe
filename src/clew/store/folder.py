"""A crawl folder: made whole, claimed once, locked by who writes into it; what is told when it fails."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Final

from clew import config
from clew.errors import FolderInUse, StoreError
from clew.store.labels import LOCK_WAIT_SECONDS
from clew.store.schema import SCHEMA, VERSION

_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_SQLITE_FULL: Final = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}


def create(path: Path) -> None:
    """An empty database under its name only when it is whole: readers and kills never meet half of it."""
    draft = path.with_suffix(".part")
    draft.unlink(missing_ok=True)
    with closing(sqlite3.connect(draft)) as db:
        db.executescript(f"PRAGMA journal_mode = WAL; BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
    os.replace(draft, path)


def claim(folder: Path) -> None:
    """Refuse a folder that holds a crawl, or files of the user's that a crawl would overwrite."""
    settings = folder / "crawl.toml"
    if (folder / "crawl.db").exists():
        raise StoreError(f"{folder} holds a crawl already; `clew resume {folder}` continues it")
    ours = settings.exists() and settings.read_text(encoding="utf-8", errors="replace").startswith(config.WRITTEN)
    if (settings.exists() and not ours) or any((folder / "pages").glob("*")):
        raise StoreError(f"{folder} holds files of its own (crawl.toml or pages/); choose another folder")


def lock(folder: Path) -> IO[str]:
    """The file that says who writes here; FolderInUse if somebody does."""
    file = (folder / "lock").open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise FolderInUse(f"{folder} is in use by another crawl; wait for it or choose another folder") from None
    return file


def connect(folder: Path, reading: bool) -> sqlite3.Connection:
    """The database of a folder that exists."""
    where = (folder / "crawl.db").absolute().as_uri()
    # One thread at a time uses it, but what is forgotten may be collected, and closed, by another one.
    if not reading:
        return sqlite3.connect(f"{where}?mode=rw", uri=True, timeout=LOCK_WAIT_SECONDS, check_same_thread=False)
    # On a disk that cannot be written SQLite cannot share the log; without a log there is nothing to share.
    alone = not os.access(folder, os.W_OK) and not (folder / "crawl.db-wal").exists()
    return sqlite3.connect(f"{where}?mode=ro{'&immutable=1' if alone else ''}", uri=True, check_same_thread=False)


@contextmanager
def translate_errors(folder: Path) -> Iterator[None]:
    """Failures of disk and database become one message that says what to do."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        if getattr(error, "errno", 0) in _FULL or getattr(error, "sqlite_errorcode", 0) & 0xFF in _SQLITE_FULL:
            message = f"no room left on the disk of {folder}; nothing that was committed is lost: "
            raise StoreError(f"{message}make room, then `clew resume {folder}`") from error
        raise StoreError(f"cannot use {folder}: {error}") from error
