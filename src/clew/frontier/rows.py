"""The columns of the table as rows of bytes, so that a checkpoint can hold any of them together."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.frontier.table import COLUMNS, KNOWN, Table

STRONGEST: Final = "strongest"  # the relevance of the best source, in a column of its own here
ROW: Final = np.dtype(
    [(name, COLUMNS[name]) for name in ("key", "score", "host", "depth", "n_links", "state", "relevance")]
    + [(STRONGEST, COLUMNS["relevance"]), ("hops", COLUMNS["hops"])]
)  # without gaps
SLOT_BYTES: Final = 4  # of the number before each row that stands for itself

Rows = dict[str, NDArray[Any]]


def packed(table: Table, slots: NDArray[np.int64] | slice, size: int) -> bytes:
    """These rows, one after the other."""
    rows = np.empty(size, ROW)
    for name in COLUMNS:
        rows[name] = table.of(name)[slots]
    is_known = are_known(rows["state"])
    rows[STRONGEST] = np.where(is_known, -1.0, rows["relevance"])
    rows["relevance"][~is_known] = 0.0
    return rows.tobytes()


def packed_with_slots(table: Table, slots: NDArray[np.uint32]) -> bytes:
    """Slots, then their rows."""
    return slots.tobytes() + packed(table, slots.astype(np.int64), len(slots))


def no_rows(size: int) -> Rows:
    """Columns to unpack rows into."""
    return {name: np.zeros(size, ROW[name]) for name in ROW.fields or ()}


def as_columns(rows: Rows) -> Rows:
    """The columns as the table holds them."""
    relevance = np.where(are_known(rows["state"]), rows["relevance"], rows[STRONGEST])
    return {name: rows[name] for name in COLUMNS} | {"relevance": relevance}


def are_known(states: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which pages have a relevance of their own."""
    return np.isin(states, list(KNOWN))


def unpack(data: bytes, into: Rows, first: int) -> None:
    """Write what `packed` gave into columns, from a row on."""
    rows = np.frombuffer(data, ROW)
    for name, column in into.items():
        column[first : first + len(rows)] = rows[name]


def unpack_with_slots(data: bytes, into: Rows) -> None:
    """Write what `packed_with_slots` gave into columns."""
    size = len(data) // (SLOT_BYTES + ROW.itemsize)
    slots = np.frombuffer(data, np.uint32, size)
    rows = np.frombuffer(data, ROW, size, SLOT_BYTES * size)
    for name, column in into.items():
        column[slots] = rows[name]
