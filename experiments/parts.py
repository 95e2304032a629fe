"""Writes what the parts of a strategy contribute: its area minus that of each variant, on the same tasks.

    python experiments/parts.py experiments/adaptive_parts.toml experiments/results/adaptive.md [STRATEGY]

The tables go between `<!-- worth of NAME -->` and `<!-- end of worth of NAME -->`. Trials that have been run with the
same code come from the cache.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from hindsight import pairs
from write_up import fill

from clew.lab.comparison import Comparison


def main(source: str, target: str, strategy: str = "adaptive") -> None:
    path = Path(source)
    fill(Path(target), f"worth of {path.stem}", path, partial(report, strategy=strategy))


def report(comparison: Comparison, strategy: str) -> Iterator[str]:
    """A table for each judge and budget."""
    for name, part in comparison.parts().items():
        yield f"\n**{name}**\n"
        yield from pairs(part, strategy)


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
