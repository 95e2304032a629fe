"""Prints what the judge that learns costs: CPU time a page, and the longest pause, in crawls of a recorded web.

    python benchmarks/judge_cost.py [--pages 3000] [--worlds wikischools-hard pydocs] [--judges keywords examples:20]

Judging, remembering pages, fits and judging again are counted, in a simulation with the default strategy. The last
line of each crawl reads like `judge 1.20 ms a page, longest pause 0.150 s`. Without the recorded webs, a labyrinth
serves (`--worlds labyrinth:5000 --judges keywords`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from clew.base.single_thread import one_thread
from clew.core.engine import Engine
from clew.lab.task import task
from clew.lab.trial import Trial, crawled
from clew.lab.worlds import find

STEPS = ("of", "learn", "refit_if_due")


class Watch:
    """Measures calls of the judge."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)

    def attach(self, engine: Engine) -> None:
        """Measure the judge of a crawl."""
        for name in STEPS:
            setattr(engine.state.verdicts, name, self._timed(name, getattr(engine.state.verdicts, name)))

    def _timed(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any) -> Any:
            began = time.process_time()
            try:
                return call(*args)
            finally:
                self.seconds[name].append(time.process_time() - began)

        return timed


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--worlds", nargs="+", default=["wikischools-hard", "pydocs"])
    parser.add_argument("--judges", nargs="+", default=["keywords", "examples:20"])
    args = parser.parse_args(words)
    for world in args.worlds:
        sizes = find(world).topics
        topic = sorted(sizes, key=sizes.__getitem__)[len(sizes) // 2]
        for judge in args.judges:
            measure(Trial(world, topic, "adaptive", judge, budget=args.pages))


def measure(trial: Trial) -> None:
    """Run one crawl and print what its judge cost."""
    watch = Watch()
    the_task = task(trial.task)
    with one_thread():
        began = time.process_time()
        crawl = crawled(trial, the_task, prepare=watch.attach)
        total = time.process_time() - began
    pages = len(crawl.order)
    print(f"{trial.world}, {trial.topic}, {trial.judge}: {pages:,} pages, {1000 * total / pages:.2f} ms a page in all")
    for name, seconds in watch.seconds.items():
        print(f"  {name:12s} {1000 * sum(seconds) / pages:6.2f} ms a page, longest {max(seconds):.3f} s")
    every = [each for seconds in watch.seconds.values() for each in seconds]
    print(f"judge {1000 * sum(every) / pages:.2f} ms a page, longest pause {max(every):.3f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
