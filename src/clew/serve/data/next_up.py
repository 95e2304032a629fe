"""The head of the frontier: what will be visited next, and why."""

from __future__ import annotations

from typing import Any, Final

from clew.base.clean_text import clean
from clew.serve.data import shown
from clew.serve.data.cursors import bounded
from clew.serve.data.saved_frontier import SavedFrontier
from clew.store import Records
from clew.types import UrlEntry

MAX_ANCHOR: Final = 200


def next_up(records: Records, limit: int = 50) -> dict[str, Any]:
    """The best candidates, the best first."""
    frontier = SavedFrontier(records)
    slots = frontier.best(bounded(limit))
    entries = frontier.entries(slots)
    scores = frontier.column("score")
    depths = frontier.column("depth")
    n_links = frontier.column("n_links")
    items = [
        _candidate(entries[slot])
        | shown.score(float(scores[slot]))
        | {"depth": int(depths[slot]), "n_links": int(n_links[slot]), "reasons": []}
        for slot in slots
        if slot in entries
    ]
    return {"items": items, "waiting": records.stats().waiting}


def _candidate(entry: UrlEntry) -> dict[str, Any]:
    link = entry.links[0] if entry.links else None
    return {
        "url": shown.url(entry.url),
        "href": shown.href(entry.url),
        "host": _host(entry.url),
        "source": shown.url(link.source) if link else "",
        "anchor": clean(link.anchor, MAX_ANCHOR) if link else "",
        "kind": link.kind if link else "start",
    }


def _host(url: str) -> str:
    return url.split("/", 3)[2] if url.count("/") >= 2 else url
