"""Crawls hosts that send markup made to choke a parser, 16 fetches at once, and prints the peak of memory.

python benchmarks/bombs.py [PAGES]

Exits with 1 if the crawl took more than 600 MB in all, or not all pages were visited.
"""

from __future__ import annotations

import resource
import sys
import tempfile

from memory import peak_mb

import clew
from clew.labyrinth import Hostile, serving
from clew.labyrinth.bombs import MARKUP

PARALLEL = 16
MAX_MEGABYTES = 600


def main(pages: int) -> int:
    web = Hostile(pages=500, each=PARALLEL)
    seeds = [f"http://nest{number}.labyrinth/" for number in range(1, PARALLEL + 1)]
    with serving(web) as server, tempfile.TemporaryDirectory() as folder:
        result = clew.crawl(
            "sailing",
            seeds,
            pages=None,
            visits=pages,
            folder=f"{folder}/bombs",
            parallel=PARALLEL,
            per_domain=0,
            per_address=0,
            delay=0.01,
            resolve=server.addresses,
            allow_private=True,
        )
    usage = resource.getrusage(resource.RUSAGE_SELF)
    peak = peak_mb()
    seconds = usage.ru_utime + usage.ru_stime
    stats = result.stats
    print(f"{stats.visited} pages, {stats.failed} of them failed, {len(MARKUP)} kinds of bombs: {result.reason}")
    print(f"peak {peak:.0f} MB, {seconds:.0f} s of CPU time, {seconds / max(1, stats.visited):.2f} s a page")
    return int(peak > MAX_MEGABYTES or stats.visited < pages)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 150))
