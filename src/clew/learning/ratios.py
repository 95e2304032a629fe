"""Interest ratios: how much more likely a page is to be relevant, given what is known about it before the visit.

Aggarwal, Al-Garawi and Yu, Intelligent crawling on the World Wide Web with arbitrary predicates, WWW 2001.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

PRIOR_PAGES: Final = 2.0  # pages at the average rate that are added to each count, so that no ratio is 0
PRIOR_EVENTS: Final = 10.0  # in `balanced`: events from which on a factor's own size counts more than a typical one
MIN_MEAN: Final = 0.05  # in `balanced`: a factor that has hardly been seen must not get all the weight


def interest(seen: Floats, hits: Floats, rate: float, prior: float = PRIOR_PAGES) -> Floats:
    """P(C|E) / P(C) of events that were seen on `seen` pages with `hits` hits among them, smoothed.

    >>> interest(np.array([20.0, 30.0]), np.array([10.0, 0.0]), 0.1, prior=0.0).tolist()
    [5.0, 0.0]
    """
    return (hits + prior * rate) / (seen + prior) / rate


def significance(seen: Floats, hits: Floats, rate: float, sample: Floats | float) -> Floats:
    """|P(C|E) - P(C)| in standard deviations; in equations 6 and 9 the sample is all hits.

    >>> significance(np.array([20.0]), np.array([10.0]), 0.1, 100.0).round(3).tolist()
    [13.333]
    """
    return np.asarray(np.abs(hits / seen - rate) / np.sqrt(rate * (1.0 - rate) / sample))


class Locality(NamedTuple):
    """Links with both ends visited, by whether source and target are hits (table 1 of the paper)."""

    hit_hit: float = 0.0
    hit_miss: float = 0.0
    miss_hit: float = 0.0
    miss_miss: float = 0.0

    def ratios(self, rate: float, exact: bool = False, prior: float = 1.0) -> tuple[float, float]:
        """The interest ratios of a link from a hit and of a link from another page.

        `exact` compares with the rates among the ends of links, which differ from those among pages.

        >>> [round(ratio, 4) for ratio in Locality(70, 100, 36, 794).ratios(0.1, prior=0)]
        [7.0, 0.4]
        """
        total = sum(self) + 4 * prior
        f1, f2, f3, f4 = ((number + prior) / total for number in self)
        if exact:
            return f1 / ((f1 + f2) * (f1 + f3)), f3 / ((f3 + f4) * (f1 + f3))
        return f1 / rate**2, f3 / (rate * (1.0 - rate))


def sibling(hits: float, visited: float, rate: float) -> float:
    """Hits among the visited siblings relative to the expected number, smoothed.

    >>> sibling(0, 0, 0.1), round(sibling(0, 15, 0.1), 4)
    (1.0, 0.0625)
    """
    return (hits + rate) / (visited * rate + rate)


def balanced(sizes: Floats, evidence: Floats | None = None) -> Floats:
    """Weights that make all factors equally large; their sum is the number of factors.

    A size that rests on little `evidence` is drawn to the mean of the others, so that a factor with a single known
    event is weighted like an average one, not by what this event happens to be.

    >>> balanced(np.array([0.8, 0.4, 1.6, 0.2])).round(4).tolist()
    [0.5333, 1.0667, 0.2667, 2.1333]
    >>> balanced(np.array([0.8, 0.4, 1.6, 0.2]), np.array([90.0, 90.0, 90.0, 0.0])).round(4).tolist()
    [0.9533, 1.7103, 0.5057, 0.8307]
    """
    if evidence is not None:
        trust = evidence / (evidence + PRIOR_EVENTS)
        typical = (trust * sizes).sum() / trust.sum() if trust.any() else 1.0
        sizes = trust * sizes + (1.0 - trust) * typical
    weights = 1.0 / np.maximum(sizes, MIN_MEAN)
    return np.asarray(weights * (len(sizes) / weights.sum()))
