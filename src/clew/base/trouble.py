"""Says what is wrong with a disk, a file or a database, and what to do about it."""

from __future__ import annotations

import errno
import shlex
import sqlite3
from pathlib import Path
from typing import Final

FULL_DISK: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
FORBIDDEN: Final = {errno.EACCES, errno.EPERM}
WRONG_PLACE: Final = {errno.ENOENT, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP}
FAILING: Final = {errno.EIO, errno.ENODEV, errno.ENXIO, errno.ESTALE, errno.ENOTCONN}

# The low byte of SQLite's code; the bytes above it tell more.
DAMAGED: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
LOCKED: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
UNREADABLE: Final = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ}
READ_ONLY: Final = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM}


def trouble(error: OSError | sqlite3.Error, folder: Path | str | None = None) -> str:
    """What has happened and what to do, in words for users; "" if the error is no trouble of disk or database.

    >>> trouble(FileNotFoundError(2, "No such file or directory", "pages.txt"))
    'cannot use pages.txt: No such file or directory'
    """
    return _of_database(error, folder) if isinstance(error, sqlite3.Error) else _of_file(error, folder)


def _of_file(error: OSError, folder: Path | str | None) -> str:
    place = error.filename if isinstance(error.filename, str | Path) else folder
    if error.errno in FULL_DISK:
        return no_room(place, folder if isinstance(folder, Path) else None)
    if error.errno == errno.EROFS:
        return f"cannot write to {place}: the disk is read-only"
    if error.errno in FORBIDDEN:
        return f"cannot use {place}: {error.strerror}; check who owns it and who may write to it"
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return "too many files are open: raise the limit with 'ulimit -n', or lower --parallel"
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        return f"cannot use {place}: a file is in the place of a folder; choose another name"
    if error.errno in WRONG_PLACE and error.filename is not None:
        return f"cannot use {place}: {error.strerror}"
    return f"cannot read or write {place}: {error.strerror}; the disk may be failing" if error.errno in FAILING else ""


def _of_database(error: sqlite3.Error, folder: Path | str | None) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    name = shlex.quote(str(folder or "FOLDER"))
    if code in DAMAGED:
        return f"cannot use {folder}: its database is damaged ({error}). To see what is left: clew check {name}"
    if getattr(error, "sqlite_errorcode", 0) in UNREADABLE:
        return f"cannot read the database of {folder}: {error}; the disk may be failing"
    # SQLite does not say why it cannot write; mostly the disk is full.
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return no_room(folder, folder)
    if code in LOCKED:
        return f"cannot use {folder}: another program is writing to its database; try again when it is done"
    if code in READ_ONLY:
        return f"cannot write to {folder}: its database is read-only; check who may write to the folder"
    if str(error).startswith("no such table"):
        return f"cannot use {folder}: its database is damaged, or another program's ({error})"
    if code == sqlite3.SQLITE_CANTOPEN:
        return f"cannot open the database of {folder}: check who may read and write the folder and crawl.db"
    return ""


def no_room(place: Path | str | None, folder: Path | str | None) -> str:
    """Say that the disk is full."""
    message = f"no room left on the disk of {place}: make room"
    if folder is None or str(place) != str(folder):
        return f"{message}, then try again"
    return f"{message}, then run: clew resume {shlex.quote(str(folder))}. Nothing that was committed is lost"
