"""Writes how much the start pages matter: the mean area over all topics for each kind of start pages.

    python experiments/by_start.py experiments/adaptive.toml experiments/results/adaptive.md

The tables go between `<!-- starts of NAME -->` and `<!-- end of starts of NAME -->`. Trials that have been run with
the same code come from the cache.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from write_up import area, fill

from clew.lab.comparison import Comparison
from clew.lab.start_pages import described


def main(source: str, target: str) -> None:
    path = Path(source)
    fill(Path(target), f"starts of {path.stem}", path, report)


def report(comparison: Comparison) -> Iterator[str]:
    """A table for each judge and budget, best strategy first."""
    for name, part in comparison.parts().items():
        # Kinds of pages come after the distances.
        starts = sorted(
            {result.trial.where for result in part.results}, key=lambda where: (str(where).isalpha(), where)
        )
        yield f"\n**{name}**\n"
        yield f"| strategy | {' | '.join(map(described, starts))} |"
        yield "|---|" + "---|" * len(starts)
        for rank in part.ranking():
            mine = [result for result in part.results if result.trial.strategy == rank.strategy]
            of_starts = [area(each for each in mine if each.trial.where == where) for where in starts]
            cells = [f"{value:.3f}" for value in of_starts]
            yield f"| {rank.strategy} | {' | '.join(cells)} |"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
