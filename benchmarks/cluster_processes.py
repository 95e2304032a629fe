"""The CPU time of shards as they really run: as processes of Ray, over HTTP, beside one process.

    python benchmarks/cluster_processes.py [--quick] [--shards 1 2 4] [--visits N] [--pairs N] [--strategy NAME]

Each pair crawls a labyrinth of its own with one process, then with each number of shards, without delay. Printed is
user and system time in milliseconds a visit, the median over the pairs: of all shards together, of the busiest one, and
of the lead. What is left out is what comes once: starting Ray and Python, and imports. The last line is the memory of
Ray's own processes.

`at most` is what follows for free cores: one process is through with its visits when it has had its CPU time, shards
not before the busiest of them has had its own. So many times as many pages a second can N shards make on N free
cores if neither hosts nor the line keep them waiting; the lead and Ray need a part of another core. It is no measured
speed: pages a second are not measured, for the server runs on the same machine.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import clew
from clew.cluster.crawl import LeadCrawl, Watched
from clew.cluster.on_ray import RayTeam, ray_team
from clew.cluster.plan import Plan
from clew.cluster.run import lead_of
from clew.config import configure
from clew.core.stop import stop_rules
from clew.labyrinth import Labyrinth, serving

TICKS: Final = os.sysconf("SC_CLK_TCK")  # of the system's clock, in a second
EQUAL: Final[dict[str, Any]] = {
    **{"delay": 0, "patience": 0, "host_pages": 0, "judge": "plain", "threshold": 0.3, "allow_private": True},
    **{"pages": None, "report": False},
}


class Cost(NamedTuple):
    """CPU time of one crawl, in milliseconds a visit."""

    shards: float  # all together
    busiest: float
    lead: float = 0.0
    ray_mb: float = 0.0  # memory of Ray's own processes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--visits", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--size", type=int, default=5000, help="pages of each labyrinth")
    parser.add_argument("--strategy", default="adaptive")
    parser.add_argument("--quick", action="store_true", help="one pair of 150 visits")
    args = parser.parse_args()
    if args.quick:
        args.visits, args.pairs = 150, 1
    costs: dict[int, list[Cost]] = defaultdict(list)
    for pair in range(args.pairs):
        for count, cost in measured(args, pair).items():
            costs[count].append(cost)
            line = f"{cost.shards:.1f} ms a visit, busiest {cost.busiest:.1f}"
            print(f"pair {pair + 1}, {name_of(count)}: {line}", flush=True)
    print_table(costs)


def name_of(shards: int) -> str:
    """Zero shards are one process without Ray."""
    return f"{shards} on Ray" if shards else "one process"


def measured(args: argparse.Namespace, pair: int) -> dict[int, Cost]:
    """One crawl of each kind."""
    labyrinth = Labyrinth(pages=args.size, seed=pair + 1)
    topic = sorted(labyrinth.topics)[pair % len(labyrinth.topics)]
    with serving(labyrinth) as web, TemporaryDirectory() as folder:
        settings = {"interest": topic, "seeds": labyrinth.seeds(topic, 5), "resolve": [web.resolve], **EQUAL}
        settings |= {"visits": args.visits, "strategy": args.strategy}
        # A process of its own, as each shard has one.
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            found = {0: pool.submit(one_process, settings | {"folder": f"{folder}/0"}).result()}
        for count in args.shards:
            plan = Plan(configure(folder=f"{folder}/{count}", shards=count, **settings))
            found[count] = asyncio.run(on_ray(plan))
    return found


def one_process(settings: dict[str, Any]) -> Cost:
    """A crawl without shards."""
    began = time.process_time()
    visits = clew.crawl(**settings).stats.visited
    cost = 1000 * (time.process_time() - began) / visits
    return Cost(cost, cost)


async def on_ray(plan: Plan) -> Cost:
    """The same on shards."""
    plan.folder.joinpath("shards").mkdir(parents=True)
    with ray_team(plan) as team:
        processes = [await process_of(team, shard) for shard in range(plan.shards)]
        before, lead_before = [cpu_seconds(process) for process in processes], time.process_time()
        crawl = LeadCrawl(team, lead_of(plan), Watched(rules=stop_rules(plan.config.until)))
        await crawl.main()
        lead = time.process_time() - lead_before
        ray_mb = memory_of_ray(processes)
        spent = [cpu_seconds(process) - used for process, used in zip(processes, before, strict=True)]
    visits = crawl.lead.stats().visited
    return Cost(*(1000 * seconds / visits for seconds in (sum(spent), max(spent), lead)), ray_mb)


async def process_of(team: RayTeam, shard: int) -> int:
    """The process of a shard, once it has started."""
    while not (process := await team.process(shard)):
        await asyncio.sleep(0.1)
    return process


def cpu_seconds(process: int) -> float:
    """User and system time of a process, so far."""
    # The name of the program is in parentheses, and may have spaces.
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_of_ray(shards: Sequence[int]) -> float:
    """What all processes that Ray has started take, but for shards, in MB; shared memory is shared out."""
    parents = {int(path.name): parent_of(path) for path in Path("/proc").iterdir() if path.name.isdecimal()}
    family = {os.getpid()}
    while grown := {process for process, parent in parents.items() if parent in family} - family:
        family |= grown
    return sum(pss_mb(process) for process in family - {os.getpid(), *shards} if is_of_ray(process))


def parent_of(path: Path) -> int:
    """The process that has started a process; 0 if it is gone."""
    with suppress(OSError):
        return int((path / "stat").read_text().rpartition(")")[2].split()[1])
    return 0


def is_of_ray(process: int) -> bool:
    """Whether a process is one of Ray's."""
    with suppress(OSError):
        command = Path(f"/proc/{process}/cmdline").read_text()
        return "ray::" in command or "/ray/" in command
    return False


def pss_mb(process: int) -> float:
    """The memory of a process, with its part of what it shares."""
    with suppress(OSError):
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        return sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) / 1024
    return 0.0


def print_table(costs: dict[int, list[Cost]]) -> None:
    """Medians, and what they mean."""
    alone = median([cost.shards for cost in costs[0]])
    print("\n             CPU in ms a visit          beside one process")
    print("shards         all   busiest    lead        all   at most")
    for count, found in costs.items():
        every, busiest, lead, _ = (median(values) for values in zip(*found, strict=True))
        print(
            f"{name_of(count):<11}  {every:>5.1f}  {busiest:>8.1f}  {lead:>6.1f}  {every / alone:>9.2f}  "
            f"{alone / busiest:>8.1f}"
        )
    used = [cost.ray_mb for found in costs.values() for cost in found if cost.ray_mb]
    print(f"memory of Ray's own processes: {median(used):,.0f} MB")


if __name__ == "__main__":
    main()
