"""What hosts ask of us, across runs."""

from __future__ import annotations

import sqlite3
import time

from clew.types import HostState


def save_host_state(db: sqlite3.Connection, host_state: HostState) -> None:
    """Keep what one host asks, at once."""
    with db:
        db.execute("INSERT OR REPLACE INTO manners VALUES (?,?,?,?,?,?,?)", host_state)


def load_host_state(db: sqlite3.Connection, seconds: float) -> list[HostState]:
    """What all hosts ask, and how long those took to answer that were visited in the last seconds."""
    asked = {row[0]: HostState(*row) for row in db.execute("SELECT * FROM manners")}
    query = 'SELECT host, seconds FROM pages WHERE at > ? AND status ORDER BY "order"'  # the latest answer counts
    for host, took in db.execute(query, (time.time() - seconds,)):
        asked[host] = asked.get(host, HostState(host))._replace(usual=took)
    return list(asked.values())
