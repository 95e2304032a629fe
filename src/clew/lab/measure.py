"""The numbers of one crawl: every measure in `lab.metrics` that needs a single crawl only."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from clew.lab import metrics
from clew.lab.task import Task
from clew.parse import host

TIMES: Final = (60, 300, 1000)  # virtual seconds at which finds are counted
SEGMENT_VISITS: Final = 100  # of the average harvest rate: the paper's crawls are longer, and so are its segments
LATE_VISITS: Final = 100  # visits at the end of a crawl whose harvest is measured separately

Visits = NDArray[np.integer]


def measured(task: Task, visits: Visits, labels: Visits) -> dict[str, float]:
    """The measures by name; unlabelled pages, start pages and examples count neither way."""
    # Shares of the oracle include every visit: pages without a label cost the oracle a visit too.
    hits = (labels == 1).astype(np.int8)
    best = task.best
    judged = metrics.judged(labels)
    total = task.reachable
    half = metrics.pages_to(labels, total) if total else None
    hosts = [host(task.world.urls[page]) if page >= 0 else "" for page in visits]
    return {
        "visits": len(visits),
        "found": int(hits.sum()),
        "reachable": total,
        "oracle": int(best[-1]) if len(best) else 0,
        "harvest": _mean(judged == 1),
        "late": _mean(judged[-LATE_VISITS:] == 1),
        "aulc": metrics.aulc(labels),
        "ahr": metrics.average_harvest_rate(labels, SEGMENT_VISITS),
        "recall": int(hits.sum()) / max(1, total),
        "aurc": metrics.aurc(labels, total),
        "target_recall": _last(metrics.target_recall(visits, task.targets)),
        "share": _last(metrics.oracle_share(hits, best)) if best.any() else 0.0,
        "area": metrics.oracle_area(hits, best) if best.any() else 0.0,
        "hosts": _last(metrics.hosts_found(labels, hosts)),
        "half": math.inf if half is None else half,
    }


def timed(labels: Visits, seconds: NDArray[np.float64]) -> dict[str, float]:
    """How long a crawl with live manners took, and what it had found by when; nothing for a crawl without a clock.

    >>> timed(np.array([1, 0, 1]), np.array([0.5, 70.0, 90.0]))
    {'seconds': 90.0, 'found_60': 1, 'found_300': 2, 'found_1000': 2}
    """
    if not len(seconds):
        return {}
    found = {f"found_{limit}": int((labels[seconds <= limit] == 1).sum()) for limit in TIMES}
    return {"seconds": float(seconds[-1]), **found}


def distances(task: Task, visits: Visits, labels: Visits) -> NDArray[np.int64]:
    """The number of finds at each distance from the start pages, in links on the shortest path."""
    inside = (visits >= 0) & (task.depths[visits] >= 0) if len(visits) else visits.astype(bool)
    return metrics.link_distances(labels[inside], task.depths[visits[inside]])


def _mean(hits: NDArray[np.bool_]) -> float:
    return float(hits.mean()) if hits.size else 0.0


def _last(curve: NDArray[np.float64] | NDArray[np.int64]) -> float:
    return float(curve[-1]) if len(curve) else 0.0
