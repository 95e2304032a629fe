"""Long parts of a checkpoint: a piece that is there already is not written again, and nothing is lost."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest

from clew.base.codec import PIECE, dumps, loads
from clew.errors import StoreError
from clew.store.checkpoints import write_checkpoint
from clew.store.checksums import verified
from clew.store.pieces import MARK, in_one


@pytest.fixture
def db() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE checkpoints (part TEXT PRIMARY KEY, data BLOB)")
    return connection


def read(db: sqlite3.Connection) -> dict[str, bytes]:
    return in_one(verified(dict(db.execute("SELECT part, data FROM checkpoints"))))


def state(visits: int) -> bytes:
    """A state that grows as that of a crawl: a list at its end, another one in the middle."""
    numbers = np.arange(visits, dtype=np.float64)
    counts = np.zeros(50_000)
    counts[visits % 50_000] = visits
    return dumps(
        {"visits": visits, "urls": [f"http://a.example/{n}" for n in range(visits)], "x": numbers, "c": counts}
    )


def changes(db: sqlite3.Connection) -> int:
    """The bytes of the pieces that are written from now on."""
    db.execute("CREATE TEMP TABLE IF NOT EXISTS written (size INTEGER)")
    db.execute(
        "CREATE TEMP TRIGGER IF NOT EXISTS watch AFTER INSERT ON main.checkpoints BEGIN "
        "INSERT INTO written VALUES (length(NEW.data)); END"
    )
    [size] = db.execute("SELECT coalesce(sum(size), 0) FROM written").fetchone()
    db.execute("DELETE FROM written")
    return int(size)


def test_what_was_written_is_read_back_and_nothing_is_left_over(db: sqlite3.Connection) -> None:
    for strategy in (state(10), state(40_000), state(40_200), state(90_000), state(20), b"{}"):
        parts = {"state": b"{}", "strategy": strategy}
        write_checkpoint(db, parts)
        assert read(db) == parts
    assert not [name for (name,) in db.execute("SELECT part FROM checkpoints") if MARK in name]


def test_only_changed_pieces_are_written_whatever_the_size(db: sqlite3.Connection) -> None:
    written = []
    for visits in (50_000, 200_000):
        write_checkpoint(db, {"strategy": state(visits)})
        changes(db)
        write_checkpoint(db, {"strategy": state(visits + 100)})
        written.append(changes(db))
        assert loads(read(db)["strategy"])["visits"] == visits + 100
    assert max(written) < 9 * PIECE < len(state(50_000))


def test_a_part_that_stays_keeps_its_pieces(db: sqlite3.Connection) -> None:
    whole = state(40_000)
    write_checkpoint(db, {"strategy": whole, "state": b"1"})
    write_checkpoint(db, {"strategy": None, "state": b"2"})
    assert read(db) == {"strategy": whole, "state": b"2"}


def test_a_damaged_piece_is_noticed(db: sqlite3.Connection) -> None:
    write_checkpoint(db, {"strategy": state(40_000)})
    db.execute("UPDATE checkpoints SET data = zeroblob(65536) WHERE part LIKE 'strategy#%'")
    with pytest.raises(StoreError, match="damaged"):
        read(db)
