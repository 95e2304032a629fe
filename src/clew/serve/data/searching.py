"""Search in the pages of a crawl."""

from __future__ import annotations

from typing import Any, Final

from clew.base.clean_text import printable
from clew.serve.data import shown
from clew.serve.data.pages import label_of
from clew.store import Hit, Label, Records, latest

MAX_HITS: Final = 50
MAX_QUERY: Final = 1_000


def search(records: Records, query: str, relevant: bool = True, limit: int = 20) -> dict[str, Any]:
    """The pages that fit a query, the best first, with the text around the matches."""
    hits = records.search(query[:MAX_QUERY], relevant, max(1, min(limit, MAX_HITS)))
    given = latest(records.labels())
    return {"query": printable(query[:MAX_QUERY]), "items": [_hit(hit, given) for hit in hits]}


def _hit(hit: Hit, given: dict[str, Label]) -> dict[str, Any]:
    snippet = [(printable(text), is_match) for text, is_match in hit.parts]
    return shown.visit(hit.record) | {
        "score": hit.score,
        "snippet": snippet,
        "label": label_of(given.get(hit.url)),
    }
