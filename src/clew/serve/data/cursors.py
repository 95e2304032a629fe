"""Cursors: where the next part of a list begins, as text that a client hands back unread."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any, Final

from clew.errors import ConfigError

MAX_LIMIT: Final = 200


def cursor_of(*place: Any) -> str:
    """A place as text.

    >>> place_of(cursor_of(0.5, 17), 2)
    [0.5, 17]
    """
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def place_of(cursor: str, length: int) -> list[Any]:
    """The place of a cursor, which has so many values."""
    try:
        place = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError):
        place = None
    is_place = isinstance(place, list) and len(place) == length
    if not is_place or not all(isinstance(value, int | float) for value in place):
        raise ConfigError("this is no cursor of this list: leave it out to begin at the first entry")
    return list(place)


def bounded(limit: int) -> int:
    """A length of a list that a client may ask for."""
    return max(1, min(limit, MAX_LIMIT))


def part(items: list[dict[str, Any]], limit: int, cursor: str) -> dict[str, Any]:
    """One part of a list; `items` may hold one entry too many, which says that there is more."""
    has_more = len(items) > limit
    return {"items": items[:limit], "next": cursor if has_more else None}
