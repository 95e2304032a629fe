"""A shard puts off what is none of the best pages of all shards."""

from __future__ import annotations

import pytest

from clew.cluster.report import Elsewhere
from clew.cluster.shared_patience import SharedPatience
from clew.config import Until
from clew.core.stats import Tally
from clew.frontier import Frontier
from clew.types import Link

NOW = 100.0


def patience(*scores: float) -> SharedPatience:
    """Of a shard whose candidates have these scores, each on a host of its own."""
    frontier = Frontier(None)
    links = [Link("http://s.example/", f"http://h{place}.example/") for place in range(len(scores))]
    slots, _ = frontier.add(links, 1, 0.0, lambda url, depth: "")
    frontier.set(slots, scores)
    frontier.wake(NOW)
    return SharedPatience(frontier, "by score", Tally(), Until(pages=100), 2.0, lambda: 0.0)


@pytest.mark.parametrize(
    ("score", "best", "quiet", "holds"),
    [
        (0.2, 0.5, 0.1, True),
        (0.5, 0.5, 0.1, False),  # the lead gave out visits for such pages
        (0.2, 0.5, 1.4, True),
        (0.2, 0.5, 1.6, False),  # two turns of a second, of which the page lacks three quarters
        (0.2, 0.9, 0.1, True),
        (0.85, 0.9, 0.1, False),  # better than what waits elsewhere
    ],
)
def test_what_is_none_of_the_best_waits_for_the_others(score: float, best: float, quiet: float, holds: bool) -> None:
    shard = patience(score)
    shard.take_over(Elsewhere(left=50, best=best, awaited=0.8, turn=1.0, quiet=quiet), NOW)
    assert shard.holds(NOW, ()) == holds
    if holds:
        assert shard.as_stats(NOW)["waits_for"] == "another shard"


def test_without_a_limit_nobody_waits() -> None:
    shard = patience(0.2)
    shard.take_over(Elsewhere(left=float("inf"), best=0.5, awaited=0.8, turn=1.0, quiet=0.1), NOW)
    assert not shard.holds(NOW, ())
