"""The pages of a crawl, newest or best first."""

from __future__ import annotations

from typing import Any, Final

from clew.base.clean_text import clean
from clew.errors import ConfigError
from clew.serve.data import shown
from clew.serve.data.cursors import bounded, cursor_of, part, place_of
from clew.serve.data.previews import Previews
from clew.store import Label, Record, Records, latest
from clew.store.rows import COLUMNS, record_of

ORDERS: Final = {
    "newest": ('"order" < ?', '"order" DESC', 1),
    # Shards count their visits each for itself.
    "newest of shards": ('(at < ? OR (at = ? AND "order" < ?))', 'at DESC, "order" DESC', 3),
    "best": ('(relevance < ? OR (relevance = ? AND "order" > ?))', 'relevance DESC, "order"', 3),
}
SORTS: Final = ("newest", "best")
MAX_TOPICS: Final = 20


def pages(
    records: Records,
    sort: str = "newest",
    relevant: bool | None = None,
    host: str = "",
    cursor: str = "",
    limit: int = 50,
) -> dict[str, Any]:
    """A part of the list of pages; a cursor goes on where the part before it ended, while new pages come."""
    if sort not in SORTS:
        raise ConfigError(f"pages can be sorted by {' or '.join(SORTS)}, not by {sort!r}")
    if sort == "newest" and records.store.is_whole:
        sort = "newest of shards"
    after, by, count = ORDERS[sort]
    limit = bounded(limit)
    conditions = ["state = 'fetched'"]
    values: list[Any] = []
    if relevant is not None:
        conditions.append("relevant" if relevant else "NOT relevant")
    if host:
        conditions.append("host = ?")
        values.append(host)
    if cursor:
        conditions.append(after)
        values += place_of(cursor, count)
    query = f"SELECT {COLUMNS} FROM pages WHERE {' AND '.join(conditions)} ORDER BY {by} LIMIT ?"
    found = [record_of(row) for row in records.store.db.execute(query, (*values, limit + 1))]
    items = listed(records, found[:limit]) + [{}] * (len(found) > limit)
    return part(items, limit, _cursor(sort, found[limit - 1]) if len(found) > limit else "")


def listed(records: Records, found: list[Record]) -> list[dict[str, Any]]:
    """Pages as lists show them: in their newest version, with preview and label."""
    previews = Previews.of(records)
    given = latest(records.labels())
    has_revisits = bool(records.revisits()) if found else False
    items: list[dict[str, Any]] = []
    for record in found:
        newest = records.latest(record) if has_revisits else record
        items.append(
            shown.visit(newest)
            | {"preview": previews.preview(record.order, record.language), "label": label_of(given.get(record.url))}
        )
    return items


def page(records: Records, url: str) -> dict[str, Any] | None:
    """All that is kept of a visited page, in its newest version; None if there was no such visit."""
    record = records.find(url)
    if record is None or record.order < 0:
        return None
    newest = records.latest(record)
    topics = sorted(newest.topics.items(), key=lambda item: -item[1])[:MAX_TOPICS]
    return listed(records, [record])[0] | {
        "status": newest.status,
        "bytes": newest.bytes,
        "seconds": newest.seconds,
        "location": shown.url(newest.location),
        **shown.score(record.score),
        "topics": [{"topic": clean(name, shown.MAX_TITLE), "membership": value} for name, value in topics],
        "revisits": len(records.revisits(record.url)),
        "has_raw": bool(newest.file),
    }


def label_of(label: Label | None) -> dict[str, Any] | None:
    """A label: yes or no, and whether the crawl has taken it in."""
    if label is None:
        return None
    return {"relevant": label.relevant, "taken": label.taken, "user": clean(label.user, shown.MAX_TITLE)}


def _cursor(sort: str, last: Record) -> str:
    if sort == "newest":
        return cursor_of(last.order)
    if sort == "newest of shards":
        return cursor_of(last.at, last.at, last.order)
    return cursor_of(last.relevance, last.relevance, last.order)
