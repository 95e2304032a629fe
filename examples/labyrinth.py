"""Crawl a synthetic web with two strategies and look at what came back: python examples/labyrinth.py"""

from __future__ import annotations

import tempfile
from pathlib import Path

import clew
from clew.labyrinth import Labyrinth, serving


def main() -> None:
    labyrinth = Labyrinth(pages=20_000, seed=1)
    seeds = labyrinth.seeds("sailing", 3)
    with tempfile.TemporaryDirectory() as scratch, serving(labyrinth) as web:
        for strategy in ("breadth_first", "shark"):
            result = clew.crawl(
                "sailing",
                seeds,
                strategy=strategy,
                pages=400,
                threshold=0.5,
                delay=0,
                allow_private=True,
                resolve=[web.resolve],
                folder=str(Path(scratch) / strategy),
            )
            print(f"{strategy}: {result.stats.relevant} of {result.stats.visited} pages are relevant")
        with result.records as records:
            for record in records.best(3):
                print(f"{record.relevance:.3f}  {record.title}  {record.url}")


if __name__ == "__main__":
    main()
