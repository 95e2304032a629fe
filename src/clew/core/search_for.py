"""A search within a crawl on behalf of an interest: the query is modified by its words, and the results are re-ranked.

A search engine answers everybody alike. Whoever wants something more special adds words to the query, and orders the
answers anew (Micarelli and Gasparetti, Adaptive focused crawling, section 7.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from clew.config import Topic
from clew.core.found_seeds import questions
from clew.core.media import doc_as_judged
from clew.interests import build
from clew.store import Hit, Records

POOL: Final = 100  # results that are judged for the interest; each page is parsed for it


def search_for(
    records: Records,
    query: str,
    interest: str,
    *,
    topics: Mapping[str, Topic] | None = None,
    relevant: bool = False,
    limit: int = 10,
) -> list[Hit]:
    """The pages that fit the query, by how well they do so and how relevant they are to the interest.

    Pages that are not relevant to the interest at all are left out. By default pages that the crawl took for
    irrelevant may be among the results: it may have had another interest.
    """
    wanted = build(interest, topics)
    pool = {hit.url: hit for text in (modified(query, interest), query) for hit in records.search(text, relevant, POOL)}
    best = max((hit.score for hit in pool.values()), default=0.0)
    ranks: dict[str, float] = {}
    for url, hit in list(pool.items())[:POOL]:
        ranks[url] = _fit(hit.score, best) * wanted.judge(doc_as_judged(records, hit.record)).relevance
    order = sorted(filter(ranks.__getitem__, ranks), key=lambda url: -ranks[url])
    return [pool[url] for url in order[:limit]]


def modified(query: str, interest: str) -> str:
    """The query with the words of the interest: what must be on a page for it to be among the first results.

    >>> modified("race OR regatta", "sailing AND (ruegen OR hiddensee) AND NOT golf")
    '(race OR regatta) AND ((sailing ruegen) OR (sailing hiddensee))'
    """
    alternatives = questions(interest, {})
    if not alternatives:
        return query
    return f"({query}) AND ({' OR '.join(f'({words})' for words in alternatives)})"


def _fit(score: float, best: float) -> float:
    """How well a page fits the query, from 0 to 1; where no score says anything, all pages fit alike."""
    return max(score, 0.0) / best if best > 0 else 1.0
