"""Measures of how a crawl reacts to change: of the interest, of the web, and of what the strategy knows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from clew.lab.metrics.harvest import aulc, found, judged, moving_harvest

ROUNDING = 1e-9  # 0.8 * 0.9 is a little more than 0.72


def refocus_delay(
    labels: ArrayLike, change: int, width: int = 100, share: float = 0.8, level: float | None = None
) -> int | None:
    """The number of visits after a change of interest until the windowed harvest is back at a share of its old level.

    Each page is labelled by the interest at the time of its visit. `level` defaults to the harvest of the last window
    before the change; it may come from a fresh crawl instead. A window holds only visits after the change, so the
    delay is at least `width`. None if the level is never reached.

    >>> refocus_delay([1, 1, 1, 1, 0, 0, 0, 1, 1], change=4, width=2)
    5
    """
    sequence = np.asarray(labels)
    if level is None:
        level = _last_window(sequence[:change], width)
    reached = moving_harvest(sequence[change:], width) >= share * level - ROUNDING
    return int(reached.argmax()) + width if reached.any() else None


def drift_tolerance(changed: ArrayLike, unchanged: ArrayLike) -> float:
    """The harvest on a changed web divided by the harvest on the original web, over the same number of visits.

    >>> drift_tolerance([1, 0, 0, 0], [1, 0, 1, 0])
    0.5
    """
    after = found(changed)
    before = found(unchanged)
    shortest = min(len(after), len(before))
    # Where nothing could be found, nothing was lost either.
    if not shortest or not before[shortest - 1]:
        return 1.0
    return float(after[shortest - 1] / before[shortest - 1])


def reuse_gain(reused: ArrayLike, fresh: ArrayLike) -> float:
    """What a reused state adds to the area under the lift curve, over the same number of visits.

    >>> reuse_gain([1, 1], [0, 1])
    0.75
    """
    shortest = min(len(found(reused)), len(found(fresh)))
    return aulc(judged(reused)[:shortest]) - aulc(judged(fresh)[:shortest])


def _last_window(labels: ArrayLike, width: int) -> float:
    last = judged(labels)[-width:]
    return float((last > 0).mean()) if last.size else 0.0
