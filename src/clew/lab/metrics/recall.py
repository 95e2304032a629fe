"""Recall: how many of the existing relevant pages were found, where, and how soon."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clew.lab.metrics.harvest import Counts, Curve, found, mean


def recall(labels: ArrayLike, total: int) -> Curve:
    """The share of all `total` relevant pages that has been found after each visit.

    >>> recall([1, 1, 0, 1, 0, 0, 1, 0, 0, 0], 8)[[4, 9]].tolist()
    [0.375, 0.5]
    """
    return found(labels) / max(total, 1)


def target_recall(visits: ArrayLike, targets: ArrayLike) -> Curve:
    """The share of held-out target pages that has been visited after each visit.

    >>> target_recall([4, 7, 1, 9], [7, 9, 3]).round(4).tolist()
    [0.0, 0.3333, 0.3333, 0.6667]
    """
    wanted = np.unique(np.asarray(targets))
    pages = np.asarray(visits)
    # A page that is visited again is not found again.
    hits = np.isin(pages, wanted) & _first_seen(pages)
    return np.cumsum(hits, dtype=np.int64) / max(len(wanted), 1)


def aurc(labels: ArrayLike, total: int) -> float:
    """The area under the recall curve: the mean of the recall after each visit.

    >>> aurc([1, 1, 0, 1, 0, 0, 1, 0, 0, 0], 8)
    0.375
    """
    return mean(recall(labels, total))


def pages_to(labels: ArrayLike, total: int, share: float = 0.5) -> int | None:
    """The number of visits until this share of all relevant pages was found; None if it never was.

    >>> pages_to([1, 0, 1, 0, 1], 4), pages_to([1, 0], 4)
    (3, None)
    """
    enough = recall(labels, total) >= share
    return int(enough.argmax()) + 1 if enough.any() else None


def hosts_found(labels: ArrayLike, hosts: ArrayLike) -> Counts:
    """The number of hosts on which a relevant page has been found, after each visit.

    >>> hosts_found([1, 0, 1, 1], ["a", "b", "a", "c"]).tolist()
    [1, 1, 1, 2]
    """
    known = np.asarray(labels, dtype=np.int64)
    new = np.zeros(len(known), dtype=np.int64)
    relevant = np.flatnonzero(known > 0)
    new[relevant[_first_seen(np.asarray(hosts)[relevant])]] = 1
    return np.cumsum(new[known >= 0])


def link_distances(labels: ArrayLike, depths: ArrayLike) -> Counts:
    """The number of relevant pages found at each link distance from the start pages.

    >>> link_distances([1, 0, 1, 1], [0, 1, 2, 2]).tolist()
    [1, 0, 2]

    Ester, Gross and Kriegel, Focused Web Crawling, 2001, figures 6 and 7.
    """
    found_at = np.asarray(depths, dtype=np.int64)[np.asarray(labels) > 0]
    return np.bincount(found_at)


def _first_seen(values: NDArray[Any]) -> NDArray[np.bool_]:
    first = np.zeros(len(values), dtype=bool)
    first[np.unique(values, return_index=True)[1]] = True
    return first
