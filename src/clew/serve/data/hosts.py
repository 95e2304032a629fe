"""The hosts of a crawl: what was found there, what waits, and what they ask for."""

from __future__ import annotations

import math
import time
from typing import Any, Final

from clew.base.clean_text import clean
from clew.serve.data import shown
from clew.serve.data.cursors import bounded, cursor_of, part, place_of
from clew.serve.data.saved_frontier import SavedFrontier
from clew.store import Records
from clew.store.head import HostNow

_SIZES: Final = "SELECT host, bytes, seconds FROM hosts WHERE host IN ({})"
_QUIET: Final[dict[str, Any]] = {"delay": None, "rests_until": None, "trouble": ""}


def hosts(records: Records, cursor: str = "", limit: int = 50) -> dict[str, Any]:
    """The hosts, those with the most relevant pages first; then those that only wait."""
    limit = bounded(limit)
    start = max(0, int(place_of(cursor, 1)[0])) if cursor else 0
    found = records.hosts_now()
    if not any(host.waiting for host in found) and not records.store.is_whole:
        found = _with_checkpoint(records, found)
    chosen = found[start : start + limit + 1]
    names = [host.host for host in chosen]
    sizes = _sizes(records, names)
    manners = _manners(records, names)
    denied = frozenset(records.config.scope.deny)
    items = [_shown(host, sizes, manners, denied) for host in chosen]
    return part(items, limit, cursor_of(start + limit)) | {"total": len(found)}


def _shown(
    host: HostNow,
    sizes: dict[str, tuple[int, float]],
    manners: dict[str, dict[str, Any]],
    denied: frozenset[str],
) -> dict[str, Any]:
    size, seconds = sizes.get(host.host, (0, None))
    found = {
        "host": host.host,
        "visited": host.visited,
        "relevant": host.relevant,
        "failed": host.failed,
        "waiting": host.waiting,
        "best": shown.score(host.best)["score"] if host.best is not None else None,
        "bytes": size,
        "seconds": seconds,
        "denied": host.host in denied,
        **manners.get(host.host, _QUIET),
    }
    if host.ready_at > time.time():
        found["rests_until"] = max(found["rests_until"] or 0.0, host.ready_at)
    return found


def _with_checkpoint(records: Records, found: list[HostNow]) -> list[HostNow]:
    """The same with what waited at the last checkpoint: folders of earlier versions have nothing newer."""
    waiting = SavedFrontier(records).waiting_by_host()
    known = {host.host for host in found}
    found = [
        host._replace(waiting=waiting[host.host][0], best=_finite(waiting[host.host][1]))
        if host.host in waiting
        else host
        for host in found
    ]
    rest = [
        HostNow(name, 0, 0, 0, count, _finite(best)) for name, (count, best) in waiting.items() if name not in known
    ]
    return [*found, *sorted(rest, key=lambda host: (-host.waiting, host.host))]


def _finite(score: float) -> float | None:
    return score if math.isfinite(score) else None


def _sizes(records: Records, names: list[str]) -> dict[str, tuple[int, float]]:
    """Bytes and mean response time of hosts."""
    rows = records.store.db.execute(_SIZES.format(",".join("?" * len(names))), names)
    return {host: (size, seconds) for host, size, seconds in rows}


def _manners(records: Records, names: list[str]) -> dict[str, dict[str, Any]]:
    """What hosts ask for beyond the usual delay."""
    db = records.store.db
    if not db.execute("SELECT 1 FROM pragma_table_info('manners')").fetchone():
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
