"""Runs one clew crawl with everything on and prints pages, CPU seconds, wall-clock seconds and peak MB."""

from __future__ import annotations

import sys
import time

from memory import peak_mb

import clew.api  # imported before the clock starts, as Scrapy is
import clew.labyrinth


def main(resolve: str, pages: int, folder: str, seeds: list[str]) -> None:
    began = time.process_time()
    wall = time.perf_counter()
    result = clew.api.crawl(
        "sailing",
        seeds,
        strategy="shark",
        pages=pages,
        folder=folder,
        delay=0,
        patience=0,  # as many pages per second as possible, in whatever order
        resolve=[resolve],
        allow_private=True,
    )
    cpu = time.process_time() - began
    peak = peak_mb()
    print(result.stats.visited - result.stats.failed, cpu, time.perf_counter() - wall, peak)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:])
