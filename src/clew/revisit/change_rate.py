"""How often pages change, as far as visits tell, and how often they should be visited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import exp, expm1, inf, log, sqrt
from typing import Final

USUAL: Final = -log(0.6) / 7
"""Changes a day of a page of which nothing is known: 40 % of all pages change within a week (Cho, Garcia-Molina)."""
STEPS: Final = 60  # halvings of an interval: more than a float can tell


def rate(visits: int, changes: int) -> float:
    """Changes in each interval, from visits at equal intervals; finite even if each of them found a change.

    >>> round(rate(10, 3), 4), round(rate(10, 10), 4)
    (0.3365, 3.0445)

    Cho, Garcia-Molina, Estimating frequency of change, 2003.
    """
    return -log((visits - changes + 0.5) / (visits + 0.5))


def rate_of(changed: Iterable[float], unchanged: Iterable[float], usual: float = 0.0) -> float:
    """The likeliest rate of change, from the intervals after which there was a change, and after which there was none.

    With a usual rate there is half an observation of each kind in its favour: without visits it is the answer.

    >>> round(rate_of([1, 4], [2, 2]), 4), rate_of([], [2]), round(rate_of([], [], usual=0.1), 4)
    (0.3309, 0.0, 0.1)
    """
    terms, still = [(1.0, gap) for gap in changed if gap > 0], float(sum(unchanged))
    if usual:
        half = log(2) / usual
        terms, still = [*terms, (0.5, half)], still + half / 2
    if not terms:
        return 0.0
    if not still:
        return inf
    return _root(lambda at: sum(weight * _decay(at, gap) for weight, gap in terms) - still)


def freshness(rate: float, interval: float) -> float:
    """The share of time in which a copy is up to date that is renewed after each interval.

    >>> round(freshness(0.3365, 5), 4)
    0.4839
    """
    expected = rate * interval
    return -expm1(-expected) / expected if expected else 1.0


def age(rate: float, interval: float) -> float:
    """For how long such a copy has been out of date, on average.

    >>> round(age(0.3365, 5), 4)
    0.9661
    """
    expected = rate * interval
    return interval * (0.5 - 1 / expected + freshness(rate, interval) / expected) if expected else 0.0


def chance_of_change(rate: float, interval: float) -> float:
    """How likely at least one change is after an interval."""
    return -expm1(-rate * interval)


def gain(rate: float, interval: float) -> float:
    """By how much a visit after an interval prolongs the time in which a copy is up to date.

    It is what one more visit adds to the freshness at that interval: visiting where worth times gain is largest comes
    to the best intervals by itself. It grows to 1/rate, so what changes all the time is given up.

    >>> round(gain(0.5, 2), 4), round(gain(50, 2), 4)
    (0.5285, 0.02)
    """
    expected = rate * interval
    return (-expm1(-expected) - expected * exp(-expected)) / rate if rate else 0.0


def best_rates(relevances: Sequence[float], rates: Sequence[float], budget: float) -> list[float]:
    """Visits of each page in a unit of time that keep the most worth fresh, for a budget of visits in that time.

    >>> [round(rate, 4) for rate in best_rates([1, 1], [0.5, 4], 2)]
    [1.1978, 0.8022]

    Azar and others, Tractable near-optimal policies for crawling, 2018.
    """
    pairs = list(zip(relevances, rates, strict=True))
    if budget <= 0 or not any(relevance * change > 0 for relevance, change in pairs):
        return [0.0] * len(pairs)

    def visits(price: float) -> list[float]:
        return [max(0.0, sqrt(relevance * change / price) - change) for relevance, change in pairs]

    return visits(_root(lambda price: sum(visits(price)) - budget))


def _decay(rate: float, gap: float) -> float:
    expected = rate * gap
    return gap / expm1(expected) if expected < 500 else 0.0


def _root(falling: Callable[[float], float]) -> float:
    """Where a function that falls from above to below zero crosses it, by bisection."""
    low, high = 1.0, 1.0
    while falling(low) < 0:
        low /= 2
    while falling(high) > 0:
        high *= 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
