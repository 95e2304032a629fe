"""Crawls the hostile labyrinth over real HTTP and checks the results from outside.

There are three crawls: a long one, one until nothing is left, and one that is killed again and again. The address guard
is on; only the address of the labyrinth counts as public. Prints the memory use every 1,000 visits, what each kind of
hostile host achieved, and every fault; exits with 1 if there is one.
"""

from __future__ import annotations

import argparse
import logging
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from memory import peak_mb
from soak_checks import Kill, archived, committed, denied, impolite, lost, outcomes, repeated, stateless, unspent

import clew
from clew.config import SETTINGS
from clew.core.standstill import SPENT
from clew.core.stop import EXHAUSTED
from clew.fetch import guard, politeness, robots
from clew.labyrinth import Hostile, serving
from clew.labyrinth.server import HERE
from clew.labyrinth.witness import seen
from clew.store import Records
from clew.types import Stats

DELAY = 0.02
PARALLEL = 16
MAX_MEMORY_MB = 600
REPORT_EVERY_VISITS = 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=20_000, help="visits of the long crawl")
    parser.add_argument(
        "--dry", type=int, default=1000, help="pages of the web that is crawled until nothing is left; 0: no such crawl"
    )
    parser.add_argument("--kills", type=int, default=50, help="how often the third crawl is killed; 0: no such crawl")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strategy", default="shark")
    parser.add_argument("--keep", help="folder for the crawls and the server's log")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(options.keep or scratch)
        place.mkdir(parents=True, exist_ok=True)
        faults = steady(options, place, options.pages) if options.pages else []
        faults += steady(options, place) if options.dry else []
        faults += killed(options, place) if options.kills else []
    print("" if faults else "\nno fault")
    for fault in faults:
        print(f"FAULT: {fault}")
    sys.exit(bool(faults))


