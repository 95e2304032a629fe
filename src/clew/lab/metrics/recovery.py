"""How a crawl takes change: of the interest, of the web, and from knowing nothing to knowing something."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from clew.lab.metrics.harvest import aulc, found, judged, moving_harvest

ROUNDING = 1e-9  # .8 of .9 is a little more than .72


def refocus_delay(
    labels: ArrayLike, change: int, width: int = 100, share: float = 0.8, level: float | None = None
) -> int | None:
    """The visits after a change of interest until the windowed harvest is back at this share of its level before.

    Labels are by the interest of the time. `level` is that of the last window before the change unless given, say
    from a fresh crawl. A window holds visits after the change only, so the delay is `width` at the least; None if
    the level is not reached.

    >>> refocus_delay([1, 1, 1, 1, 0, 0, 0, 1, 1], change=4, width=2)
    5
    """
    sequence = np.asarray(labels)
    if level is None:
        level = _last_window(sequence[:change], width)
    reached = moving_harvest(sequence[change:], width) >= share * level - ROUNDING
    return int(reached.argmax()) + width if reached.any() else None


def drift_tolerance(changed: ArrayLike, unchanged: ArrayLike) -> float:
    """The harvest on a web of which a part was replaced over the harvest on the web as it was, over equal lengths.

    >>> drift_tolerance([1, 0, 0, 0], [1, 0, 1, 0])
    0.5
    """
    after, before = found(changed), found(unchanged)
    shortest = min(len(after), len(before))
    return float(after[shortest - 1] / before[shortest - 1]) if shortest and before[shortest - 1] else 1.0


def reuse_gain(reused: ArrayLike, fresh: ArrayLike) -> float:
    """What a loaded state adds to the area under the lift curve, over equal lengths.

    >>> reuse_gain([1, 1], [0, 1])
    0.75
    """
    shortest = min(len(found(reused)), len(found(fresh)))
    return aulc(judged(reused)[:shortest]) - aulc(judged(fresh)[:shortest])


def _last_window(labels: ArrayLike, width: int) -> float:
    last = judged(labels)[-width:]
    return float((last > 0).mean()) if last.size else 0.0
