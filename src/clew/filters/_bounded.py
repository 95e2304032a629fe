"""A dictionary that forgets its oldest entries."""

from __future__ import annotations

from typing import TypeVar

V = TypeVar("V")


def remember(known: dict[int, V], key: int, value: V, max_entries: int) -> None:
    """Keep a value; the oldest entry makes room.

    >>> known = {1: "a", 2: "b"}
    >>> remember(known, 3, "c", max_entries=2)
    >>> known
    {2: 'b', 3: 'c'}
    """
    if key not in known and len(known) >= max_entries:
        del known[next(iter(known))]
    known[key] = value
