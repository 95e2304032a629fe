"""Compares the CPU time per page of clew and Scrapy on the same labyrinth pages, interleaved in one run.

clew does everything: parse with link contexts, judge, score, learn, SQLite, WARC. Scrapy runs its CrawlSpider with
LinkExtractor and a JSONL feed. The labyrinth serves both from a process of its own; Scrapy reaches it as a proxy.
It has no dead links, redirects or forbidden pages here, so that every fetch of both is a document.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from clew.labyrinth import Labyrinth, serving

HERE = Path(__file__).parent


class Run(NamedTuple):
    pages: int
    cpu_ms: float  # per page
    per_second: float
    peak_mb: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    labyrinth = Labyrinth(pages=max(4000, options.pages * 2), seed=3, dead=0, redirects=0, blocked=0)
    seeds = labyrinth.seeds("sailing", 5)
    runs: dict[str, list[Run]] = {"clew": [], "scrapy": []}
    with serving(labyrinth) as web, tempfile.TemporaryDirectory() as scratch:
        proxy = f"http://127.0.0.1:{web.port}"
        for number in range(options.rounds):
            for name, script, where in (
                ("clew", "clew_run.py", web.resolve),
                ("scrapy", "scrapy_spider.py", proxy),
            ):
                out = str(Path(scratch) / f"{name}-{number}")
                run = measure(script, where, options.pages, out, seeds, proxy if name == "scrapy" else "")
                runs[name].append(run)
                print(f"round {number + 1}  {name:6}  {line(run)}", flush=True)
    report(runs)


def measure(script: str, where: str, pages: int, out: str, seeds: list[str], proxy: str) -> Run:
    environment = dict(os.environ)
    if proxy:
        environment["http_proxy"] = proxy
    command = [sys.executable, str(HERE / script), where, str(pages), out, *seeds]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    fetched, cpu, wall, peak = map(float, done.stdout.split()[-4:])
    return Run(int(fetched), cpu / fetched * 1000, fetched / wall, peak)


def report(runs: dict[str, list[Run]]) -> None:
    median: dict[str, float] = {}
    for name, rounds in runs.items():
        median[name] = statistics.median(run.cpu_ms for run in rounds)
        peak = max(run.peak_mb for run in rounds)
        print(f"{name:6}  median {median[name]:.2f} CPU ms per page, peak {peak:.0f} MB")
    print(f"clew needs 1/{median['scrapy'] / median['clew']:.1f} of Scrapy's CPU per page")


def line(run: Run) -> str:
    return f"{run.pages} pages  {run.cpu_ms:6.2f} CPU ms/page  {run.per_second:6.0f} pages/s  {run.peak_mb:4.0f} MB"


if __name__ == "__main__":
    main()
