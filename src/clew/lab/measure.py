"""The numbers of one crawl, every measure of `lab.metrics` that a single crawl has."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.lab import metrics
from clew.lab.task import Task
from clew.parse import host

LATE: Final = 100  # visits at the end of a crawl that are looked at apart

Visits = NDArray[np.integer]


def measured(given: Task, visits: Visits, labels: Visits) -> dict[str, float]:
    """Numbers by name; pages that nobody has labelled, start pages and examples count neither way.

    Shares of the oracle are by visits, for those pages cost a visit too: the oracle pays for them as well.
    """
    hits, total = (labels == 1).astype(np.int8), given.reachable
    judged, best = metrics.judged(labels), given.best
    half = metrics.pages_to(labels, total) if total else None
    hosts = [host(given.world.urls[page]) if page >= 0 else "" for page in visits]
    return {
        "visits": len(visits),
        "found": int(hits.sum()),
        "reachable": total,
        "oracle": int(best[-1]) if len(best) else 0,
        "harvest": _mean(judged == 1),
        "late": _mean(judged[-LATE:] == 1),
        "aulc": metrics.aulc(labels),
        "recall": int(hits.sum()) / max(1, total),
        "aurc": metrics.aurc(labels, total),
        "target_recall": _last(metrics.target_recall(visits, given.targets)),
        "share": _last(metrics.oracle_share(hits, best)) if best.any() else 0.0,
        "area": metrics.oracle_area(hits, best) if best.any() else 0.0,
        "hosts": _last(metrics.hosts_found(labels, hosts)),
        "half": math.inf if half is None else half,
    }


def distances(given: Task, visits: Visits, labels: Visits) -> NDArray[np.int64]:
    """How many finds lay at each number of links from the start pages, on the shortest way."""
    inside = (visits >= 0) & (given.depths[visits] >= 0) if len(visits) else visits.astype(bool)
    return metrics.link_distances(labels[inside], given.depths[visits[inside]])


def _mean(hits: NDArray[np.bool_]) -> float:
    return float(hits.mean()) if hits.size else 0.0


def _last(curve: NDArray[np.float64] | NDArray[np.int64]) -> float:
    return float(curve[-1]) if len(curve) else 0.0
