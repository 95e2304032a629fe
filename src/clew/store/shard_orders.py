"""Orders to a crawl on several shards: a book in its own folder, and what became of them in the folders of the shards.

The lead takes an order once, and writes down in the same transaction which shards it concerns, and with which words. It
hands them on until they are in the databases of the shards, under the number that they have in the book: so a shard has
each order once, however often it is handed on, and takes it as a crawl of one process would.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from clew.base.trouble import trouble
from clew.errors import StoreError
from clew.store.database import DATABASE, is_whole
from clew.store.orders import BOOK, Order, all_orders, connection
from clew.store.whole import shard_folders

AGREED: Final = "relevances of start pages"
"""The fact that holds, by interest, what the start pages of all shards say of it: the threshold follows from it."""
_COLUMNS: Final = "id, shard, words, agreed"


class Handed(NamedTuple):
    """An order for one shard."""

    id: int
    kind: str
    words: tuple[str, ...]
    at: float
    agreed: str = ""  # what all shards must know to judge alike, for the fact AGREED


class Share(NamedTuple):
    """What one shard hears of an order."""

    words: tuple[str, ...]
    agreed: str = ""


class WholeOrders:
    """The book of orders of a crawl on several shards."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def exists(self) -> bool:
        """Whether there were any orders."""
        return (self.folder / BOOK).is_file()

    def waiting(self) -> list[Order]:
        """The orders that the lead has not taken, in the order in which they were given."""
        if not self.exists:
            return []
        with self._open() as db:
            return [order for order in all_orders(db) if order.is_waiting]

    def settle(self, order: Order, shares: Mapping[int, Share] | None = None) -> None:
        """Note that the lead has taken or refused an order, and what each shard must hear of it."""
        rows = [(order.id, shard, json.dumps(share.words), share.agreed) for shard, share in (shares or {}).items()]
        with self._open() as db, db:
            values = (order.taken, order.refused, order.effect, order.id)
            db.execute("UPDATE orders SET taken = ?, refused = ?, effect = ? WHERE id = ?", values)
            db.executemany(f"INSERT OR REPLACE INTO handed ({_COLUMNS}) VALUES (?,?,?,?)", rows)

    def last_taken(self) -> int:
        """The number of the latest order that the lead has taken."""
        if not self.exists:
            return 0
        with self._open() as db:
            return int(db.execute("SELECT max(id) FROM orders WHERE taken IS NOT NULL").fetchone()[0] or 0)

    def share_of(self, shard: int, after: int) -> list[Handed]:
        """The orders that a shard must hear, in order, starting after a number."""
        query = (
            "SELECT id, kind, handed.words, at, agreed FROM handed JOIN orders USING (id) "
            "WHERE shard = ? AND id > ? ORDER BY id"
        )
        if not self.exists:
            return []
        with self._open() as db:
            rows = db.execute(query, (shard, after)).fetchall()
        return [Handed(number, kind, tuple(json.loads(words)), at, agreed) for number, kind, words, at, agreed in rows]

    def all(self) -> list[Order]:
        """All orders, with what became of them in the shards that are here."""
        if not self.exists:
            return []
        with self._reading() as db:
            given = all_orders(db)
            shares = db.execute("SELECT id, shard FROM handed ORDER BY id, shard").fetchall()
        here = {int(path.name): _orders_in(path) for path in shard_folders(self.folder)}
        wanted: dict[int, list[int]] = defaultdict(list)
        for number, shard in shares:
            wanted[number].append(shard)
        return [_with_fate(order, wanted[order.id], here) for order in given]

    def _open(self) -> AbstractContextManager[sqlite3.Connection]:
        return _translated(self.folder, connection)

    def _reading(self) -> AbstractContextManager[sqlite3.Connection]:
        return _translated(self.folder, lambda folder: _read_only(folder / BOOK))


@contextmanager
def _translated(folder: Path, connect: Callable[[Path], sqlite3.Connection]) -> Iterator[sqlite3.Connection]:
    try:
        with closing(connect(folder)) as db:
            yield db
    except sqlite3.Error as error:
        raise StoreError(trouble(error, folder) or f"cannot use the orders of {folder}: {error}") from error


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def orders_of(folder: Path) -> list[Order]:
    """All orders to a crawl, with or without shards, and also where none of its shards is."""
    if is_whole(folder):
        return WholeOrders(folder).all()
    return list(_orders_in(folder).values())


def hand_on(folder: Path, orders: Iterable[Handed]) -> None:
    """Write orders into the folder of a shard; those that it has already stay as they are."""
    with closing(connection(folder)) as db, db:
        for order in orders:
            row = (order.id, order.kind, json.dumps(order.words), order.at)
            db.execute("INSERT OR IGNORE INTO orders (id, kind, words, at) VALUES (?,?,?,?)", row)
            if order.agreed:
                db.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (AGREED, order.agreed))


def last_heard(folder: Path) -> int:
    """The number of the latest order that a shard has heard."""
    if not (folder / DATABASE).is_file():
        return 0
    with closing(connection(folder)) as db:
        return int(db.execute("SELECT max(id) FROM orders").fetchone()[0] or 0)


def hand_on_all(whole: Path) -> list[Path]:
    """Hand on what waits for the shards that are here; the folders of those that have something to take."""
    book = WholeOrders(whole)
    found: list[Path] = []
    for folder in shard_folders(whole):
        hand_on(folder, book.share_of(int(folder.name), last_heard(folder)))
        if any(order.is_waiting for order in _orders_in(folder).values()):
            found.append(folder)
    return found


def _orders_in(folder: Path) -> dict[int, Order]:
    with _translated(folder / DATABASE, _read_only) as db:
        return {order.id: order for order in all_orders(db)}


def _with_fate(order: Order, shards: Sequence[int], here: Mapping[int, Mapping[int, Order]]) -> Order:
    """An order with what became of it in the shards that it concerns, as far as they are here."""
    if order.is_waiting or order.refused:
        return order
    parts = {shard: here[shard].get(order.id) for shard in shards if shard in here}
    if any(part is None or part.is_waiting for part in parts.values()):
        return order._replace(taken=None)
    fates = {shard: part for shard, part in parts.items() if part}
    refusals = [part.refused for part in fates.values() if part.refused]
    if refusals and len(refusals) == len(fates):
        return order._replace(taken=None, refused="; ".join(dict.fromkeys(refusals)))
    return order._replace(effect="; ".join(filter(None, [order.effect, *_effects(fates)])))


def _effects(fates: Mapping[int, Order]) -> list[str]:
    """What an order has changed; where shards differ, each is named.

    >>> def order(effect):
    ...     return Order(1, "deny", ("ads.example",), 0.0, 5, effect=effect)
    >>> _effects({0: order("nothing to change"), 1: order("nothing to change")})
    ['nothing to change']
    >>> _effects({0: order("3 candidates dropped"), 1: order(""), 2: order("9 candidates dropped")})
    ['3 candidates dropped (shard 0)', '9 candidates dropped (shard 2)']
    """
    said: dict[str, list[int]] = {}
    for shard, part in fates.items():
        said.setdefault(f"refused: {part.refused}" if part.refused else part.effect, []).append(shard)
    if len(said) == 1:
        return [text for text in said if text]
    return [f"{text} ({_named(shards)})" for text, shards in said.items() if text]


def _named(shards: Sequence[int]) -> str:
    numbers = ", ".join(map(str, shards))
    return f"shard {numbers}" if len(shards) == 1 else f"shards {numbers}"
