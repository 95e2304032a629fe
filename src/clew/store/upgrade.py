"""What folders of earlier versions need: their spellings of URLs, and the slots that today's parser gives."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

from clew.parse import VERSION, canonical

PARSER: Final = "parser"
"""The fact that says which version of the parser has read the pages since the last checkpoint."""
SPELLING: Final = "spelling"
"""The fact that escapes in the URLs of a folder have one spelling; earlier versions did not write it."""
TODAY: Final = {PARSER: str(VERSION), SPELLING: "unified"}


def old_spellings(db: sqlite3.Connection) -> dict[str, str]:
    """The URLs that are known by another spelling, by their canonical form."""
    found: dict[str, str] = {}
    for (url,) in db.execute("SELECT url FROM candidates WHERE instr(url, '%') ORDER BY slot"):
        page = canonical(url)
        if page and page != url:
            found.setdefault(page, url)
    # A URL that is known by its canonical form as well stays two.
    if found:
        for (url,) in db.execute("SELECT url FROM candidates"):
            found.pop(url, None)
    return found


def renumber(db: sqlite3.Connection, first: int, slots: Sequence[tuple[int, int]]) -> None:
    """Forget the slots from `first` on, which are written again, and give visits the new ones: (slot, order)."""
    db.execute("DELETE FROM candidates WHERE slot >= ?", (first,))
    db.executemany('UPDATE pages SET slot = ? WHERE "order" = ?', slots)
