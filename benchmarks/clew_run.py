"""One clew crawl with everything on, measured from inside: pages, CPU seconds, wall seconds, peak MB."""

from __future__ import annotations

import resource
import sys
import time

import clew.api  # imported before the clock starts, as Scrapy is
import clew.labyrinth


def main(resolve: str, pages: int, folder: str, seeds: list[str]) -> None:
    began, wall = time.process_time(), time.perf_counter()
    result = clew.api.crawl(
        "sailing",
        seeds,
        strategy="shark",
        pages=pages,
        folder=folder,
        delay=0,
        resolve=[resolve],
        allow_private=True,
    )
    cpu = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(result.stats.visited - result.stats.failed, cpu, time.perf_counter() - wall, peak)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:])
