"""Confidence bounds for a share that is estimated from a sample."""

from __future__ import annotations

import math


def wilson_upper(hits: float, n: float, z: float = 1.96) -> float:
    """The upper end of Wilson's interval for a share, by default at 95 %; 1 if the sample is empty.

    >>> round(wilson_upper(6, 200), 4), wilson_upper(0, 0)
    (0.0639, 1.0)

    Wilson, Probable inference, the law of succession, and statistical inference, JASA 1927.
    """
    if not n:
        return 1.0
    share = hits / n
    square = z * z
    spread = z * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    return (share + square / (2 * n) + spread) / (1 + square / n)
