"""Errors of disks, files and databases in words that say what to do."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from clew.base.trouble import trouble

FOLDER = Path("crawls/baltic")


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        (errno.ENOSPC, "then run: clew resume crawls/baltic"),
        (errno.EROFS, "the disk is read-only"),
        (errno.EACCES, "check who owns it"),
        (errno.EMFILE, "lower --parallel"),
        (errno.ENOTDIR, "a file is in the place of a folder"),
        (errno.EIO, "the disk may be failing"),
    ],
)
def test_errors_of_files(code: int, wanted: str) -> None:
    assert wanted in trouble(OSError(code, os.strerror(code)), FOLDER)


def test_the_file_itself_is_named_where_it_is_known() -> None:
    error = PermissionError(errno.EACCES, "Permission denied", "crawls/baltic/lock")
    assert trouble(error, FOLDER).startswith("cannot use crawls/baltic/lock: Permission denied")


def test_errors_that_are_no_trouble_of_disks_remain_bugs(tmp_path: Path) -> None:
    assert trouble(ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"), FOLDER) == ""
    with closing(sqlite3.connect(tmp_path / "x.db")) as db, pytest.raises(sqlite3.Error) as caught:
        db.execute("SELECT nothing")
    assert trouble(caught.value, FOLDER) == ""


def test_a_database_in_use(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as one, closing(sqlite3.connect(path, timeout=0)) as other:
        one.execute("CREATE TABLE t (x)")
        one.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.Error) as caught:
            other.execute("BEGIN IMMEDIATE")
    assert "another program is writing" in trouble(caught.value, FOLDER)
