"""Crawls a whole labyrinth over HTTP with shards that are killed at random moments, and looks whether all is right.

    python benchmarks/cluster_soak.py              # some 50,000 visits, 4 shards, 10 kills
    python benchmarks/cluster_soak.py --quick      # some 3,000 visits, 3 kills

The shards are Ray actors, and each kill is a SIGKILL of a process. Prints after each 5,000 visits the memory of
every shard; for each kill the seconds until the shard runs again and until its first new visit. Exits with 1 if a page
that can be reached was not visited, or twice, if mail is left, or if a shard did not come back.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from memory import resident_mb

from clew.cluster.crawl import LeadCrawl, Watched
from clew.cluster.on_ray import RayTeam, ray_team
from clew.cluster.plan import Plan
from clew.cluster.report import Report
from clew.cluster.run import lead_of
from clew.config import configure
from clew.core.stop import stop_rules
from clew.labyrinth import Labyrinth, serving
from clew.store import Records
from clew.store.mailbox import Mailbox
from clew.store.whole import shard_folders
from clew.types import Stats

TOPIC: Final = "sailing"
PRINT_VISITS: Final = 5000  # between two lines about memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=34_000, help="of the labyrinth")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--strategy", default="shark")
    parser.add_argument("--seed", type=int, default=1, help="of the moments at which shards are killed")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.quick:
        options.pages, options.kills = 2000, 3
    print(f"{options.pages:,} pages, {options.shards} shards, {options.kills} kills, seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        faults = soak(options, Path(scratch) / "crawl")
    for fault in faults:
        print(f"FAULT: {fault}")
    print("" if faults else "no fault")
    sys.exit(bool(faults))


def soak(options: argparse.Namespace, folder: Path) -> list[str]:
    """One crawl with kills; what is wrong."""
    labyrinth = Labyrinth(pages=options.pages, seed=options.seed)
    seeds = labyrinth.seeds(TOPIC, 5)
    with serving(labyrinth) as web:
        settings: dict[str, Any] = {
            **{"interest": TOPIC, "seeds": seeds, "resolve": [web.resolve], "delay": 0},
            **{"allow_private": True, "judge": "plain", "threshold": 0.3, "patience": 0, "host_pages": 0},
            **{"strategy": options.strategy, "pages": None, "main_text": False, "soft_404": False, "traps": False},
            **{"boilerplate": "keep", "duplicates": "keep"},
        }
        plan = Plan(configure(folder=str(folder), shards=options.shards, **settings))
        began = time.monotonic()
        diary = asyncio.run(crawl(plan, options))
    took = time.monotonic() - began
    print(f"{diary.crawl.reason}; {took:,.0f} s, {diary.crawl.lead.restarts} restarts")
    diary.print_kills()
    return checked(folder, reachable(labyrinth, seeds), diary, options.kills)


@dataclass
class Killed:
    """A kill, and when the shard was seen again."""

    shard: int
    at: float
    visited: int  # what the shard had made, as far as was known
    life: str
    runs_at: float = 0.0
    visits_at: float = 0.0
    back: int = 0  # visits that it had when it ran again


@dataclass
class Diary:
    """What happens during the crawl."""

    crawl: LeadCrawl
    team: RayTeam
    kills: list[Killed] = field(default_factory=list)
    printed: int = 0

    def see(self, reports: Sequence[Report]) -> None:
        """Look at the shards that were killed; called about ten times a second."""
        now = time.monotonic()
        for killed in self.kills:
            report = reports[killed.shard]
            if killed.visits_at or report.life == killed.life or not report.is_running:
                continue
            if not killed.runs_at:
                killed.runs_at, killed.back = now, report.stats.visited
            elif report.stats.visited > killed.back:
                killed.visits_at = now

    async def print_memory(self, stats: Stats) -> None:
        """The memory of each shard, now and then."""
        if stats.visited < (self.printed + 1) * PRINT_VISITS:
            return
        self.printed = stats.visited // PRINT_VISITS
        shards = range(self.crawl.lead.shards)
        pids = [await self.team.process(shard) for shard in shards]
        memory = "  ".join(f"{resident_mb(pid):4.0f}" if pid else " ---" for pid in pids)
        print(f"{stats.visited:>7,} visits, {stats.waiting:>9,} waiting   MB by shard {memory}", flush=True)

    def print_kills(self) -> None:
        """How long each took."""
        for killed in self.kills:
            runs, visits = killed.runs_at - killed.at, killed.visits_at - killed.at
            lost = killed.visited - killed.back
            print(
                f"shard {killed.shard} killed after {killed.visited:,} visits: "
                + (f"runs again after {runs:.1f} s with {lost} visits fewer" if killed.runs_at else "not seen again")
                + (f", first new visit after {visits:.1f} s" if killed.visits_at else "")
            )


async def crawl(plan: Plan, options: argparse.Namespace) -> Diary:
    """Crawl on Ray and kill shards."""
    plan.folder.joinpath("shards").mkdir(parents=True)
    with ray_team(plan) as team:
        watched = Watched(rules=stop_rules(plan.config.until))
        diary = Diary(LeadCrawl(team, lead_of(plan), watched), team)
        watched.watch_shards = diary.see
        killer = asyncio.create_task(kill(diary, options))
        watcher = asyncio.create_task(watch(diary))
        try:
            await diary.crawl.main()
        finally:
            killer.cancel()
            watcher.cancel()
        return diary


async def watch(diary: Diary) -> None:
    """Print the memory as the crawl goes on."""
    while True:
        await asyncio.sleep(0.5)
        if len(diary.crawl.lead.reports) == diary.crawl.lead.shards:
            await diary.print_memory(diary.crawl.lead.stats())


async def kill(diary: Diary, options: argparse.Namespace) -> None:
    """Kill at random places of the crawl, and there at a random moment: in the middle of a commit, too."""
    chance = Random(options.seed)
    lead = diary.crawl.lead
    for place in sorted(chance.sample(range(options.pages // 20, options.pages), options.kills)):
        while not is_running(lead.reports, lead.shards) or lead.stats().visited < place:
            await asyncio.sleep(0.1)
        await asyncio.sleep(chance.uniform(0.0, 1.0))
        shard = chance.randrange(lead.shards)
        while not (pid := await diary.team.process(shard)):
            # It is coming back from the kill before.
            await asyncio.sleep(0.1)
        report = lead.reports[shard]
        os.kill(pid, signal.SIGKILL)
        diary.kills.append(Killed(shard, time.monotonic(), report.stats.visited, report.life))


def reachable(labyrinth: Labyrinth, seeds: Sequence[str]) -> set[str]:
    """The pages to which links lead from the start pages, but for those that robots.txt forbids."""
    ways = [number for url in seeds if (number := labyrinth.number(url)) is not None]
    known = set(ways)
    while ways:
        for number in labyrinth.links(ways.pop()):
            if number not in known and not labyrinth.forbidden(labyrinth.url(number)):
                known.add(number)
                ways.append(number)
    return {labyrinth.url(number) for number in known}


def is_running(reports: Mapping[int, Report], shards: int) -> bool:
    """Whether all shards run: a kill before that would find nothing to lose."""
    return len(reports) == shards and all(report.is_running for report in reports.values())


def checked(folder: Path, wanted: set[str], diary: Diary, kills: int) -> list[str]:
    """What the folders say of the crawl."""
    urls: Counter[str] = Counter()
    waiting = 0
    for path in shard_folders(folder):
        with Records(path) as records:
            urls.update(record.url for record in records.pages())
            waiting += Mailbox(records.store.db).waiting()
    twice = [url for url, count in urls.items() if count > 1]
    missing = sorted(wanted - urls.keys())
    print(f"{len(urls):,} URLs visited, {len(twice)} of them twice; of the {len(wanted):,} pages that can be reached")
    print(f"{len(missing)} were not visited; {waiting} pieces of mail are left")
    faults = [f"{len(twice)} URLs have two records, {twice[0]} among them"] if twice else []
    if missing:
        faults.append(f"{len(missing)} pages were not visited, {missing[0]} among them")
    if waiting:
        faults.append(f"{waiting} pieces of mail are left in outboxes")
    back = sum(bool(killed.runs_at) for killed in diary.kills)
    if back < kills:
        faults.append(f"{len(diary.kills)} shards were killed and {back} came back instead of {kills}")
    return faults


if __name__ == "__main__":
    main()
