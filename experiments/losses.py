"""Where a strategy loses: what waited while it visited pages that are not relevant.

    python experiments/losses.py experiments/adaptive.toml experiments/results/adaptive.md [STRATEGY]

For each web and guide: the share of visits that were finds; of those that were not although ten relevant pages or more
waited, or some did, so that another order would have been better; and of those when none was in sight, where only luck
or knowledge from elsewhere helps. The table goes into `<!-- losses of NAME -->` … `<!-- end of losses of NAME -->`.
Trials that were run before with the same code come from the cache.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from write_up import fill

from clew.lab.comparison import Comparison
from clew.lab.task import task
from clew.lab.trial import TrialResult

MANY = 10
KINDS = ("found", f"{MANY} or more waited", "some waited", "none in sight")


def main(source: str, target: str, strategy: str = "adaptive") -> None:
    path = Path(source)
    fill(Path(target), f"losses of {path.stem}", path, partial(told, strategy=strategy))


def told(comparison: Comparison, strategy: str) -> Iterator[str]:
    """One row for each guide and web."""
    yield f"\n| guide | web | {' | '.join(KINDS)} |\n|---|---|" + "---|" * len(KINDS)
    for name, part in comparison.parts().items():
        counts = defaultdict[str, Counter[str]](Counter)
        for result in part.results:
            if result.trial.strategy == strategy:
                counts[result.trial.world].update(outcomes(result))
        for world, kinds in counts.items():
            shares = [f"{kinds[kind] / kinds.total():.0%}" for kind in KINDS]
            yield f"| {name} | {world} | {' | '.join(shares)} |"


def outcomes(result: TrialResult) -> Iterator[str]:
    """What each visit was, in the light of what waited before it."""
    given = task(result.trial.task)
    relevant = set((given.truth == 1).nonzero()[0].tolist())
    waiting, visited = set[int](), set[int]()
    for page in result.visits.tolist():
        if page < 0:
            continue
        found, left = page in relevant and page not in visited, len(waiting)
        yield KINDS[0 if found else 1 if left >= MANY else 2 if left else 3]
        visited.add(page)
        waiting.discard(page)
        waiting |= relevant.intersection(given.world.graph.out(page).tolist()) - visited


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
