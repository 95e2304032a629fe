"""Shows where a strategy loses: what was waiting while it visited irrelevant pages.

    python experiments/losses.py experiments/adaptive.toml experiments/results/adaptive.md [STRATEGY]

For each web and guide it shows four shares of the visits: finds; visits of irrelevant pages while ten or more relevant
pages were waiting; the same while fewer were waiting, so that another order would have been better; and the same while
none was in sight, where only luck or knowledge from elsewhere helps. The table goes between `<!-- losses of NAME -->`
and `<!-- end of losses of NAME -->`. Trials that have been run with the same code come from the cache.
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
    fill(Path(target), f"losses of {path.stem}", path, partial(report, strategy=strategy))


def report(comparison: Comparison, strategy: str) -> Iterator[str]:
    """One row for each guide and web."""
    yield f"\n| guide | web | {' | '.join(KINDS)} |\n|---|---|" + "---|" * len(KINDS)
    for name, part in comparison.parts().items():
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for result in part.results:
            if result.trial.strategy == strategy:
                counts[result.trial.world].update(outcomes(result))
        for world, kinds in counts.items():
            shares = [f"{kinds[kind] / kinds.total():.0%}" for kind in KINDS]
            yield f"| {name} | {world} | {' | '.join(shares)} |"


def outcomes(result: TrialResult) -> Iterator[str]:
    """The kind of each visit, given what was waiting before it."""
    setting = task(result.trial.task)
    relevant = set((setting.truth == 1).nonzero()[0].tolist())
    waiting: set[int] = set()
    visited: set[int] = set()
    for page in result.visits.tolist():
        if page < 0:
            continue
        yield _kind(page in relevant and page not in visited, len(waiting))
        visited.add(page)
        waiting.discard(page)
        waiting |= relevant.intersection(setting.world.graph.out(page).tolist()) - visited


def _kind(found: bool, waiting: int) -> str:
    if found:
        return KINDS[0]
    if waiting >= MANY:
        return KINDS[1]
    return KINDS[2] if waiting else KINDS[3]


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
