"""What the judge said of pages before it judged them again: a replay begins with the judgements of the checkpoint."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from clew.store.rows import loaded
from clew.types import Judgement


class EarlierJudgements:
    """For each page that was judged again since the last checkpoint: its judgement from before.

    A strategy may look at any page during a replay, and must see what it saw then. So the judgements are set back
    first; the replay judges the pages again, each at its time.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def keep(self, orders: Iterable[int]) -> None:
        """In the transaction of the caller, before these visits get other judgements; the first ones stay."""
        self._db.executemany(
            "INSERT OR IGNORE INTO earlier_judgements "
            'SELECT "order", relevance, relevant, topics FROM pages WHERE "order" = ?',
            [(order,) for order in orders],
        )

    def drop(self) -> None:
        """In the transaction of the caller: a checkpoint holds what came of the judgements of now."""
        self._db.execute("DELETE FROM earlier_judgements")

    def read(self) -> dict[int, Judgement]:
        """The judgements as of the last checkpoint, by the order of the visit."""
        # A folder of an earlier version that is open for reading has no such table, and nothing to set back.
        if not self._db.execute("SELECT 1 FROM pragma_table_info('earlier_judgements')").fetchone():
            return {}
        rows = self._db.execute("SELECT * FROM earlier_judgements")
        return {
            order: Judgement(relevance, bool(relevant), loaded(topics)) for order, relevance, relevant, topics in rows
        }
