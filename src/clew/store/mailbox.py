"""The letters of a shard, written in the transaction of the visits from which they follow.

Three tables, which only the folder of a shard has: what was sent and is not known to be safe with its receiver, what
was received since the last checkpoint, and the numbers of the latest letters by peer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

MAIL: Final = """
CREATE TABLE IF NOT EXISTS outbox (peer INTEGER, seq INTEGER, letters BLOB, PRIMARY KEY (peer, seq)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS inbox (id INTEGER PRIMARY KEY, peer INTEGER, seq INTEGER, "order" INTEGER, letters BLOB);
CREATE TABLE IF NOT EXISTS peers (peer INTEGER PRIMARY KEY, sent INTEGER, got INTEGER) WITHOUT ROWID;
"""


class Received(NamedTuple):
    """Mail that was taken in before the visit with this order."""

    peer: int
    seq: int
    order: int
    letters: bytes


@dataclass
class MailRows:
    """What a commit writes."""

    sent: Sequence[tuple[int, int, bytes]] = ()  # peer, number, letters
    received: Sequence[Received] = ()
    safe: Mapping[int, int] = field(default_factory=dict)  # by peer: the last number that is durable there
    peers: Sequence[tuple[int, int, int]] = ()  # peer, last number sent, last number received


class Mailbox:
    """Keeps the mail of one shard in its database."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'inbox'").fetchone():
            db.executescript(MAIL)

    def write(self, rows: MailRows, has_checkpoint: bool) -> None:
        """Write in the transaction of the caller; a checkpoint holds everything that was received."""
        for peer, number in rows.safe.items():
            self._db.execute("DELETE FROM outbox WHERE peer = ? AND seq <= ?", (peer, number))
        self._db.executemany("INSERT INTO outbox VALUES (?,?,?)", rows.sent)
        if has_checkpoint:
            self._db.execute("DELETE FROM inbox")
        else:
            self._db.executemany('INSERT INTO inbox (peer, seq, "order", letters) VALUES (?,?,?,?)', rows.received)
        self._db.executemany("INSERT OR REPLACE INTO peers VALUES (?,?,?)", rows.peers)

    def outgoing(self, peer: int, after: int, most: int) -> list[tuple[int, bytes]]:
        """Committed mail to a peer, in order, starting after a number."""
        query = "SELECT seq, letters FROM outbox WHERE peer = ? AND seq > ? ORDER BY seq LIMIT ?"
        return self._db.execute(query, (peer, after, most)).fetchall()

    def waiting(self) -> int:
        """How many pieces of mail are not known to be safe with their receivers."""
        return int(self._db.execute("SELECT count(*) FROM outbox").fetchone()[0])

    def inbox(self) -> list[Received]:
        """What was received since the last checkpoint, in order."""
        rows = self._db.execute('SELECT peer, seq, "order", letters FROM inbox ORDER BY id')
        return [Received(*row) for row in rows]

    def peers(self) -> list[tuple[int, int, int]]:
        """By peer: the last numbers sent and received."""
        return self._db.execute("SELECT peer, sent, got FROM peers").fetchall()
