"""A crawl folder: made whole, claimed once, locked by who writes into it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import IO

from clew import config
from clew.errors import FolderInUse, StoreError
from clew.store.schema import SCHEMA, VERSION


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
