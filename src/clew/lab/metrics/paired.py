"""Measures that compare a crawl with others: with baselines, with the oracle, with other strategies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from clew.lab.metrics.harvest import Counts, Curve, aulc, found, harvest


def lift(labels: ArrayLike, baselines: Sequence[ArrayLike]) -> Curve:
    """The harvest divided by the mean harvest of the baselines, up to the end of the shortest crawl.

    It is infinite where only the baselines have found nothing, and 1 where no crawl has found anything.

    >>> lift([1, 1, 0, 0], [[1, 0, 0, 0], [0, 1, 0, 0]]).tolist()
    [2.0, 2.0, 2.0, 2.0]
    """
    curves = [harvest(labels), *map(harvest, baselines)]
    shortest = min(map(len, curves))
    own = curves[0][:shortest]
    others = np.mean([curve[:shortest] for curve in curves[1:]], axis=0)
    if_others_nothing = np.where(own > 0, np.inf, 1.0)
    return np.divide(own, others, out=if_others_nothing, where=others > 0)


def oracle_share(labels: ArrayLike, oracle: ArrayLike) -> Curve:
    """The pages found divided by those the oracle found, after each visit; 1 before the oracle finds anything.

    A crawl that ended earlier keeps its last value.

    >>> oracle_share([0, 0, 1], [0, 1, 2, 3]).round(4).tolist()
    [1.0, 0.0, 0.5, 0.3333]
    """
    best = np.asarray(oracle, dtype=np.int64)
    return np.divide(_stretched(labels, len(best)), best, out=np.ones(len(best)), where=best > 0)


def oracle_area(labels: ArrayLike, oracle: ArrayLike) -> float:
    """The area under the curve of pages found, divided by the area under the oracle's curve.

    >>> oracle_area([0, 0, 1, 1], [0, 1, 2, 3])
    0.5
    """
    best = np.asarray(oracle, dtype=np.int64)
    return float(_stretched(labels, len(best)).sum() / best.sum()) if best.any() else 1.0


def overlap(first: ArrayLike, second: ArrayLike) -> float:
    """The pages that both crawls visited divided by those that either visited (Jaccard similarity).

    >>> overlap([1, 2, 3], [2, 3, 4])
    0.5
    """
    either = np.union1d(np.asarray(first), np.asarray(second))
    return len(np.intersect1d(first, second)) / len(either) if either.size else 1.0


def found_by_both(first: ArrayLike, second: ArrayLike, labels: ArrayLike) -> float:
    """The relevant pages that both found divided by those that either found; `labels` has an entry for each page id.

    >>> found_by_both([0, 1, 2], [1, 2, 3], [1, 1, 0, 0])
    0.5
    """
    relevant = np.flatnonzero(np.asarray(labels) > 0)
    return overlap(np.intersect1d(first, relevant), np.intersect1d(second, relevant))


def relative_cpu(seconds: float, pages: int, base_seconds: float, base_pages: int) -> float:
    """CPU time per page divided by that of a baseline, usually breadth-first: the relative crawling time.

    >>> relative_cpu(25.0, 1000, 10.0, 500)
    1.25
    """
    return (seconds / pages) / (base_seconds / base_pages)


def regret(labels: ArrayLike, others: Sequence[ArrayLike]) -> float:
    """The area under the lift curve divided by the best area of the others, minus 1; above 0 is better than all others.

    >>> regret([1, 0], [[1, 1], [0, 0]])
    -0.25
    """
    best = max(map(aulc, others))
    return aulc(labels) / best - 1 if best else 0.0


def bootstrap(differences: ArrayLike, draws: int = 10_000, seed: int = 0) -> tuple[float, float, float]:
    """The mean of paired differences, one for each topic, and its 95 % interval, as (low, mean, high).

    >>> low, mean, high = bootstrap([0.1, 0.2, 0.3, 0.2])
    >>> low > 0.1, round(mean, 4), high < 0.3
    (True, 0.2, True)

    Efron, Bootstrap methods: another look at the jackknife, 1979; the percentile interval.
    """
    sample = np.asarray(differences, dtype=np.float64)
    if not sample.size:
        raise ValueError("no differences to draw from")
    # A fixed seed: the same results always have the same interval.
    chosen = np.random.default_rng(seed).integers(0, len(sample), (draws, len(sample)))
    low, high = np.percentile(sample[chosen].mean(axis=1), (2.5, 97.5))
    return float(low), float(sample.mean()), float(high)


def _stretched(labels: ArrayLike, length: int) -> Counts:
    count = found(labels)[:length]
    # A crawl without visits has no last value to repeat.
    if not count.size:
        return np.zeros(length, dtype=np.int64)
    return np.pad(count, (0, length - len(count)), mode="edge")