def web_of(pages: int, seed: int) -> Hostile:
    return Hostile(pages=max(1000, pages * 3 // 2), seed=seed, kilobytes=6.0, crawl_delay=0.05)


def settings(web: Hostile, pages: int | None, strategy: str) -> dict[str, Any]:
    """Fast, but otherwise as polite and careful as by default; all hosts share one address, so that has no limit."""
    # One hostile host of each kind from the start.
    villains = [f"http://{host}/" for host in web.villains[:: web.each]]
    wanted = {
        "seeds": [*web.seeds(web.topics[0], 5), *villains],
        "pages": None,
        "visits": pages,
        "strategy": strategy,
        "delay": DELAY,
        "parallel": PARALLEL,
        "timeout": 2.0,
        "max_bytes": 1_000_000,
        "per_address": 0,
        "commit_seconds": 0.3,
        "checkpoint_seconds": 3.0,
    }
    return {name: value for name, value in wanted.items() if name in SETTINGS}


def steady(options: argparse.Namespace, place: Path, pages: int | None = None) -> list[str]:
    """One crawl without interruption: `pages` visits, or until nothing is left."""
    name = "steady" if pages else "dry"
    web = web_of(pages or options.dry * 2 // 3, options.seed)
    log = place / f"{name}.tsv"
    folder = place / name
    length = f"{pages:,} visits" if pages else "until nothing is left"
    print(f"{length}, {len(web.hosts)} honest hosts, {len(web.villains)} hostile ones", flush=True)
    let_in(HERE)
    hurry()
    escaped = listen()
    meter = Meter()
    began = time.monotonic()
    with serving(web, witness=log) as server:
        chosen = settings(web, pages, options.strategy)
        result = clew.crawl(web.topics[0], resolve=server.addresses, folder=str(folder), watch=meter, **chosen)
    took = time.monotonic() - began
    hosts = seen(log)
    requests = sum(map(len, hosts.values()))
    print(f"{result.reason}; {requests:,} requests in {took:.0f} s, peak {peak_mb():.0f} MB")
    outcomes(web, hosts, folder)
    faults = [f"an exception escaped: {line}" for line in escaped]
    if peak_mb() > MAX_MEMORY_MB:
        faults.append(f"{peak_mb():.0f} MB of memory, more than {MAX_MEMORY_MB}")
    faults += [*right_end(folder, pages), *impolite(web, hosts, DELAY), *denied(web, hosts)]
    return [*faults, *stateless(folder), *archived(folder)]


def right_end(folder: Path, pages: int | None) -> list[str]:
    """Whether the crawl stopped for the right reason: all visits were made, or no host may be asked any more."""
    with Records(folder) as records:
        reason = records.reason
        stats = records.stats()
    if pages:
        return [] if reason == f"made {pages:,} visits" else [f"after {stats.visited:,} visits it stopped: {reason}"]
    right = SPENT if stats.waiting else EXHAUSTED
    return unspent(folder) if reason == right else [f"with {stats.waiting:,} candidates left it stopped: {reason}"]


def killed(options: argparse.Namespace, place: Path) -> list[str]:
    """A crawl that is killed at random moments and resumed each time."""
    pages = 160 * options.kills
    web = web_of(pages, options.seed + 1)
    log = place / "killed.tsv"
    folder = place / "killed"
    chance = random.Random(options.seed)
    moments = sorted(chance.sample(range(5, int(pages * 0.9)), options.kills))
    kills: list[Kill] = []
    with serving(web, witness=log) as server:
        process = start(
            "crawl", web.topics[0], *flags(settings(web, pages, options.strategy), server.addresses, folder)
        )
        for moment in moments:
            if not wait_for(moment, folder, process):
                break
            # The kill may come between two commits, during one, or during a checkpoint.
            time.sleep(chance.uniform(0, 0.2))
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills.append(Kill(time.monotonic(), committed(folder)))
            process = start("resume", str(folder), "--quiet")
        ended = process.wait(600)
    hosts = seen(log)
    rows = committed(folder)
    print(f"killed {len(kills)} times, {len(rows):,} visits committed", flush=True)
    faults = [] if ended == 0 else [f"the last run ended with {ended}"]
    if len(kills) < options.kills:
        faults.append(f"killed only {len(kills)} times: a run ended by itself with {ended}")
    faults += [*right_end(folder, pages), *lost(kills, rows), *repeated(kills, hosts)]
    return [*faults, *stateless(folder), *archived(folder), *impolite(web, hosts, DELAY)]


def flags(chosen: dict[str, Any], addresses: tuple[str, ...], folder: Path) -> list[str]:
    words = ["--allow-private", "--quiet", "--folder", str(folder), "--resolve", *addresses]
    for name, value in chosen.items():
        words += [f"--{name.replace('_', '-')}", *(value if isinstance(value, list) else [str(value)])]
    return words


def start(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "clew", *arguments])


def wait_for(visits: int, folder: Path, process: subprocess.Popen[bytes]) -> bool:
    """Wait until so many visits are committed; False if the crawl ends before."""
    while process.poll() is None:
        if len(committed(folder)) >= visits:
            return True
        time.sleep(0.03)
    return False


def let_in(address: str) -> None:
    """Make the guard treat one address as public, so that it can stay on."""
    is_global = guard.is_global
    guard.is_global = lambda other: str(other) == address or is_global(other)


def hurry() -> None:
    """Shorten waiting times for which there is no setting, because the delay is shorter than usual."""
    robots.RETRY_SECONDS = 2.0
    politeness.MAX_BACKOFF_SECONDS = 2.0


def listen() -> list[str]:
    """Collects the errors of tasks that nobody awaited, and exceptions that could not be raised."""
    errors: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            errors.append(record.getMessage())

    logging.getLogger("asyncio").addHandler(Collector(logging.ERROR))
    sys.unraisablehook = lambda unraisable: errors.append(str(unraisable.exc_value))
    return errors


class Meter:
    """Prints a line at every 1,000 visits."""

    def __init__(self) -> None:
        self.next = REPORT_EVERY_VISITS
        self.began = time.monotonic()

    def __call__(self, stats: Stats) -> None:
        if stats.visited >= self.next:
            self.next += REPORT_EVERY_VISITS
            took = time.monotonic() - self.began
            print(
                f"{stats.visited:7,} visits {took:6.0f} s {now_mb():5.0f} MB  {stats.waiting:9,} waiting"
                f"{stats.failed:7,} failed {stats.refused:6,} refused {stats.hosts:6,} hosts",
                flush=True,
            )


def now_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


if __name__ == "__main__":
    main()
