"""Measures of the collection that a crawl hands over: the pages that its judge counts as relevant."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Labels = NDArray[np.integer]


def collection(counted: Flags, chances: Floats, labels: Labels, reachable: int) -> dict[str, float]:
    """Precision, recall and F1 of the pages that count, average precision and Brier score of the judge.

    Recall is measured against all relevant pages that can be reached, visited or not. Pages without a label (-1) do
    not matter.

    >>> labels = np.array([1, 1, 0, -1])
    >>> collection(np.array([True, False, True, True]), np.array([0.9, 0.4, 0.6, 0.8]), labels, reachable=4)["f1"]
    0.3333333333333333
    """
    known = labels >= 0
    hits = float((counted & (labels == 1)).sum())
    kept = float((counted & known).sum())
    return {
        "precision": hits / kept if kept else 0.0,
        "collected": hits / reachable if reachable else 0.0,
        "f1": 2 * hits / (kept + reachable) if kept + reachable else 0.0,
        "average_precision": average_precision(chances[known], labels[known]),
        "brier": float(((chances[known] - labels[known]) ** 2).mean()) if known.any() else 0.0,
    }


def average_precision(scores: Floats, labels: Labels) -> float:
    """The mean precision at each relevant page, if pages are ordered by their scores; 0 if none is relevant.

    >>> round(average_precision(np.array([0.9, 0.8, 0.7]), np.array([1, 0, 1])), 3)
    0.833
    """
    ordered = labels[np.argsort(-scores, kind="stable")]
    if not (ordered == 1).any():
        return 0.0
    precision = np.cumsum(ordered == 1) / np.arange(1, len(ordered) + 1)
    return float(precision[ordered == 1].mean())
