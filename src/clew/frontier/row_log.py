"""The table in checkpoints: what has changed since the last one, and now and then a part of the whole.

A checkpoint writes the changed rows as one log, and as many rows again as blocks of the table, going round. When all
blocks have been written since a log, the log is dropped. So a checkpoint costs what has changed, whatever the size of
the table; the logs are never much longer than the table; and nothing is ever rewritten as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Final

import numpy as np

from clew.base.codec import same_tags
from clew.frontier.rows import Rows, no_rows, packed, packed_with_slots, unpack, unpack_with_slots
from clew.frontier.table import Table

BLOCK: Final = 4096  # rows
INDEX: Final = "rows"  # the part that says which others there are

Parts = dict[str, bytes | None]


@dataclass(frozen=True)
class Written:
    """Which blocks and logs the last checkpoint has."""

    rows: int = 0  # of the table
    blocks: int = 0
    first_log: int = 0
    next_log: int = 0
    next_block: int = 0  # with which the round goes on
    round_log: int = 0  # logs before this one can go when the round is over

    def names(self) -> list[str]:
        """The parts, in the order in which they are read."""
        logs = range(self.first_log, self.next_log)
        return [*map(block_name, range(self.blocks)), *map(log_name, logs)]


@dataclass
class RowLog:
    """Writes what has changed; until `saved` is called, the next call writes the same again."""

    table: Table
    written: Written = field(default_factory=Written)
    _pending: Written | None = None

    def save(self) -> Parts:
        """The parts of a checkpoint; None where the last one has it already."""
        fresh: Parts = {}
        table = self.table
        now = replace(self.written, rows=len(table))
        slots = np.array(table.changed, np.uint32)
        if len(slots):
            fresh[log_name(now.next_log)] = packed_with_slots(table, slots)
            now = replace(now, next_log=now.next_log + 1)
        for _ in range(1 + len(slots) // BLOCK if now.rows else 0):
            now = self._write_block(now, fresh)
            if now.next_block == 0:
                break
        self._pending = now
        index = json.dumps(asdict(now)).encode()
        return {INDEX: index, **{name: fresh.get(name) for name in now.names()}}

    def saved(self) -> None:
        """A checkpoint has what `save` gave last."""
        if self._pending:
            self.written = self._pending
            self._pending = None
            self.table.forget_changes()

    def load(self, parts: Mapping[str, bytes]) -> Rows:
        """The rows of a checkpoint, which is the last one from now on."""
        self.written = Written(**json.loads(parts[INDEX]))
        same_tags("the table of the frontier", parts, [INDEX, *self.written.names()])
        rows = no_rows(self.written.rows)
        for block in range(self.written.blocks):
            unpack(parts[block_name(block)], rows, block * BLOCK)
        for log in range(self.written.first_log, self.written.next_log):
            unpack_with_slots(parts[log_name(log)], rows)
        return rows

    def _write_block(self, now: Written, fresh: Parts) -> Written:
        """The next block of the round; the last one ends the round, and the logs of before it can go."""
        block = now.next_block
        if block == 0:
            now = replace(now, round_log=now.next_log)
        first = block * BLOCK
        size = min(BLOCK, now.rows - first)
        fresh[block_name(block)] = packed(self.table, slice(first, first + size), size)
        now = replace(now, next_block=block + 1, blocks=max(now.blocks, block + 1))
        if now.next_block * BLOCK < now.rows:
            return now
        return replace(now, next_block=0, first_log=now.round_log)


def block_name(number: int) -> str:
    """The name of a block of rows that follow each other."""
    return f"block.{number}"


def log_name(number: int) -> str:
    """The name of a log of rows that have changed."""
    return f"log.{number}"
