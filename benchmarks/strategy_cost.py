"""Measures the cost of strategies in a longer crawl: CPU milliseconds per page, early and late, beside breadth-first.

    python benchmarks/strategy_cost.py [--world wikischools] [--topic Geography] [--pages 2000] [STRATEGY ...]

The crawls are simulated, so only clew itself is measured, including the unpacking of the recorded web. A strategy whose
last quarter costs much more than its first slows down as the crawl grows. Prints a table for
experiments/results/strategies.md.
"""

from __future__ import annotations

import argparse
import time

from clew.core.simulation import run_simulation
from clew.core.stats import Stats
from clew.lab.task import Task, task
from clew.lab.trial import Trial
from clew.strategies import make, names

PEER = "breadth_first"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="wikischools")
    parser.add_argument("--topic", default="Geography")
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("strategies", nargs="*")
    args = parser.parse_args()
    setting = task(Trial(args.world, args.topic, "", budget=args.pages).task)
    # A crawl to warm up: what is loaded only once must not count for whoever comes first.
    spent(PEER, setting, 100)
    peer = spent(PEER, setting, args.pages)
    print(f"| strategy | ms a page | relative to {PEER} | first quarter | last quarter |\n|---|---|---|---|---|")
    for name in [PEER, *(args.strategies or [name for name in names() if name != PEER])]:
        marks = peer if name == PEER else spent(name, setting, args.pages)
        quarters = [1000 * (marks[n + 1] - marks[n]) / (args.pages / 4) for n in range(len(marks) - 1)]
        mean = sum(quarters) / max(1, len(quarters))
        ratio = mean * args.pages / 1000 / (peer[-1] - peer[0])
        print(f"| {name} | {mean:.1f} | {ratio:.1f} | {quarters[0]:.1f} | {quarters[-1]:.1f} |", flush=True)


def spent(name: str, setting: Task, pages: int) -> list[float]:
    """CPU seconds at the start and after each quarter of the crawl."""
    marks = [time.process_time()]

    def watch(stats: Stats) -> None:
        if stats.visited >= len(marks) * pages // 4 and len(marks) < 4:
            marks.append(time.process_time())

    run_simulation(
        setting.world.fetcher(), setting.interest, setting.seeds, strategy=make(name), pages=pages, watch=watch
    )
    return [*marks, time.process_time()]


if __name__ == "__main__":
    main()
