"""Why the crawl went where it went: one compact row for each visit, written in the transaction of its commit."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from clew.store.rows import loaded

DIGITS: Final = 4
MAX_ANCHOR: Final = 100  # characters


class TopicReason(NamedTuple):
    """What a page says of a topic or predicate."""

    topic: str
    membership: float  # 0 to 1
    stems: Mapping[str, int]  # those that speak for it, the weightiest first, as often as the page has them
    in_title: tuple[str, ...] = ()  # stems


class Reason(NamedTuple):
    """Why a URL was chosen, and why its page is relevant or not."""

    parts: Mapping[str, float] = {}  # of the score, when it was chosen
    source: str = ""  # the page of the link that decided; "" for a URL that was named without a link
    anchor: str = ""  # of that link
    focus: str = ""  # the interest that the strategy followed then; "" for the user's own
    topics: tuple[TopicReason, ...] | None = None  # None if the page was not judged by a formula


class ReasonBook:
    """The reasons of an open crawl folder; they are durable after the next commit of the store."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._new: list[tuple[Any, ...]] = []
        self._words: list[tuple[int, str]] = []

    def add(self, visit: int, reason: Reason) -> None:
        """Add the reason of a visit."""
        parts = json.dumps({name: _short(value) for name, value in reason.parts.items()}, ensure_ascii=False)
        topics = None if reason.topics is None else _saved(reason.topics)
        self._new.append((visit, parts, reason.source, reason.anchor[:MAX_ANCHOR], reason.focus, topics))

    def replace_topics(self, visit: int, topics: tuple[TopicReason, ...]) -> None:
        """A page was judged again: other topics may speak for it now."""
        self._words.append((visit, _saved(topics)))

    def write(self) -> None:
        """Write what is new in the transaction of the caller."""
        self._db.executemany("INSERT OR REPLACE INTO reasons VALUES (?,?,?,?,?,?)", self._new)
        # A visit of an earlier version has no row yet.
        self._db.executemany(
            "INSERT INTO reasons VALUES (?,NULL,'','','',?) ON CONFLICT (visit) DO UPDATE SET topics = excluded.topics",
            self._words,
        )

    def clear(self) -> None:
        """Forget what is new: it is committed."""
        self._new = []
        self._words = []


def reason_of_visit(db: sqlite3.Connection, visit: int) -> Reason | None:
    """The reason of a visit; None if none was kept, as by earlier versions."""
    if not db.execute("SELECT 1 FROM pragma_table_info('reasons')").fetchone():
        return None
    row = db.execute("SELECT parts, source, anchor, focus, topics FROM reasons WHERE visit = ?", (visit,)).fetchone()
    if row is None or row[0] is None:
        return None
    parts, source, anchor, focus, topics = row
    return Reason(loaded(parts), source, anchor, focus, None if topics is None else _topics(topics))


def _saved(topics: tuple[TopicReason, ...]) -> str:
    return json.dumps([topic._replace(membership=_short(topic.membership)) for topic in topics], ensure_ascii=False)


def _topics(saved: str) -> tuple[TopicReason, ...]:
    return tuple(TopicReason(name, share, stems, tuple(title)) for name, share, stems, title in loaded(saved))


def _short(value: float) -> float:
    """A number with as many digits as anybody reads.

    >>> _short(0.123456789), _short(3)
    (0.1235, 3.0)
    """
    return float(f"{value:.{DIGITS}g}")
