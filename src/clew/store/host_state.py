"""Keeps what hosts have asked of the crawler, so that the next run is as polite as this one."""

from __future__ import annotations

import sqlite3
import time

from clew.types import HostState


def save_host_state(db: sqlite3.Connection, host_state: HostState) -> None:
    """Save the state of one host at once, without waiting for the next commit."""
    with db:
        db.execute("INSERT OR REPLACE INTO manners VALUES (?,?,?,?,?,?,?)", host_state)


def load_host_state(db: sqlite3.Connection, seconds: float) -> list[HostState]:
    """Load the state of all hosts, with the response time of those visited within the last `seconds`."""
    states = {row[0]: HostState(*row) for row in db.execute("SELECT * FROM manners")}
    # In the order of the visits, so that the latest answer of a host overwrites the earlier ones.
    query = 'SELECT host, seconds FROM pages WHERE at > ? AND status ORDER BY "order"'
    for host, response_time in db.execute(query, (time.time() - seconds,)):
        states[host] = states.get(host, HostState(host))._replace(usual=response_time)
    return list(states.values())
