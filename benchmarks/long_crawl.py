"""Crawls a large web for long with the default strategy: does a page cost the same at the end, and is there a pause?

    python benchmarks/long_crawl.py --quick      # 2,000 visits
    python benchmarks/long_crawl.py              # 50,000 visits, some ten minutes

The web is a labyrinth of a million pages with some fifty links each, answered without a network. The crawl is
killed at the end and resumed; `kill -9` of the crawling process ends it earlier. Prints for each tenth of the visits
the CPU time a page, the memory and the candidates that wait; then the longest time between two visits, in CPU time and
on the clock, what checkpoints took, and what the resume took until its first new visit. The last line sums up; the
ratio is that of the last tenth to the second.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final

from memory import peak_mb, resident_mb

import clew
from clew.core.checkpoint_pace import CheckpointPace
from clew.labyrinth import Labyrinth
from clew.types import Fetched, Stats

TOPIC: Final = "sailing"
PLAIN: Final[dict[str, Any]] = {"delay": 0, "parallel": 1, "patience": 0, "commit_seconds": 1.0, "main_text": False}
TENTHS: Final = 10


class LabyrinthFetcher:
    """Answers from a labyrinth in the same process."""

    def __init__(self, web: Labyrinth) -> None:
        self.web = web

    async def get(self, url: str) -> Fetched:
        answer = self.web.page(url)
        headers = dict(answer.headers)
        return Fetched(
            url, answer.status, answer.headers, answer.body, answer.body, location=headers.get("Location", "")
        )

    def pause(self, url: str) -> float:
        return 0.0

    async def close(self) -> None:
        """Nothing is open."""


class Watchdog:
    """A stop rule that looks at the clocks after every visit, and kills the process at the end."""

    def __init__(self, visits: int, report: Path) -> None:
        self.visits = visits
        self.report = report
        self.cpu = [time.process_time()]
        self.clock = [time.perf_counter()]
        self.tenths: list[dict[str, float]] = []
        self.checkpoints: list[float] = []
        self.seen = 0
        self._watch_checkpoints()

    def __call__(self, stats: Stats) -> str:
        if stats.visited == self.seen:
            return ""
        self.seen = stats.visited
        self.cpu.append(time.process_time())
        self.clock.append(time.perf_counter())
        if len(self.cpu) - 1 >= (len(self.tenths) + 1) * self.visits // TENTHS:
            self.tenths.append(self._tenth(stats))
            print(_row(len(self.tenths), self.visits, self.tenths[-1]), flush=True)
            self._write()
        if len(self.tenths) == TENTHS:
            # As by kill -9: nothing is committed, nothing is closed.
            os._exit(9)
        return ""

    def _tenth(self, stats: Stats) -> dict[str, float]:
        size = self.visits // TENTHS
        spent = 1000 * (self.cpu[-1] - self.cpu[-1 - size]) / size
        return {"ms": spent, "mb": resident_mb(), "waiting": stats.waiting}

    def _write(self) -> None:
        def longest(times: list[float]) -> float:
            return max(after - before for before, after in pairwise(times[10:]))

        found = {"cpu": longest(self.cpu), "clock": longest(self.clock), "checkpoints": self.checkpoints}
        self.report.write_text(json.dumps({**found, "tenths": self.tenths, "peak": peak_mb()}))

    def _watch_checkpoints(self) -> None:
        end = CheckpointPace.end

        def watched(pace: CheckpointPace, now: float) -> None:
            end(pace, now)
            self.checkpoints.append(pace._cost)

        CheckpointPace.end = watched  # type: ignore[method-assign]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--visits", type=int)
    parser.add_argument("--web", type=int, default=1_000_000, help="pages of the labyrinth")
    parser.add_argument("--strategy", default="adaptive")
    parser.add_argument("--part", choices=("crawl", "resume"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    visits = args.visits or (2000 if args.quick else 50_000)
    if args.part == "crawl":
        crawl(args, visits)
    elif args.part == "resume":
        resume(args)
    else:
        with tempfile.TemporaryDirectory() as scratch:
            both(Path(scratch), visits)


def both(scratch: Path, visits: int) -> None:
    """A crawl that is killed, and its resume, each in a process of its own; then the tables."""
    print("| visits | CPU ms a page | MB | candidates |\n|---|---|---|---|", flush=True)
    options = [*sys.argv[1:], "--visits", str(visits), "--folder", str(scratch)]
    # A crawl that somebody else kills ends earlier; what it has shown until then counts.
    for part, codes in (("crawl", (9, -9)), ("resume", (0,))):
        process = subprocess.run([sys.executable, __file__, *options, "--part", part], check=False)
        if process.returncode not in codes:
            raise SystemExit(f"the {part} ended with {process.returncode}")
    show(json.loads((scratch / "crawl.json").read_text()), json.loads((scratch / "resume.json").read_text()), visits)


def crawl(args: argparse.Namespace, visits: int) -> None:
    web = Labyrinth(pages=args.web, seed=1)
    watchdog = Watchdog(visits, args.folder / "crawl.json")
    settings = {**PLAIN, "strategy": args.strategy, "pages": 10 * visits}
    seeds = web.seeds(TOPIC, 3)
    keywords = " OR ".join(f'"{word}"' for word in web.keywords(TOPIC)[:3])
    result = clew.crawl(
        keywords,
        seeds,
        fetcher=LabyrinthFetcher(web),
        stop_rules=[watchdog],
        folder=str(args.folder / "crawl"),
        **settings,
    )
    print(f"the crawl stopped after {result.stats.visited} visits: {result.reason}", flush=True)


def resume(args: argparse.Namespace) -> None:
    began = time.process_time(), time.perf_counter()
    before = visits_in(args.folder / "crawl")

    def first_visit(stats: Stats) -> str:
        return "resumed" if stats.visited > before else ""

    clew.resume(
        args.folder / "crawl", fetcher=LabyrinthFetcher(Labyrinth(pages=args.web, seed=1)), stop_rules=[first_visit]
    )
    took = {"cpu": time.process_time() - began[0], "clock": time.perf_counter() - began[1], "visits": before}
    (args.folder / "resume.json").write_text(json.dumps(took))


def visits_in(folder: Path) -> int:
    with clew.Records(folder) as records:
        return records.stats().visited


def _row(number: int, visits: int, tenth: dict[str, float]) -> str:
    done = number * visits // TENTHS
    return f"| {done:,} | {tenth['ms']:.1f} | {tenth['mb']:.0f} | {tenth['waiting']:,.0f} |"


def show(crawled: dict[str, Any], resumed: dict[str, Any], visits: int) -> None:
    checkpoints = crawled["checkpoints"]
    print(f"longest time between two visits: {crawled['cpu']:.2f} s of CPU, {crawled['clock']:.2f} s on the clock")
    print(f"{len(checkpoints)} checkpoints, median {1000 * median(checkpoints):.0f} ms of CPU, longest", end=" ")
    print(f"{1000 * max(checkpoints):.0f} ms; {sum(checkpoints):.1f} s in all")
    print(f"resume after a kill: {resumed['cpu']:.1f} s of CPU, {resumed['clock']:.1f} s on the clock")
    ratio = crawled["tenths"][-1]["ms"] / crawled["tenths"][1]["ms"]
    print(
        f"visits {len(crawled['tenths']) * visits // TENTHS}, ratio {ratio:.2f}, "
        f"longest pause {crawled['cpu']:.2f} s, peak {crawled['peak']:.0f} MB, resume {resumed['cpu']:.1f} s"
    )


if __name__ == "__main__":
    main()
