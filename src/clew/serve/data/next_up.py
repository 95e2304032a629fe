"""The head of the frontier: what will be visited next, and why."""

from __future__ import annotations

from typing import Any, Final

from clew.base.clean_text import clean
from clew.parse import host
from clew.serve.data import shown
from clew.serve.data.cursors import bounded
from clew.serve.data.saved_frontier import SavedFrontier
from clew.store import Records
from clew.store.head import Waiting
from clew.types import UrlEntry

MAX_ANCHOR: Final = 200


def next_up(records: Records, limit: int = 50) -> dict[str, Any]:
    """The best candidates, the best first, as of the last commit."""
    limit = bounded(limit)
    head = records.head(limit)
    # Folders of earlier versions have no head; their last checkpoint has all candidates.
    items = [_shown(candidate) for candidate in head]
    if not items and not records.store.is_whole:
        items = _from_checkpoint(records, limit)
    return {"items": items, "waiting": records.stats().waiting}


def _shown(candidate: Waiting) -> dict[str, Any]:
    return {
        "url": shown.url(candidate.url),
        "href": shown.href(candidate.url),
        "host": candidate.host,
        **shown.score(candidate.score),
        "depth": candidate.depth,
        "n_links": candidate.links,
        "source": shown.url(candidate.source),
        "anchor": clean(candidate.anchor, MAX_ANCHOR),
        "kind": candidate.kind or "start",
        "reasons": [{"text": clean(candidate.reason, shown.MAX_REASON), "value": None}],
    }


def _from_checkpoint(records: Records, limit: int) -> list[dict[str, Any]]:
    frontier = SavedFrontier(records)
    slots = frontier.best(limit)
    entries = frontier.entries(slots)
    scores = frontier.column("score")
    depths = frontier.column("depth")
    n_links = frontier.column("n_links")
    return [
        _shown(_waiting(entries[slot], float(scores[slot]), int(depths[slot]), int(n_links[slot])))
        for slot in slots
        if slot in entries
    ]


def _waiting(entry: UrlEntry, score: float, depth: int, links: int) -> Waiting:
    link = entry.links[0] if entry.links else None
    source = link.source if link else ""
    anchor = link.anchor if link else ""
    return Waiting(entry.url, host(entry.url), score, depth, links, source, 0.0, anchor, link.kind if link else "")
