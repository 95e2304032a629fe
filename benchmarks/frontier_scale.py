"""Measures the frontier at growing sizes: memory, the cost of a page, of the forecast and of a checkpoint.

    python benchmarks/frontier_scale.py --quick     # up to 10^6 URLs, less than a minute
    python benchmarks/frontier_scale.py             # up to 10^7 URLs, some minutes and two gigabytes

A page is what a visit asks of the frontier: pop a candidate, add 50 links, half of them to known URLs, set the
scores of all and finish. The sizes take turns, and the figures are medians of the rounds, in CPU time: the ratio
of the largest size to the smallest says how far the cost grows. Texts are apart: an evidence store makes them up. A
checkpoint is one after 200 pages. After the table with a row for each size come the two caches that a crawl fills
whatever its size, evidence and the links that the default strategy has read, and what all of it takes together with
the largest frontier. The last line sums up.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from memory import resident_mb

from clew.base.chance import key_of
from clew.config import Config
from clew.core.forecast import PREDICT_EVERY_VISITS, Forecast
from clew.frontier import Frontier
from clew.frontier.evidence import Evidence
from clew.store import SqliteStore
from clew.strategies import Strategy
from clew.strategies._adaptive.memory import MAX_CACHED_LINKS, Links, PageMemory
from clew.types import Candidate, Link, UrlEntry, UrlState

LINKS: Final = 50  # of a page
URLS_PER_HOST: Final = 200
PAGES_PER_ROUND: Final = 100
PAGES_PER_CHECKPOINT: Final = 200
URLS_PER_CHECKPOINT: Final = 20_000  # while a frontier is filled
LINKS_READ: Final = 50_000  # by the strategy, to measure what a link takes
VISITS_PER_THOUSAND: Final = 10  # URLs, while a frontier is filled
KEYS_IN_MEMORY: Final = 1 << 16
WARM_UP_URLS: Final = 20_000
SOURCE: Final = "http://source.example/"


class Texts:
    """An evidence store that makes its texts up."""

    def __init__(self, hosts: int) -> None:
        self.hosts = hosts

    def url(self, number: int) -> str:
        return f"http://host{number * 2654435761 % self.hosts}.example/page/{number}"

    def entry(self, number: int) -> UrlEntry:
        url = self.url(number)
        return UrlEntry(url, (Link(SOURCE, url, "words of the anchor"),))

    def entries(self, slots: Sequence[int]) -> dict[int, UrlEntry]:
        return {slot: self.entry(slot) for slot in slots}


class Chances(Strategy):
    """Scores are chances."""

    def chances(self, candidates: Sequence[Candidate]) -> list[float]:
        return [candidate.score for candidate in candidates]


class Scale:
    """A frontier of one size, and what is measured of it."""

    def __init__(self, size: int, folder: Path) -> None:
        self.size = size
        self.random = random.Random(size)
        self.texts = Texts(max(10, size // URLS_PER_HOST))
        for number in range(KEYS_IN_MEMORY):
            key_of(f"a cache that is full whatever the size: {number}")
        self.store = SqliteStore(folder / str(size), new=Config())
        self.before = resident_mb()
        self.frontier = Frontier(self.texts, capacity=2 * size, cached_bytes=1_000_000)
        self.now = 0.0
        self.visited = 0
        self._fill()
        self.bytes_per_url = (resident_mb() - self.before) * 2**20 / size
        self.forecast = Forecast(self.frontier, Chances())
        self.pages: list[float] = []  # seconds of each round, for a page
        self.forecasts: list[float] = []  # the same
        self.checkpoints: list[float] = []  # seconds
        self.checkpoint()

    def round(self, is_last: bool) -> None:
        """Some pages, a forecast, and in the last rounds a checkpoint."""
        self.pages.append(cpu(lambda: [self.page() for _ in range(PAGES_PER_ROUND)]) / PAGES_PER_ROUND)
        self.forecasts.append(cpu(lambda: self.forecast.record_visit(0, False, self._tick())) / PREDICT_EVERY_VISITS)
        if is_last:
            for _ in range(PAGES_PER_CHECKPOINT):
                self.page()
            self.checkpoints.append(cpu(self.checkpoint))

    def page(self) -> None:
        """One visit."""
        frontier = self.frontier
        self.now += 0.05
        slot = frontier.pop(self.now)
        if slot is None:
            raise SystemExit("no host is ready: there are too few")
        known = [self.random.randrange(self.size) for _ in range(LINKS // 2)]
        fresh = range(len(frontier), len(frontier) + LINKS // 2)
        links = [Link(SOURCE, self.texts.url(number), "words") for number in (*known, *fresh)]
        touched, again = frontier.add(links, 1, 0.3, lambda url, depth: "")
        frontier.finish(slot, UrlState.FETCHED, 0.3)
        slots = touched + again
        frontier.set(slots, [self.random.random() for _ in slots])
        frontier.release(slot, self.now, pause=1.0)
        frontier.changed_entries()

    def checkpoint(self) -> None:
        """Save the frontier as a commit does it."""
        self.store.commit([], {}, self.frontier.save())
        self.frontier.saved()

    def row(self) -> str:
        """The row of the table."""
        # Smaller frontiers take memory that larger ones have left, so theirs is not measured.
        size = f"{self.bytes_per_url:.0f}" if self.size >= 10**6 else "–"
        figures = (size, f"{1e6 * median(self.pages):.0f}", f"{1e6 * median(self.forecasts):.0f}")
        return " | ".join(["", f"{self.size:,}", *figures, f"{1e3 * median(self.checkpoints):.1f}", ""]).strip()

    def _tick(self) -> int:
        self.visited += PREDICT_EVERY_VISITS
        return self.visited

    def _fill(self) -> None:
        frontier = self.frontier
        while len(frontier) < self.size:
            numbers = range(len(frontier), min(self.size, len(frontier) + 1000))
            links = [Link(SOURCE, self.texts.url(number), "words") for number in numbers]
            slots, _ = frontier.add(links, 1, 0.3, lambda url, depth: "")
            frontier.set(slots, [self.random.random() for _ in slots])
            frontier.changed_entries()
            self._visit_some()
            if len(frontier) % URLS_PER_CHECKPOINT == 0:
                self.checkpoint()

    def _visit_some(self) -> None:
        """As many visits as it takes to find a thousand URLs, or nearly."""
        for _ in range(VISITS_PER_THOUSAND):
            self.now += 0.05
            if (slot := self.frontier.pop(self.now)) is not None:
                self.frontier.finish(slot, UrlState.FETCHED, 0.3)
                self.frontier.release(slot, self.now, pause=1.0)


def evidence_mb() -> float:
    """What the evidence in memory takes when it is full."""
    before = resident_mb()
    evidence = Evidence(Texts(1000))
    slots = 0
    while evidence.bytes < evidence.max_bytes:
        evidence.get(range(slots, slots + 1000), lambda url: True)
        slots += 1000
    return resident_mb() - before


def links_mb() -> float:
    """What the links that the default strategy has read take when as many are kept as may be."""
    texts = Texts(1000)
    links = Links(lambda text: 0.0)
    pages = PageMemory()

    def read(numbers: range) -> None:
        links.of([Candidate(texts.url(number), number, 1, texts.entry(number).links) for number in numbers], pages)

    def fill(first: int) -> float:
        for start in range(first, first + LINKS_READ, 1000):
            read(range(start, start + 1000))
        return resident_mb()

    # The vocabulary, and caches of words, are full after the first.
    before = fill(0)
    return (fill(LINKS_READ) - before) * MAX_CACHED_LINKS / LINKS_READ


def cpu(step: Callable[[], object]) -> float:
    """The seconds of CPU time that a step takes."""
    began = time.process_time()
    step()
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="up to a million URLs")
    parser.add_argument("--powers", type=int, nargs="+", help="sizes as powers of ten, such as 4 7")
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    try:
        # What the database and the allocator take for any frontier is not memory of this one.
        Scale(WARM_UP_URLS, folder / "warm-up").round(is_last=True)
        # The largest first: what smaller ones leave in the memory must not count for it.
        powers = sorted(args.powers or range(4, 7 if args.quick else 8), reverse=True)
        scales = [Scale(10**power, folder) for power in powers]
        for turn in range(args.rounds):
            for scale in scales:
                scale.round(is_last=turn >= args.rounds - 3)
    finally:
        shutil.rmtree(folder)
    print("| URLs | bytes of RAM a URL | µs a page | forecast, µs a page | checkpoint, ms |\n|---|---|---|---|---|")
    for scale in reversed(scales):
        print(scale.row())
    print(caches(scales[0]))
    print(summary(scales[0], scales[-1]))


def caches(largest: Scale) -> str:
    frontier = largest.bytes_per_url * largest.size / 2**20
    evidence, links = evidence_mb(), links_mb()
    return (
        f"evidence {evidence:.0f} MB, links of the strategy {links:.0f} MB, frontier {frontier:.0f} MB, "
        f"the program itself {largest.before:.0f} MB: {evidence + links + frontier + largest.before:.0f} MB"
    )


def summary(largest: Scale, smallest: Scale) -> str:
    ratio = median(largest.pages) / median(smallest.pages)
    forecast = 1e6 * median(largest.forecasts)
    checkpoint = 1e3 * median(largest.checkpoints)
    return (
        f"bytes per URL {largest.bytes_per_url:.1f}, ratio {ratio:.2f}, "
        f"forecast {forecast:.0f} us, checkpoint {checkpoint:.0f} ms"
    )


if __name__ == "__main__":
    main()
