"""Says where the time of a page goes: the CPU time of each part of a live crawl of real pages, without the parts in it.

    python benchmarks/page_parts.py [--strategy breadth_first] [--judge plain] [--pages 500] [--rounds 2]

The parts are functions of clew that are timed while they run, which makes each of them a little dearer; the rest is the
event loop, the sending and receiving, and whatever has no row. The sites are those of docsites.py. Prints the median of
the rounds.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from docsites import DocSites

import clew.api
from clew.core import choices, engine, inflight, scoring, teaching, verdicts
from clew.core.state import CrawlState
from clew.filters.filters import Filters
from clew.frontier import Frontier
from clew.parse import html, source
from clew.store import texts
from clew.store.sqlite import SqliteStore
from clew.store.warc import Archive
from clew.strategies._adaptive.model import Model

TOPIC = "clustering"
HOME = "sklearn"
# Each function belongs to a part; of what it calls, the parts that have a row of their own are taken off.
PARTS: dict[str, list[tuple[Any, str]]] = {
    "decode the page, bound its cost": [(html, "source_of"), (source, "bounded")],
    "parse: tree, links, text, terms": [(inflight.InFlight, "read")],
    "main text": [(html, "_main_text")],
    "filters: twins, menus, traps": [(Filters, "content"), (Filters, "examine"), (Filters, "learn_boilerplate")],
    "judge a page": [(verdicts.Verdicts, "of")],
    "judge: learn, judge again": [(verdicts.Verdicts, "learn"), (CrawlState, "judge_again")],
    "links into the frontier": [(Frontier, "add")],
    "scores into the queues": [(Frontier, "set")],
    "strategy: score": [(scoring.Scoring, "_ask")],
    "strategy: count a page": [(teaching.Teaching, "page")],
    "strategy: refit": [(Model, "refit")],
    "choose the next, say why": [(inflight.InFlight, "send_best"), (choices.Choices, "visited")],
    "archive (WARC)": [(Archive, "append"), (Archive, "flush")],
    "checkpoint": [(engine, "checkpoint_of")],
    "database": [(SqliteStore, "commit")],
    "search index": [(texts.PageTexts, "write")],
}


class Clock:
    """CPU seconds of each part; of parts within each other, only the inner one runs."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self.running = ["rest"]
        self.since = time.process_time()

    def switch(self) -> None:
        """Book the time since the last switch."""
        now = time.process_time()
        self.spent[self.running[-1]] += now - self.since
        self.since = now

    def timed(self, part: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """The function, booked under its part."""

        @functools.wraps(call)
        def run(*arguments: Any, **named: Any) -> Any:
            self.switch()
            self.running.append(part)
            try:
                return call(*arguments, **named)
            finally:
                self.switch()
                self.running.pop()

        return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategy", default="adaptive")
    parser.add_argument("--judge", default="learning")
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    clock = Clock()
    for part, places in PARTS.items():
        for owner, name in places:
            _watch(clock, part, owner, name)
    rounds: list[dict[str, float]] = []
    with DocSites() as sites:
        # The first crawl loads what is loaded only once.
        crawl(sites, args.strategy, args.judge, 50)
        for _ in range(args.rounds):
            clock.spent.clear()
            clock.since = time.process_time()
            pages = crawl(sites, args.strategy, args.judge, args.pages)
            clock.switch()
            rounds.append({part: 1000 * seconds / pages for part, seconds in clock.spent.items()})
    _print(rounds)


def crawl(sites: DocSites, strategy: str, judge: str, pages: int) -> int:
    """Crawl as fast as possible, with everything on; how many pages it took."""
    with tempfile.TemporaryDirectory() as folder:
        fast = {"delay": 0, "patience": 0, "pages": pages, "folder": f"{folder}/crawl"}
        result = clew.api.crawl(TOPIC, sites.seeds(HOME), strategy=strategy, judge=judge, **fast, **sites.settings)
        return result.stats.visited


def _watch(clock: Clock, part: str, owner: Any, name: str) -> None:
    setattr(owner, name, clock.timed(part, getattr(owner, name)))


def _print(rounds: list[dict[str, float]]) -> None:
    parts = {part: statistics.median(each.get(part, 0.0) for each in rounds) for part in (*PARTS, "rest")}
    total = sum(parts.values())
    print("| part | ms a page | share |\n|---|---|---|")
    for part, cost in sorted(parts.items(), key=lambda item: -item[1]):
        print(f"| {part} | {cost:.2f} | {100 * cost / total:.0f} % |")
    print(f"| all | {total:.2f} | 100 % |")


if __name__ == "__main__":
    main()
