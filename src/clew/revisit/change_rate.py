"""Estimates how often pages change, and how often they should be visited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import exp, expm1, inf, log, sqrt
from typing import Final

USUAL_CHANGES_PER_DAY: Final = -log(0.6) / 7
"""The rate for a page that was never revisited: 40 % of all pages change within a week (Cho, Garcia-Molina)."""
BISECTION_STEPS: Final = 60  # more than the 53 bits of a float can resolve
MAX_EXPONENT: Final = 500.0  # expm1 overflows above 709


def rate(visits: int, changes: int) -> float:
    """Changes per interval, from visits at equal intervals; finite even if every visit found a change.

    >>> round(rate(10, 3), 4), round(rate(10, 10), 4)
    (0.3365, 3.0445)

    Cho, Garcia-Molina, Estimating frequency of change, 2003.
    """
    return -log((visits - changes + 0.5) / (visits + 0.5))


def rate_of(changed: Iterable[float], unchanged: Iterable[float], usual: float = 0.0) -> float:
    """The most likely rate of change, from the intervals that ended with a change and those without one.

    With a `usual` rate, half an observation of each kind speaks for it: without any visit it is the answer.

    >>> round(rate_of([1, 4], [2, 2]), 4), rate_of([], [2]), round(rate_of([], [], usual=0.1), 4)
    (0.3309, 0.0, 0.1)
    """
    weighted_gaps = [(1.0, gap) for gap in changed if gap > 0]
    unchanged_time = float(sum(unchanged))
    if usual:
        half_life = log(2) / usual
        weighted_gaps.append((0.5, half_life))
        unchanged_time += half_life / 2
    if not weighted_gaps:
        return 0.0
    if not unchanged_time:
        return inf

    # The derivative of the log-likelihood: it falls with the rate, and the best rate is its zero.
    def slope(rate: float) -> float:
        return sum(weight * _decay(rate, gap) for weight, gap in weighted_gaps) - unchanged_time

    return _root(slope)


def freshness(rate: float, interval: float) -> float:
    """The share of time in which a copy is up to date if it is renewed after each interval.

    >>> round(freshness(0.3365, 5), 4)
    0.4839
    """
    expected = rate * interval
    return -expm1(-expected) / expected if expected else 1.0


def age(rate: float, interval: float) -> float:
    """How long such a copy has been out of date, on average.

    >>> round(age(0.3365, 5), 4)
    0.9661
    """
    expected = rate * interval
    return interval * (0.5 - 1 / expected + freshness(rate, interval) / expected) if expected else 0.0


def chance_of_change(rate: float, interval: float) -> float:
    """The probability of at least one change within an interval."""
    return -expm1(-rate * interval)


def gain(rate: float, interval: float) -> float:
    """The time that a visit after an interval adds to the time in which a copy is up to date.

    This is the derivative of the freshness with respect to the visits per time: visiting the page with the largest
    relevance times gain leads to the best intervals. It grows to 1/rate, so pages that change all the time are given
    up.

    >>> round(gain(0.5, 2), 4), round(gain(50, 2), 4)
    (0.5285, 0.02)
    """
    expected = rate * interval
    return (-expm1(-expected) - expected * exp(-expected)) / rate if rate else 0.0


def best_rates(relevances: Sequence[float], rates: Sequence[float], budget: float) -> list[float]:
    """Visits to each page per unit of time that keep the most relevance fresh, within a budget of visits.

    >>> [round(rate, 4) for rate in best_rates([1, 1], [0.5, 4], 2)]
    [1.1978, 0.8022]

    Azar and others, Tractable near-optimal policies for crawling, 2018.
    """
    pairs = list(zip(relevances, rates, strict=True))
    if budget <= 0 or not any(relevance * change > 0 for relevance, change in pairs):
        return [0.0] * len(pairs)

    # Once one more visit gains the same for every page (the price), moving visits between pages cannot help.
    def visits(price: float) -> list[float]:
        return [max(0.0, sqrt(relevance * change / price) - change) for relevance, change in pairs]

    return visits(_root(lambda price: sum(visits(price)) - budget))


def _decay(rate: float, gap: float) -> float:
    expected = rate * gap
    return gap / expm1(expected) if expected < MAX_EXPONENT else 0.0


def _root(falling: Callable[[float], float]) -> float:
    """The zero of a function that falls from positive to negative values, by bisection."""
    low = 1.0
    while falling(low) < 0:
        low /= 2
    high = 1.0
    while falling(high) > 0:
        high *= 2
    for _ in range(BISECTION_STEPS):
        middle = (low + high) / 2
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
