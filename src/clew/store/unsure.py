"""Active learning: the visited pages whose label would teach the judge most."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from clew.learning.doubt import Doubtful, most_telling
from clew.store.record import RESULTS, Record
from clew.store.rows import COLUMNS, record_of
from clew.store.texts import text_of
from clew.text.terms import terms

if TYPE_CHECKING:
    from clew.store.records import Records

POOL: Final = 40  # pages near the threshold among which the choice is made
MAX_TEXT: Final = 4000  # characters of a page that are compared
MAX_KNOWN: Final = 20  # latest labels whose pages others must not resemble


def unsure(records: Records, n: int) -> list[Record]:
    """Pages without a label, the most telling first: near the threshold, unlike each other, from several hosts."""
    threshold = records.threshold
    if math.isnan(threshold):
        return []
    labels = records.labels()
    labelled = {label.url for label in labels}
    near = [record for record in _near(records, threshold, len(labelled)) if record.url not in labelled][: max(POOL, n)]
    known = [record for label in labels[-MAX_KNOWN:] if (record := records.find(label.url)) and record.order >= 0]
    doubtful = [Doubtful(abs(page.relevance - threshold), page.host, _terms(records, page)) for page in near]
    chosen = most_telling(doubtful, n, [_terms(records, record) for record in known])
    return [near[place] for place in chosen]


def _near(records: Records, threshold: float, labelled: int) -> list[Record]:
    """The pages next to the threshold; those that cannot count at all are left out."""
    query = (
        f"SELECT {COLUMNS} FROM pages WHERE state = 'fetched' AND reason NOT LIKE '%noindex%' AND reason NOT LIKE ? "
        'ORDER BY abs(relevance - ?), "order" LIMIT ?'
    )
    rows = records.store.db.execute(query, (f"%{RESULTS}%", threshold, 2 * POOL + labelled)).fetchall()
    return list(map(record_of, rows))


def _terms(records: Records, record: Record) -> dict[str, int]:
    """The terms of the main text, where it is kept; else of the whole page."""
    text = text_of(records.store.db, record.order)
    if text is None:
        return dict(records.doc(record).terms)
    return terms(f"{record.title}\n{text[:MAX_TEXT]}", record.language)
