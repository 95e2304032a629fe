"""How far a forecast may be off: the range in which what comes lies most of the time.

The width comes from the errors of the crawl's own earlier forecasts, as far as their visits have passed, and from what
is usual: `experiments/forecast.py` measures how often the range holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from clew.types import HORIZON

USUAL_ERROR_KNOWN: Final = 0.6  # of forecasts about known candidates: the logarithm of found to expected pages
USUAL_ERROR_NEW: Final = 1.4  # of forecasts about pages that nobody has linked to yet
USUAL_FORECASTS: Final = 4  # the usual error weighs as much as so many forecasts of this crawl
ERRORS_WIDE: Final = 1.7  # the range reaches so many errors to each side
MAX_OFFSET: Final = 5.0  # pages that are added before logarithms are taken: a few pages more or less are no error
ZERO_FINDS: Final = 2.3  # with so many finds expected, there are none in one case of ten
LONG_TERM_SHARE: Final = 0.5  # of the long-term rate: a pause says little where finds come in bursts


class Expected(NamedTuple):
    """Relevant pages expected in the next visits."""

    known: float  # among the candidates
    new: float  # among the pages that they will lead to


def error(expected: float, came: float) -> float:
    """The error of a forecast as a logarithm: above 0 if more came than expected.

    >>> error(expected=5, came=15) == -error(expected=15, came=5)
    True
    """
    return math.log((came + MAX_OFFSET) / (expected + MAX_OFFSET))


def interval(expected: Expected, errors: Sequence[float], since_relevant: int, long_term: float) -> tuple[float, float]:
    """The range in which the next finds lie, by the errors of earlier forecasts.

    Too low forecasts raise the upper end, too high ones lower the other. `long_term` is what the long-term rate would
    bring.

    >>> [round(end) for end in interval(Expected(50, 0), [], since_relevant=0, long_term=50)]
    [14, 168]
    >>> [round(end) for end in interval(Expected(50, 0), [0.0] * 8, since_relevant=0, long_term=50)]
    [25, 99]
    """
    offset = _offset(since_relevant) / 2
    low = -2 * offset
    high = -2 * offset
    for pages, usual in ((expected.known, USUAL_ERROR_KNOWN), (expected.new, USUAL_ERROR_NEW)):
        low += (pages + offset) * math.exp(-ERRORS_WIDE * _spread([min(each, 0.0) for each in errors], usual))
        high += (pages + offset) * math.exp(ERRORS_WIDE * _spread([max(each, 0.0) for each in errors], usual))
    return max(0.0, low), max(high, LONG_TERM_SHARE * long_term)


def _spread(errors: Sequence[float], usual: float) -> float:
    """The root mean square of the errors, with the usual one as if it had occurred a few times."""
    squares = USUAL_FORECASTS * usual**2 + sum(each**2 for each in errors)
    return math.sqrt(squares / (USUAL_FORECASTS + len(errors)))


def _offset(since_relevant: int) -> float:
    """Pages that may come although none is expected: the fewer, the longer none has come.

    >>> _offset(10), _offset(1150)
    (5.0, 1.0)
    """
    return min(MAX_OFFSET, ZERO_FINDS * HORIZON / max(1, since_relevant))
