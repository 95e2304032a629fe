"""Measures what a strategy gains from an earlier crawl for the same topic, its parent or a rival.

    python experiments/reuse.py [STRATEGY ...]

The earlier crawl is from start pages of its own. The gain is in percentage points of the mean of the harvest curve (100
would be from nothing to everything). The experiments of the paper on intelligent crawling are
experiments/papers/intelligent_reuse.toml (the same predicate) and intelligent_related.toml (a broader one).
"""

from __future__ import annotations

import sys

from clew.lab.change import FAIR
from clew.lab.interest_change import reuse
from clew.lab.planning import family
from clew.lab.trial import Trial

PAIRS = (
    ("wikischools-hard", "Science.Biology", "Science.Biology"),
    ("webkb", "student", "student"),
    ("pydocs", "Database", "Database"),
    ("wikischools-hard", "Science.Biology", "Science.Biology.Birds"),
    ("wikischools-hard", "Geography.African_Geography", "Geography.European_Geography"),
    ("webkb", "faculty", "student"),
    ("webkb", "student", "course"),
    ("pydocs", "Internet", "Internet :: WWW/HTTP :: WSGI"),
    ("pydocs", "Scientific/Engineering :: Physics", "Scientific/Engineering :: Astronomy"),
)


def main(strategies: list[str]) -> None:
    print(f"| web | learnt on | used for | {' | '.join(strategies)} |")
    print("|---|---|---|" + "---|" * len(strategies))
    for world, earlier, later in PAIRS:
        gains = [gain(world, earlier, later, strategy) for strategy in strategies]
        print(f"| {world} | {earlier} | {later} | {' | '.join(gains)} |", flush=True)


def gain(world: str, earlier: str, later: str, strategy: str) -> str:
    """The gain in percentage points, from start pages one link away from the topic."""
    spec = FAIR.get(strategy, strategy).replace("{web}", family(world))
    before = Trial(world, earlier, strategy, distance=1, start=1, budget=300, spec=spec)
    after = Trial(world, later, strategy, distance=1, budget=300, spec=spec)
    return f"{100 * reuse(after, before):+.0f}"


if __name__ == "__main__":
    main(sys.argv[1:] or ["intelligent", "adaptive"])
