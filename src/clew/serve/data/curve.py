"""The harvest curve: relevant pages found after so many visits, and what has changed on the way."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.base.clean_text import clean
from clew.serve.data.summary import forecast
from clew.store import Records

MAX_POINTS: Final = 300
MAX_MARKS: Final = 100
MAX_MARK_CHARACTERS: Final = 120
_QUERY: Final = "SELECT {0}, relevant FROM pages WHERE state IN ('fetched', 'failed', 'duplicate') ORDER BY {0}"


def curve(records: Records, points: int = MAX_POINTS) -> dict[str, Any]:
    """Points of the curve, marks on it, and the forecast that goes on from its end."""
    rows = np.array(records.store.db.execute(_QUERY.format(records.sequence)).fetchall(), np.float64).reshape(-1, 2)
    found = np.cumsum(rows[:, 1])
    kept = _thinned(len(found), max(2, min(points, MAX_POINTS)))
    return {
        "points": [[0, 0], *([int(place) + 1, int(found[place])] for place in kept)],
        "marks": _marks(records, rows[:, 0]),
        "forecast": forecast(records.stats()),
    }


def _thinned(length: int, points: int) -> NDArray[np.int64]:
    """Places at even distances; the last is always among them."""
    if length <= points:
        return np.arange(length)
    return np.unique(np.linspace(0, length - 1, points).round().astype(np.int64))


def _marks(records: Records, sequence: NDArray[np.float64]) -> list[dict[str, Any]]:
    """What users and the strategy have changed, by the number of visits before it."""
    is_whole = records.store.is_whole
    found = [
        _mark(sequence, order.at if is_whole else order.taken, "order", str(order), order.at)
        for order in records.orders()
        if order.taken is not None
    ]
    for place, count in _labels(records).items():
        text = "1 label" if count == 1 else f"{count} labels"
        found.append(_mark(sequence, place, "label", text, None))
    found += [
        _at(change.visits, "focus", change.detail, None)
        for change in records.focus_changes()
        if change.visits is not None
    ]
    return sorted(found, key=lambda mark: mark["visits"])[-MAX_MARKS:]


def _labels(records: Records) -> Counter[float]:
    """How many labels were taken in at the same time."""
    is_whole = records.store.is_whole
    # Shards count their visits each for itself: the second must do.
    return Counter(int(label.at) if is_whole else label.taken for label in records.labels() if label.taken is not None)


def _mark(sequence: NDArray[np.float64], place: float, kind: str, text: str, at: float | None) -> dict[str, Any]:
    # Orders and labels count redirects, too; the curve counts visits.
    return _at(int(np.searchsorted(sequence, place)), kind, text, at)


def _at(visits: int, kind: str, text: str, at: float | None) -> dict[str, Any]:
    return {"visits": visits, "kind": kind, "text": clean(text, MAX_MARK_CHARACTERS), "at": at}
