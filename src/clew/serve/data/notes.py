"""What was noted during a crawl: its journal, and what its users said."""

from __future__ import annotations

from typing import Any, Final

from clew.base.clean_text import clean
from clew.serve.data import shown
from clew.serve.data.cursors import bounded, cursor_of, part, place_of
from clew.store import Records

MAX_DETAIL: Final = 1_000
NO_PLACE: Final = 2**62


def journal(records: Records, cursor: str = "", limit: int = 50) -> dict[str, Any]:
    """The entries of the journal, the newest first."""
    limit = bounded(limit)
    before = place_of(cursor, 1)[0] if cursor else NO_PLACE
    query = "SELECT rowid, at, event, detail FROM journal WHERE rowid < ? ORDER BY rowid DESC LIMIT ?"
    rows = records.store.db.execute(query, (before, limit + 1)).fetchall()
    items = [{"at": at, "event": event, "detail": clean(detail or "", MAX_DETAIL)} for _, at, event, detail in rows]
    return part(items, limit, cursor_of(rows[limit - 1][0]) if len(rows) > limit else "")


def orders(records: Records, limit: int = 50) -> dict[str, Any]:
    """What users told the crawl and what became of it, the newest first."""
    found = records.orders()[::-1][: bounded(limit)]
    items = [
        {
            "id": order.id,
            "kind": order.kind,
            "words": [clean(word, shown.MAX_URL) for word in order.words],
            "at": order.at,
            "status": _status(order.is_waiting, order.refused),
            "taken": order.taken,
            "refused": order.refused,
            "effect": order.effect,
            "state": order.state,
        }
        for order in found
    ]
    return {"items": items}


def labels(records: Records, limit: int = 50) -> dict[str, Any]:
    """What users said of pages, the newest first."""
    found = records.labels()
    items = [
        {
            "id": label.id,
            "url": shown.url(label.url),
            "href": shown.href(label.url),
            "relevant": label.relevant,
            "at": label.at,
            "taken": label.taken,
            "user": clean(label.user, shown.MAX_TITLE),
        }
        for label in found[::-1][: bounded(limit)]
    ]
    return {"items": items, "total": len(found)}


def _status(is_waiting: bool, refused: str) -> str:
    if refused:
        return "refused"
    return "waiting" if is_waiting else "taken"
