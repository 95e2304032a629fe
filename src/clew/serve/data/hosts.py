"""The hosts of a crawl: what was found there, what waits, and what they ask for."""

from __future__ import annotations

from typing import Any, Final

from clew.base.clean_text import clean
from clew.serve.data import shown
from clew.serve.data.cursors import bounded, cursor_of, part, place_of
from clew.serve.data.saved_frontier import SavedFrontier
from clew.store import Records

_VISITED: Final = (
    "SELECT host, visited, relevant, failed, bytes, seconds FROM hosts ORDER BY relevant DESC, visited DESC, host"
)
_QUIET: Final[dict[str, Any]] = {"delay": None, "rests_until": None, "trouble": ""}


def hosts(records: Records, cursor: str = "", limit: int = 50) -> dict[str, Any]:
    """The hosts, those with the most relevant pages first; then those that only wait."""
    limit = bounded(limit)
    start = int(place_of(cursor, 1)[0]) if cursor else 0
    waiting = SavedFrontier(records).waiting_by_host()
    query = (
        "SELECT host, visited, relevant, failed, bytes, seconds FROM hosts ORDER BY relevant DESC, visited DESC, host"
    )
    visited = {row[0]: row for row in records.store.db.execute(query)}
    unvisited = sorted(waiting.keys() - visited.keys(), key=lambda name: (-waiting[name][0], name))
    names = [*visited, *unvisited][max(0, start) : max(0, start) + limit + 1]
    manners = _manners(records, names)
    denied = frozenset(records.config.scope.deny)
    items: list[dict[str, Any]] = []
    for name in names:
        _, visits, relevant, failed, size, seconds = visited.get(name, (name, 0, 0, 0, 0, None))
        count, best = waiting.get(name, (0, float("-inf")))
        items.append(
            {
                "host": name,
                "visited": visits,
                "relevant": relevant,
                "failed": failed,
                "waiting": count,
                "best": shown.score(best)["score"] if count else None,
                "bytes": size,
                "seconds": seconds,
                "denied": name in denied,
                **manners.get(name, _QUIET),
            }
        )
    return part(items, limit, cursor_of(start + limit)) | {"total": len(visited) + len(unvisited)}


def _manners(records: Records, names: list[str]) -> dict[str, dict[str, Any]]:
    """What hosts ask for beyond the usual delay."""
    db = records.store.db
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'manners'").fetchone():
        return {}
    marks = ",".join("?" * len(names))
    rows = db.execute(f"SELECT host, until, wish, trouble FROM manners WHERE host IN ({marks})", names)
    return {
        host: {
            "delay": wish or None,
            "rests_until": until or None,
            "trouble": clean(trouble or "", shown.MAX_REASON),
        }
        for host, until, wish, trouble in rows
    }
