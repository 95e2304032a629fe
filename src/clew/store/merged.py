"""The numbers of a crawl on several shards, from those of the shards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from clew.types import Stats

SUMS: Final = (
    *("visited", "relevant", "failed", "duplicates", "redirects", "refused", "sitemaps", "bytes", "waiting"),
    *("dropped", "hosts", "pages", "faults", "cached", "waited"),
)
"""What the shards count each for itself; hosts too, because no two shards visit the same one."""


def merged(shards: Sequence[Stats]) -> Stats:
    """The numbers of all shards as those of one crawl.

    >>> both = merged([Stats(visited=30, relevant=10, recent=0.5), Stats(visited=10, relevant=1, recent=0.1)])
    >>> both.visited, both.relevant, round(both.recent, 2)
    (40, 11, 0.4)
    """
    if not shards:
        return Stats()
    sums = {name: sum(getattr(stats, name) for stats in shards) for name in SUMS}
    # The page that is waited for is another one in each shard: the best of them stands for all.
    waits = max(shards, key=lambda stats: stats.waits_score)
    return Stats(
        **sums,
        since_relevant=min(stats.since_relevant for stats in shards),
        seconds=max(stats.seconds for stats in shards),
        best=max((stats.best for stats in shards), default=-math.inf),
        recent=_weighted([stats.recent for stats in shards], shards) or 0.0,
        focus=next((stats.focus for stats in shards if stats.focus), ""),
        focus_reason=next((stats.focus_reason for stats in shards if stats.focus), ""),
        at_ceiling=all(stats.at_ceiling for stats in shards),
        forecast=_weighted([stats.forecast for stats in shards], shards),
        forecast_low=_weighted([stats.forecast_low for stats in shards], shards),
        forecast_high=_weighted([stats.forecast_high for stats in shards], shards),
        expected_waiting=_sum([stats.expected_waiting for stats in shards]),
        waits_for=waits.waits_for,
        waits_score=waits.waits_score,
        waits_seconds=waits.waits_seconds,
        paused=any(stats.paused for stats in shards),
    )


def _weighted(values: Sequence[float | None], shards: Sequence[Stats]) -> float | None:
    """The mean by visits; None as long as a shard that visits knows nothing."""
    pairs = [(value, stats.visited) for value, stats in zip(values, shards, strict=True) if stats.visited]
    visits = sum(count for _, count in pairs)
    if not visits or any(value is None for value, _ in pairs):
        return None
    return sum((value or 0.0) * count for value, count in pairs) / visits


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
