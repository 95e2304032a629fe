"""Measures the cost of adaptive: milliseconds per page with all learning, and microseconds per link scored.

    python benchmarks/adaptive_cost.py [--pages 500] [--judge classifier]

Crawls of the recorded webs are simulated. The cost of a page is the time spent in the strategy from its visit to the
next one. The median is that of an ordinary page; the mean includes the refits. Pages with 80 to 120 links are shown
separately, with their number. shark, a published strategy that learns nothing, serves as a measure of the machine.
Prints a table for experiments/results/adaptive.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.core.simulation import run_simulation
from clew.lab.task import task
from clew.lab.trial import Trial
from clew.strategies import Strategy, make
from clew.types import Candidate, Page

CRAWLS = (("wikischools-hard", "Geography"), ("webkb", "student"), ("pydocs", "Internet"))
PEER = "shark"
COLUMNS = (
    *("web", "links a page", "ms a page, median", "mean", "95 % below", "with about 100 links"),
    *("µs a link scored", f"{PEER}, ms a page"),
)


class Watch:
    """Measures the time that a strategy takes in `learn` and `score`."""

    def __init__(self, strategy: Strategy) -> None:
        self.pages: list[float] = []  # seconds of each
        self.out: list[int] = []  # links of each
        self.links = 0  # scored
        self.scoring = 0.0  # seconds
        self._learn = strategy.learn
        self._score = strategy.score
        strategy.learn = self.learn  # type: ignore[method-assign]
        strategy.score = self.score  # type: ignore[method-assign]

    def learn(self, page: Page) -> Any:
        self.pages.append(0.0)
        self.out.append(len(page.links))
        return self._timed(lambda: self._learn(page))

    def score(self, candidates: Sequence[Candidate]) -> Any:
        begun = time.process_time()
        found = self._timed(lambda: self._score(candidates))
        self.scoring += time.process_time() - begun
        self.links += sum(len(candidate.links) for candidate in candidates)
        return found

    def _timed(self, call: Callable[[], Any]) -> Any:
        begun = time.process_time()
        found = call()
        if self.pages:
            self.pages[-1] += time.process_time() - begun
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--judge", default="classifier")
    args = parser.parse_args()
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for world, topic in CRAWLS:
        # A crawl to warm up: what is loaded only once must not count for whoever comes first.
        watched("adaptive", world, topic, args.judge, 50)
        peer = watched(PEER, world, topic, args.judge, args.pages)
        seen = watched("adaptive", world, topic, args.judge, args.pages)
        costs = 1000 * np.array(seen.pages)
        row = [f"{np.mean(seen.out):.0f}", f"{np.median(costs):.1f}", f"{costs.mean():.1f}"]
        row += [f"{np.quantile(costs, 0.95):.1f}", large(costs, np.array(seen.out))]
        row += [f"{1e6 * seen.scoring / seen.links:.0f}"]
        print("|", " | ".join([world, *row, f"{1000 * np.mean(peer.pages):.2f}"]), "|", flush=True)


def large(costs: NDArray[np.float64], links: NDArray[np.int64]) -> str:
    """The median of pages with about 100 links, and how many there were."""
    found = costs[(links >= 80) & (links <= 120)]
    return f"{np.median(found):.1f} ({len(found)})" if len(found) else "–"


def watched(name: str, world: str, topic: str, judge: str, pages: int) -> Watch:
    """One crawl."""
    setting = task(Trial(world, topic, "", judge, budget=pages).task)
    strategy = make(name)
    watch = Watch(strategy)
    run_simulation(
        setting.world.fetcher(), setting.interest, setting.seeds, strategy=strategy, pages=pages, threshold=0.5
    )
    return watch


if __name__ == "__main__":
    main()
