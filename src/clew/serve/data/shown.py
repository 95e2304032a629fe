"""How records, titles and URLs are shown: cut, without control characters, and links only where they are safe."""

from __future__ import annotations

import math
from typing import Any, Final

from clew.base.clean_text import clean
from clew.store import Record

MAX_TITLE: Final = 300  # characters
MAX_URL: Final = 4_000
MAX_REASON: Final = 500
BEFORE_ALL_OTHERS: Final = 1e5  # scores from here on are no strategy's: sitemaps, and pages that the user wants


def title(text: str) -> str:
    """A title on one line.

    >>> title("Boats\\n\\u202eand more")
    'Boats and more'
    """
    # Cut first: cleaning a title of ten megabytes takes a while.
    return clean(text[: 4 * MAX_TITLE], MAX_TITLE)


def href(url: str) -> str | None:
    """The URL if it may become a link of a page, else None.

    >>> href("https://a.example/"), href("javascript:alert(1)")
    ('https://a.example/', None)
    """
    return url if url.startswith(("http://", "https://")) and len(url) <= MAX_URL else None


def url(text: str) -> str:
    """A URL as text."""
    return clean(text, MAX_URL)


def number(value: float) -> float | None:
    """A finite number; JSON has no others."""
    return value if math.isfinite(value) else None


def score(value: float) -> dict[str, Any]:
    """A score: a number, or in words why there is none."""
    if value >= BEFORE_ALL_OTHERS:
        return {"score": None, "score_note": "before all others"}
    if not math.isfinite(value):
        return {"score": None, "score_note": "held back"}
    return {"score": value, "score_note": ""}


def visit(record: Record) -> dict[str, Any]:
    """The values of a visit that every list shows."""
    return {
        "order": record.order,
        "url": url(record.url),
        "href": href(record.url),
        "host": record.host,
        "title": title(record.title),
        "state": str(record.state),
        "reason": clean(record.reason, MAX_REASON),
        "relevance": number(record.relevance),
        "relevant": record.relevant,
        "language": record.language,
        "words": record.words,
        "depth": record.depth,
        "at": record.at,
    }
