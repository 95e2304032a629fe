"""Why a URL was visited, why it waits, or why it was left out."""

from __future__ import annotations

from typing import Any

from clew.base.clean_text import clean
from clew.core.build import address
from clew.serve.data import shown
from clew.serve.data.next_up import MAX_ANCHOR
from clew.serve.data.pages import label_of, page
from clew.serve.data.saved_frontier import SavedFrontier
from clew.store import PathStep, Records
from clew.types import UrlState


def explain(records: Records, url: str) -> dict[str, Any]:
    """State, reason, score and path of a URL, from what the crawl has kept: nothing is replayed."""
    url = address(url)
    visited = page(records, url)
    if visited is not None:
        state = visited["state"]
        reason = visited["reason"]
        path = records.path(url)
    else:
        state, reason, path = _unvisited(records, url)
    return {
        "url": shown.url(url),
        "href": shown.href(url),
        "state": state,
        "reason": reason,
        "page": visited,
        "path": [_step(step) for step in path],
        "parts": [],
        "threshold": shown.number(records.threshold),
        "label": label_of(records.label(url)),
    }


def _unvisited(records: Records, url: str) -> tuple[str, str, list[PathStep]]:
    frontier = SavedFrontier(records)
    slot = frontier.find(url)
    entry = frontier.entries([slot]).get(slot) if slot is not None else None
    if slot is None or entry is None:
        return "unknown", "the crawl has never seen this URL", []
    scores = frontier.column("score")
    score = float(scores[slot]) if slot < len(scores) else float("-inf")
    state = UrlState.OUT_OF_SCOPE if entry.reason else UrlState.QUEUED
    link = entry.links[0] if entry.links else None
    anchor = link.anchor if link else ""
    last = PathStep(url, "", state, score=score, anchor=anchor, kind=link.kind if link else "start")
    return str(state), clean(entry.reason, shown.MAX_REASON), [*(records.path(link.source) if link else []), last]


def _step(step: PathStep) -> dict[str, Any]:
    return {
        "url": shown.url(step.url),
        "href": shown.href(step.url),
        "title": shown.title(step.title),
        "state": str(step.state),
        "relevance": shown.number(step.relevance),
        "relevant": step.relevant,
        **shown.score(step.score),
        "anchor": clean(step.anchor, MAX_ANCHOR),
        "kind": step.kind,
    }
