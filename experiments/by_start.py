"""Writes how much it matters where a crawl begins: the mean area over all topics for each distance of the start pages.

    python experiments/by_start.py experiments/adaptive.toml experiments/results/adaptive.md

The tables go between `<!-- starts of NAME -->` and `<!-- end of starts of NAME -->`. Trials that were run before with
the same code come from the cache.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from write_up import area, fill

from clew.lab.comparison import Comparison


def main(source: str, target: str) -> None:
    path = Path(source)
    fill(Path(target), f"starts of {path.stem}", path, told)


def told(comparison: Comparison) -> Iterator[str]:
    """A table for each judge and budget, best strategy first."""
    for name, part in comparison.parts().items():
        distances = sorted({result.trial.distance for result in part.results})
        yield f"\n**{name}**\n"
        yield f"| strategy | {' | '.join(map(_words, distances))} |"
        yield "|---|" + "---|" * len(distances)
        for rank in part.ranking():
            mine = [result for result in part.results if result.trial.strategy == rank.strategy]
            of_starts = [area(each for each in mine if each.trial.distance == distance) for distance in distances]
            cells = [f"{value:.3f}" for value in of_starts]
            yield f"| {rank.strategy} | {' | '.join(cells)} |"


def _words(distance: int) -> str:
    return "on the topic" if not distance else "1 link off" if distance == 1 else f"{distance} links off"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
