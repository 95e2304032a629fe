"""Writes a checkpoint: the parts that have changed, while the others stay as they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from clew.store.checksums import CHECKSUMS, read_checksums, with_checksums
from clew.store.pieces import in_pieces


def write_checkpoint(db: sqlite3.Connection, parts: Mapping[str, bytes | None]) -> None:
    """In a transaction of the caller: these parts, and no others; a part that is None stays as it is."""
    # The names stand in an index of their own, so that no part is read for its name.
    there = {name for (name,) in db.execute("SELECT part FROM checkpoints ORDER BY part")}
    saved = db.execute("SELECT data FROM checkpoints WHERE part = ?", (CHECKSUMS,)).fetchone()
    sums = read_checksums(saved and saved[0])
    cut = in_pieces(parts, there & sums.keys())
    gone = there - {*cut, CHECKSUMS}
    db.executemany("DELETE FROM checkpoints WHERE part = ?", [(name,) for name in gone])
    fresh = with_checksums(cut, sums)
    db.executemany("INSERT OR REPLACE INTO checkpoints VALUES (?,?)", fresh.items())
