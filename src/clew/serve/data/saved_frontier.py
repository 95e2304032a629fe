"""The frontier as the last checkpoint left it, column by column: a crawl in another process shows it no earlier."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import key_of
from clew.frontier.name_blocks import NameBlocks
from clew.frontier.row_log import BLOCK, INDEX, Written, block_name, log_name
from clew.frontier.rows import ROW, unpack, unpack_with_slots
from clew.frontier.table import QUEUED, VISITED
from clew.store import Records
from clew.types import UrlEntry

PREFIX: Final = "frontier/"


@dataclass
class SavedFrontier:
    """Columns of the frontier in the last checkpoint; each is read when it is asked for."""

    records: Records

    def column(self, name: str) -> NDArray[Any]:
        """A column of numbers; empty without a checkpoint."""
        parts = self._parts
        if INDEX not in parts:
            # As earlier versions wrote it: each column in one piece.
            return np.frombuffer(parts.get(name, b""), ROW[name])
        written = Written(**json.loads(parts[INDEX]))
        rows = {name: np.zeros(written.rows, ROW[name])}
        for block in range(written.blocks):
            unpack(parts[block_name(block)], rows, block * BLOCK)
        for log in range(written.first_log, written.next_log):
            unpack_with_slots(parts[log_name(log)], rows)
        return rows[name]

    @cached_property
    def host_names(self) -> list[str]:
        """The hosts, by their number."""
        parts = self._parts
        if INDEX not in parts:
            text = parts.get("hosts", b"").decode()
            return text.split("\n") if text else []
        return list(NameBlocks().load({name: data for name, data in parts.items() if name.startswith("hosts")}))

    @cached_property
    def queued(self) -> NDArray[np.int64]:
        """The slots of the candidates at the checkpoint."""
        return np.flatnonzero(self.column("state") == QUEUED)

    def find(self, url: str) -> int | None:
        """The slot of a URL; those that were found since the checkpoint are looked for among the texts."""
        keys = self.column("key")
        found = np.flatnonzero(keys == key_of(url))
        if len(found):
            return int(found[0])
        query = "SELECT slot FROM candidates WHERE slot >= ? AND url = ?"
        row = self.records.store.db.execute(query, (len(keys), url)).fetchone()
        return int(row[0]) if row else None

    def best(self, count: int) -> list[int]:
        """The slots of the candidates with the highest scores, without those that were visited since."""
        queued = self.queued
        scores = self.column("score")[queued]
        # Those that were visited since the checkpoint stood at the head, too.
        wanted = min(len(queued), 2 * count + self._visits_since())
        head = np.argpartition(-scores, wanted - 1)[:wanted] if wanted else np.arange(0)
        slots = queued[head[np.lexsort((queued[head], -scores[head]))]].tolist()
        visited = self.visited(slots)
        return [slot for slot in slots if slot not in visited][:count]

    def visited(self, slots: Sequence[int]) -> set[int]:
        """Those of the slots that were visited since the checkpoint."""
        keys = self.column("key")
        by_key = {int(keys[slot]): slot for slot in slots}
        marks = ",".join("?" * len(by_key))
        rows = self.records.store.db.execute(f"SELECT key FROM pages WHERE key IN ({marks})", list(by_key))
        return {by_key[row[0]] for row in rows}

    def waiting_by_host(self) -> dict[str, tuple[int, float]]:
        """For each host the number of candidates and the best score, at the checkpoint."""
        queued = self.queued
        hosts = self.column("host")[queued]
        count = len(self.host_names)
        waiting = np.bincount(hosts, minlength=count)
        best = np.full(count, -np.inf)
        np.maximum.at(best, hosts, self.column("score")[queued])
        return {
            name: (number, score)
            for name, number, score in zip(self.host_names, waiting.tolist(), best.tolist(), strict=True)
            if number
        }

    def entries(self, slots: Sequence[int]) -> dict[int, UrlEntry]:
        """URLs and in-links."""
        return self.records.store.entries(slots)

    def _visits_since(self) -> int:
        """At most as many visits came since the checkpoint as visited pages are unknown to it."""
        visited_then = int(np.count_nonzero(np.isin(self.column("state"), list(VISITED))))
        row = self.records.store.db.execute('SELECT max("order") FROM pages').fetchone()
        return min(max(0, (row[0] or 0) + 1 - visited_then), 2_000)

    @cached_property
    def _parts(self) -> dict[str, bytes]:
        query = "SELECT substr(part, ?), data FROM checkpoints WHERE part LIKE ? || '%'"
        return dict(self.records.store.db.execute(query, (len(PREFIX) + 1, PREFIX)))
