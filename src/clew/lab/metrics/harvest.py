"""Harvest: the share of the visited pages that are relevant."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Curve = NDArray[np.float64]
Counts = NDArray[np.int64]


def judged(labels: ArrayLike) -> Counts:
    """The labels without those of unlabelled pages.

    >>> judged([1, -1, 0]).tolist()
    [1, 0]
    """
    known = np.asarray(labels, dtype=np.int64)
    return known[known >= 0]


def found(labels: ArrayLike) -> Counts:
    """The number of relevant pages after each visit.

    >>> found([1, -1, 0, 1]).tolist()
    [1, 1, 2]
    """
    return np.cumsum(judged(labels) > 0, dtype=np.int64)


def harvest(labels: ArrayLike) -> Curve:
    """The share of relevant pages among all pages visited so far: the harvest rate, or lift curve.

    >>> harvest([1, 1, 0, 1, 0]).round(4).tolist()
    [1.0, 1.0, 0.6667, 0.75, 0.6]
    """
    count = found(labels)
    return count / np.arange(1, len(count) + 1)


def precision(labels: ArrayLike, accepted: ArrayLike) -> Curve:
    """The share of relevant pages among those that the crawler judged relevant, after each visit.

    It is 0 before the first such page. If every page is accepted, this is the harvest.

    >>> precision([1, 0, 1, 0], [True, True, False, False]).tolist()
    [1.0, 0.5, 0.5, 0.5]
    """
    is_accepted = np.asarray(accepted, dtype=bool)[np.asarray(labels) >= 0]
    correct = np.cumsum(is_accepted & (judged(labels) > 0), dtype=np.int64)
    return correct / np.maximum(np.cumsum(is_accepted, dtype=np.int64), 1)


def windowed_harvest(labels: ArrayLike, width: int) -> Curve:
    """The harvest of each block of `width` visits; the last block may be shorter.

    >>> windowed_harvest([1, 1, 0, 1, 0, 0, 1, 0, 0, 0], 5).tolist()
    [0.6, 0.2]
    """
    return _block_means((judged(labels) > 0).astype(np.float64), width)


def average_relevance(relevance: ArrayLike, width: int) -> Curve:
    """The mean relevance of each block of `width` visits; negative values are unknown and left out.

    >>> average_relevance([0.9, 0.7, -1, 0.1, 0.3], 2).round(4).tolist()
    [0.8, 0.2]

    Chakrabarti, van den Berg and Dom, Focused crawling, 1999.
    """
    known = np.asarray(relevance, dtype=np.float64)
    return _block_means(known[known >= 0], width)


def moving_harvest(labels: ArrayLike, width: int) -> Curve:
    """The harvest of the last `width` visits, from the first visit that has that many.

    >>> moving_harvest([1, 1, 0, 0], 2).tolist()
    [1.0, 0.5, 0.0]
    """
    count = np.concatenate(([0], found(labels)))
    return (count[width:] - count[: max(0, len(count) - width)]) / width


def aulc(labels: ArrayLike) -> float:
    """The area under the lift curve: the mean of the harvest after each visit.

    >>> round(aulc([1, 1, 0, 1, 0, 0, 1, 0, 0, 0]), 4)
    0.6433
    """
    return mean(harvest(labels))


def average_harvest_rate(labels: ArrayLike, segment: int = 500) -> float:
    """The mean of the harvest at the end of each segment, always counted from the first visit.

    It differs from the harvest of the whole crawl: early pages weigh more.

    >>> average_harvest_rate([1, 1, 0, 0], segment=2)
    0.75

    Jamali et al., A method for focused crawling using combination of link structure and content similarity, 2006.
    """
    curve = harvest(labels)
    ends = np.minimum(np.arange(segment, len(curve) + segment, segment), len(curve))
    return mean(curve[ends - 1])


def mean(values: Curve) -> float:
    """The mean; 0 if there are no values."""
    return float(values.mean()) if values.size else 0.0


def _block_means(values: Curve, width: int) -> Curve:
    starts = np.arange(0, len(values), width)
    # `reduceat` does not accept an empty list of starts.
    sums: Curve = np.add.reduceat(values, starts) if starts.size else values
    return sums / np.diff(np.append(starts, len(values)))
