"""Pages whose label would teach most: near the threshold, from several hosts."""

from __future__ import annotations

import math
from typing import Any, Final

from clew.serve.data.cursors import bounded
from clew.serve.data.pages import listed
from clew.store import Record, Records
from clew.store.rows import COLUMNS, record_of

NEAREST: Final = 400  # pages among which the hosts are chosen
PER_HOST: Final = 2


def unsure(records: Records, limit: int = 10) -> dict[str, Any]:
    """Unlabelled pages near the threshold, the most doubtful first."""
    if math.isnan(records.threshold):
        return {"items": []}
    labelled = {label.url for label in records.labels()}
    query = (
        f"SELECT {COLUMNS} FROM pages WHERE state = 'fetched' ORDER BY abs(relevance - ?), \"order\" LIMIT {NEAREST}"
    )
    nearest = [record_of(row) for row in records.store.db.execute(query, (records.threshold,))]
    chosen = _spread([record for record in nearest if record.url not in labelled], bounded(limit))
    return {"items": listed(records, chosen)}


def _spread(records: list[Record], limit: int) -> list[Record]:
    """The first ones, but few of each host as long as there are others."""
    counts: dict[str, int] = {}
    chosen: list[Record] = []
    later: list[Record] = []
    for record in records:
        counts[record.host] = counts.get(record.host, 0) + 1
        (chosen if counts[record.host] <= PER_HOST else later).append(record)
    return [*chosen, *later][:limit]
