"""Compares the CPU time per page of clew, Scrapy and wget on real pages: documentation sites on loopback, interleaved.

    python benchmarks/crawl_speed.py                      # a quarter of an hour on a quiet machine
    python benchmarks/crawl_speed.py --pages 300 --rounds 2
    python benchmarks/crawl_speed.py --only scrapy "breadth_first, plain"

clew does everything that it does in a crawl: robots.txt, parse with link contexts, judge, score, learn, SQLite, WARC.
Scrapy runs its CrawlSpider with LinkExtractor and a JSONL feed, once more with a JOBDIR; wget saves the pages. All
start from the same pages and stay on the same sites, but each has its own order, so they do not get the same pages: the
cost per KB allows for that. Pages and KB are counted by the web server, and by the size of the files, for all alike.

The CPU time is that of the whole process, user and system. Every crawl is made twice, short and long: the difference is
what pages cost, and what the short one cost beyond its pages is the start-up.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from docsites import CACHE, DocSites

HERE = Path(__file__).parent
SHORT_PAGES = 20
HOME = "sklearn"
STRATEGIES = ("adaptive", "breadth_first", "shark")
JUDGES = ("learning", "plain")
CLEW = {f"{strategy}, {judge}": (strategy, judge) for strategy in STRATEGIES for judge in JUDGES}
WITH_JOBDIR = "scrapy, JOBDIR"  # can go on after a clean stop, as clew always can
WGET_KB_PER_PAGE = 60  # wget has no limit of pages, only one of bytes


class Crawl(NamedTuple):
    """What one process has cost, and what the server has sent it."""

    pages: int
    kb: float
    cpu: float  # seconds
    wall: float
    peak_mb: float


class Run(NamedTuple):
    """A short and a long crawl."""

    short: Crawl
    long: Crawl

    @property
    def ms_per_page(self) -> float:
        return 1000 * (self.long.cpu - self.short.cpu) / (self.long.pages - self.short.pages)

    @property
    def ms_per_kb(self) -> float:
        return 1000 * (self.long.cpu - self.short.cpu) / (self.long.kb - self.short.kb)

    @property
    def start(self) -> float:
        """Seconds of CPU before and beside the pages."""
        return self.short.cpu - self.short.pages * self.ms_per_page / 1000


class Bench:
    """Starts the crawlers and reads the log of the server."""

    def __init__(self, sites: DocSites, scrapy_python: str, scratch: Path) -> None:
        self.sites = sites
        self.scrapy_python = scrapy_python
        self.scratch = scratch
        self.roots = {site.host: root for site, root in sites.roots.items()}
        self.crawls = 0

    def run(self, name: str, pages: int) -> Run:
        return Run(self.crawl(name, SHORT_PAGES), self.crawl(name, pages))

    def crawl(self, name: str, pages: int) -> Crawl:
        self.crawls += 1
        folder = self.scratch / str(self.crawls)
        already = self.sites.access_log.stat().st_size
        environment = os.environ | {"http_proxy": f"http://127.0.0.1:{self.sites.port}"}
        if name in CLEW:
            del environment["http_proxy"]
        began = time.monotonic()
        process = subprocess.Popen(
            self.command(name, pages, folder), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - began
        # wget counts dead links as errors.
        if process.returncode and name != "wget":
            raise SystemExit(f"{name} ended with {process.returncode}")
        sizes = self.sent(already)
        shutil.rmtree(folder, ignore_errors=True)
        cpu = usage.ru_utime + usage.ru_stime
        return Crawl(len(sizes), sum(sizes) / 1000, cpu, wall, usage.ru_maxrss / 1024)

    def command(self, name: str, pages: int, folder: Path) -> list[str]:
        seeds = self.sites.seeds(HOME)
        if name in CLEW:
            script = str(HERE / "clew_run.py")
            return [sys.executable, script, str(self.sites.port), str(pages), str(folder), *CLEW[name], *seeds]
        if name.startswith("scrapy"):
            job = str(folder) if name == WITH_JOBDIR else "-"
            return [self.scrapy_python, str(HERE / "scrapy_spider.py"), str(pages), f"{folder}.jsonl", job, *seeds]
        stay = ["--span-hosts", "--domains=test", r"--accept-regex=(/|\.html?)$"]
        size = f"--quota={pages * WGET_KB_PER_PAGE}k"
        return ["wget", "--recursive", "--level=inf", "--quiet", size, *stay, f"--directory-prefix={folder}", *seeds]

    def sent(self, start: int) -> list[int]:
        """The sizes of the pages that were sent since then; nginx writes its log at once."""
        with self.sites.access_log.open("rb") as log:
            log.seek(start)
            lines = log.read().decode(errors="replace").splitlines()
        sizes: list[int] = []
        for line in lines:
            _, _, host, status, uri = line.split(" ", 4)
            path = uri.removeprefix(f"http://{host}").partition("?")[0]
            path += "index.html" if path.endswith("/") else ""
            file = self.roots[host] / path.lstrip("/") if host in self.roots else None
            if status == "200" and path.endswith((".html", ".htm")) and file and file.is_file():
                sizes.append(file.stat().st_size)
        return sizes


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--pages", type=int, default=600, help="of the long crawls")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", help="some of: " + "; ".join([*CLEW, "scrapy", WITH_JOBDIR, "wget"]))
    parser.add_argument("--scrapy-python", default=sys.executable, help="an interpreter that has Scrapy")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of docsites.py")
    options = parser.parse_args(arguments)
    names = options.only or [*CLEW, *_others(options.scrapy_python)]
    runs: dict[str, list[Run]] = {name: [] for name in names}
    with DocSites(options.cache) as sites, tempfile.TemporaryDirectory() as scratch:
        bench = Bench(sites, options.scrapy_python, Path(scratch))
        print(f"{len(sites.roots)} sites; crawls of {SHORT_PAGES} and {options.pages} pages, {options.rounds} rounds\n")
        for number in range(options.rounds):
            for name in names:
                runs[name].append(bench.run(name, options.pages))
                print(f"round {number + 1}  {name:24}{_line(runs[name][-1])}", flush=True)
    _report(runs)


def _others(scrapy_python: str) -> list[str]:
    """The other crawlers that are installed."""
    asked = subprocess.run([scrapy_python, "-c", "import scrapy"], capture_output=True)
    has_scrapy = asked.returncode == 0
    found = {"scrapy": has_scrapy, WITH_JOBDIR: has_scrapy, "wget": bool(shutil.which("wget"))}
    for name, there in found.items():
        if not there:
            print(f"{name} is not installed and is left out", file=sys.stderr)
    return [name for name, there in found.items() if there]


def _line(run: Run) -> str:
    crawl = run.long
    return (
        f"{crawl.pages:5} pages  {crawl.kb / crawl.pages:4.0f} KB each  {run.ms_per_page:6.2f} ms/page  "
        f"{run.ms_per_kb:.3f} ms/KB  start {run.start:.2f} s  {crawl.peak_mb:4.0f} MB"
    )


def _report(runs: dict[str, list[Run]]) -> None:
    """Medians, and what share of Scrapy's CPU each needs: the median of the ratios within a round."""
    print("\n| crawler | CPU ms per page | CPU ms per KB | start-up, s | peak, MB | of Scrapy's per page | per KB |")
    print("|---|---|---|---|---|---|---|")
    scrapy = runs.get("scrapy", [])
    for name, rounds in runs.items():
        per_page = _median([run.ms_per_page for run in rounds])
        per_kb = _median([run.ms_per_kb for run in rounds])
        start = _median([run.start for run in rounds])
        peak = max(run.long.peak_mb for run in rounds)
        pairs = list(zip(rounds, scrapy, strict=False))
        by_page = _median([one.ms_per_page / other.ms_per_page for one, other in pairs])
        by_kb = _median([one.ms_per_kb / other.ms_per_kb for one, other in pairs])
        title = f"clew: {name}" if name in CLEW else name
        cells = f"{per_page:.2f} | {per_kb:.3f} | {start:.2f} | {peak:.0f} | {by_page:.2f} | {by_kb:.2f}"
        print(f"| {title} | {cells} |")


def _median(numbers: list[float]) -> float:
    return statistics.median(numbers) if numbers else float("nan")


if __name__ == "__main__":
    main()
