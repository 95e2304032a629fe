"""Orders that users give to a crawl; any process may write them, even while another one crawls."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from clew.base.trouble import trouble
from clew.errors import StoreError
from clew.store.database import check_version, database_of, is_whole
from clew.store.labels import LOCK_WAIT_SECONDS
from clew.store.schema import ORDERS

BOOK: Final = "orders.db"
"""The database in which the orders of a crawl on several shards stand."""
HANDED: Final = """
-- What each shard must hear of an order; `words` is a JSON list.
CREATE TABLE IF NOT EXISTS handed (
  id INTEGER, shard INTEGER, words TEXT, agreed TEXT, PRIMARY KEY (id, shard)) WITHOUT ROWID
"""
_COLUMNS: Final = "id, kind, words, at, taken, refused, effect"


class Order(NamedTuple):
    """What a user told a crawl, and what became of it.

    >>> Order(1, "deny", ("ads.example",), at=0.0).state
    'waiting'
    >>> Order(1, "deny", ("ads.example",), at=0.0, taken=40, effect="12 candidates dropped").state
    'taken after visit 40: 12 candidates dropped'
    """

    id: int
    kind: str
    words: tuple[str, ...]
    at: float
    taken: int | None = None  # visits before the crawl took it; None while it waits, or if it was refused
    refused: str = ""  # why
    effect: str = ""  # what it has changed

    @property
    def is_waiting(self) -> bool:
        """Whether the crawl has not looked at it yet."""
        return self.taken is None and not self.refused

    @property
    def state(self) -> str:
        """What became of it, as users read it."""
        if self.refused:
            return f"refused: {self.refused}"
        if self.taken is None:
            return "waiting"
        return f"taken after visit {self.taken:,}" + (f": {self.effect}" if self.effect else "")

    def __str__(self) -> str:
        return " ".join((self.kind, *self.words))


class OrderBook:
    """The orders of an open crawl folder; what became of them is durable after the next commit of the store."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._settled: dict[int, Order] = {}  # by id, not committed yet

    def waiting(self) -> list[Order]:
        """The orders that the crawl has not looked at, in the order in which they were given."""
        query = f"SELECT {_COLUMNS} FROM orders WHERE taken IS NULL AND refused = '' ORDER BY id"
        found = map(_order, self._db.execute(query).fetchall())
        return [order for order in found if order.id not in self._settled]

    def settle(self, order: Order) -> None:
        """Note what became of an order."""
        self._settled[order.id] = order

    def write(self) -> None:
        """Write what is settled in the transaction of the caller."""
        rows = [(order.taken, order.refused, order.effect, order.id) for order in self._settled.values()]
        self._db.executemany("UPDATE orders SET taken = ?, refused = ?, effect = ? WHERE id = ?", rows)

    def clear(self) -> None:
        """Forget what is settled: it is committed."""
        self._settled = {}

    def settle_now(self, order: Order) -> None:
        """Write at once what became of an order, where no commit will follow."""
        self._settled = {order.id: order}
        with self._db:
            self.write()
        self.clear()


def write_orders(folder: Path, orders: Iterable[tuple[str, Sequence[str]]]) -> list[int]:
    """Write orders, as (kind, words), into a crawl folder, all or none; return their ids."""
    ids: list[int] = []
    try:
        with closing(connection(folder)) as db, db:
            for kind, words in orders:
                row = (kind, json.dumps(list(words)), time.time())
                ids.append(db.execute("INSERT INTO orders (kind, words, at) VALUES (?,?,?)", row).lastrowid or 0)
    except sqlite3.Error as error:
        raise StoreError(trouble(error, folder) or f"cannot write orders into {folder}: {error}") from error
    return ids


def connection(folder: Path) -> sqlite3.Connection:
    """A connection to the database in which the orders of a crawl stand; it may write them, even while one crawls."""
    is_book = is_whole(folder)
    path = folder / BOOK if is_book else database_of(folder)
    # The folder stays unlocked, as for labels: SQLite orders the two writers.
    address = f"{path.absolute().as_uri()}?mode={'rwc' if is_book else 'rw'}"
    db = sqlite3.connect(address, uri=True, timeout=LOCK_WAIT_SECONDS)
    try:
        if is_book:
            db.execute(HANDED)
        else:
            check_version(db, folder)
        db.execute(ORDERS)
        db.commit()
    except BaseException:
        db.close()
        raise
    return db


def all_orders(db: sqlite3.Connection) -> list[Order]:
    """All orders, in the order in which they were given."""
    # A folder of an earlier version has no such table, and one that is opened for reading does not get it.
    if not db.execute("SELECT 1 FROM pragma_table_info('orders')").fetchone():
        return []
    return list(map(_order, db.execute(f"SELECT {_COLUMNS} FROM orders ORDER BY id").fetchall()))


def _order(row: tuple[Any, ...]) -> Order:
    number, kind, words, at, taken, refused, effect = row
    return Order(number, kind, tuple(json.loads(words)), at, taken, refused, effect)
