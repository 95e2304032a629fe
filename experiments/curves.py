"""Draws the progress of the crawls of an experiment, as a share of what the oracle had found by then.

    python experiments/curves.py experiments/adaptive.toml experiments/results/adaptive.md

There is a picture for each guide. The pictures are saved beside the document and shown between
`<!-- curves of NAME -->` and `<!-- end of curves of NAME -->`. Trials that have been run with the same code come from
the cache.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from write_up import fill

from clew.lab.comparison import Comparison
from clew.lab.plots import save
from clew.lab.report.cases import cases
from clew.lab.report.curves import found
from clew.lab.report.drawing import Palette


def main(source: str, target: str) -> None:
    path = Path(source)
    document = Path(target)
    fill(document, f"curves of {path.stem}", path, partial(report, name=path.stem, folder=document.parent))


def report(comparison: Comparison, name: str, folder: Path) -> Iterator[str]:
    """A picture for each judge and budget, with its caption."""
    palette = Palette(tuple(rank.strategy for rank in comparison.ranking()))
    for case in cases(comparison):
        plot = found(case, palette)
        file = folder / f"{name}{case.slug}.png"
        save(plot.figure, file)
        yield f"\n**{case.name}**: {plot.title.lower()}. {plot.note}\n\n![{case.name}]({file.name})"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
