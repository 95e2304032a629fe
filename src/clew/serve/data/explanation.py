"""Why a URL was visited, why it waits, or why it was left out."""

from __future__ import annotations

from typing import Any

from clew.base.chance import key_of
from clew.base.clean_text import clean
from clew.core.build import address
from clew.core.explain import noted_topics
from clew.serve.data import shown
from clew.serve.data.next_up import MAX_ANCHOR
from clew.serve.data.pages import label_of, page
from clew.serve.data.saved_frontier import SavedFrontier
from clew.store import PathStep, Record, Records
from clew.store.reasons import Reason
from clew.types import UrlState


def explain(records: Records, url: str) -> dict[str, Any]:
    """State, reason, score and path of a URL, from what the crawl has kept: nothing is replayed."""
    url = address(url)
    record = records.find(url) if _is_visited(records, url) else None
    noted = records.why(record) if record else None
    if record is not None:
        visited = page(records, record.url)
        state = str(record.state)
        reason = visited["reason"] if visited else ""
        path = records.path(record.url)
    else:
        visited = None
        state, reason, path = _unvisited(records, url)
    return {
        "url": shown.url(url),
        "href": shown.href(url),
        "state": state,
        "reason": reason,
        "page": visited,
        "path": [_step(step) for step in path],
        "parts": _parts(noted),
        "topics": _topics(records, record, noted),
        "focus": clean(noted.focus, shown.MAX_REASON) if noted else "",
        "threshold": shown.number(records.threshold),
        "label": label_of(records.label(url)),
    }


def _is_visited(records: Records, url: str) -> bool:
    query = "SELECT 1 FROM pages WHERE key = ?"
    return records.store.db.execute(query, (key_of(url),)).fetchone() is not None


def _parts(noted: Reason | None) -> list[dict[str, Any]]:
    """The parts of the score when the URL was chosen, the strongest first."""
    parts = sorted(noted.parts.items(), key=lambda part: -abs(part[1])) if noted else []
    return [{"text": clean(name, shown.MAX_REASON), "value": shown.number(value)} for name, value in parts]


def _topics(records: Records, record: Record | None, noted: Reason | None) -> list[dict[str, Any]]:
    """The words of the page behind its relevance, as the page has them."""
    if record is None or noted is None:
        return []
    return [
        {
            "topic": clean(topic.topic, shown.MAX_TITLE),
            "membership": topic.membership,
            "words": [{"word": clean(word, shown.MAX_TITLE), "count": count} for word, count in topic.words.items()],
            "in_title": [clean(word, shown.MAX_TITLE) for word in topic.in_title],
        }
        for topic in noted_topics(records, records.latest(record), noted)
    ]


def _unvisited(records: Records, url: str) -> tuple[str, str, list[PathStep]]:
    # With shards, a URL that waits is known to the one that will visit it.
    frontier = SavedFrontier(records.at_home(url))
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
