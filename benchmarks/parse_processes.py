"""Pages a second with and without a process that parses beside the crawl: real pages on loopback, in turns.

    python benchmarks/parse_processes.py [--pages 5000] [--rounds 2] [--strategy adaptive]

The sites are those of docsites.py. Each crawl is as fast as it can be: no delay, no patience. It needs two free cores,
one of them for the web server and the parsing process; what else runs on the machine makes the ratio smaller. CPU
time is that of the crawl itself and of the process beside it. There are some 6,000 pages on these sites; hosts may be
asked for as many as they have.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from typing import NamedTuple

from docsites import DocSites

import clew.api

TOPIC = "clustering"
HOME = "sklearn"


class Measured(NamedTuple):
    """One crawl, by page."""

    pages: int
    wall: float  # milliseconds
    own: float  # of CPU, of the crawl
    beside: float  # of CPU, of its processes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--strategy", default="adaptive")
    args = parser.parse_args()
    ratios: list[float] = []
    with DocSites() as sites:
        # The first crawl loads what is loaded only once.
        crawl(sites, args.strategy, 50, 0)
        for number in range(args.rounds):
            without = crawl(sites, args.strategy, args.pages, 0)
            beside = crawl(sites, args.strategy, args.pages, 1)
            ratios.append(without.wall / beside.wall)
            for name, found in (("in the crawl", without), ("beside it", beside)):
                print(
                    f"round {number + 1}  parsed {name:12}  {found.pages} pages  {found.wall:6.2f} ms a page  "
                    f"CPU {found.own:.2f} + {found.beside:.2f} ms",
                    flush=True,
                )
    print(f"pages a second with a process beside the crawl: {statistics.median(ratios):.2f} times as many")


def crawl(sites: DocSites, strategy: str, pages: int, processes: int) -> Measured:
    """Crawl as fast as possible, with everything on."""
    began, cpu, children = time.monotonic(), time.process_time(), of_children()
    with tempfile.TemporaryDirectory() as folder:
        fast = {"delay": 0, "patience": 0, "host_pages": 0, "pages": pages, "folder": f"{folder}/crawl"}
        settings = {**fast, **sites.settings, "parse_processes": processes, "strategy": strategy}
        result = clew.api.crawl(TOPIC, sites.seeds(HOME), **settings)
    visited = result.stats.visited
    spent = (time.monotonic() - began, time.process_time() - cpu, of_children() - children)
    return Measured(visited, *(1000 * seconds / visited for seconds in spent))


def of_children() -> float:
    """CPU seconds of processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
