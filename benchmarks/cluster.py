"""What shards cost and bring: harvest and CPU time of 1, 2, 4, … shards beside one process.

    python benchmarks/cluster.py [--tasks N] [--shards 1 2 4 8] [--pages N] [--strategy NAME]

Each task is a labyrinth of its own, crawled over HTTP by one process and by shards in one event loop, in turns and with
the same budget of pages. Prints the ratio of relevant pages and of CPU time a page to those of one process, as the mean
over the tasks with its 95 % interval, and the bytes of mail a page. CPU time counts all shards: on as many free cores,
N shards take 1/N of it. Pages a second are not measured: the server runs on the same machine.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from statistics import mean, stdev
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import clew
from clew.cluster.crawl import LeadCrawl, Watched
from clew.cluster.inside import Inside
from clew.cluster.plan import Plan
from clew.cluster.run import lead_of
from clew.config import configure
from clew.core.stop import stop_rules
from clew.labyrinth import Labyrinth, serving


class Measured(NamedTuple):
    """One crawl."""

    relevant: int
    cpu: float  # seconds a page
    mail: float = 0.0  # bytes a page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=30)
    parser.add_argument("--shards", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--size", type=int, default=3000, help="pages of each labyrinth")
    parser.add_argument("--strategy", default="adaptive")
    args = parser.parse_args()
    rows: dict[int, list[tuple[float, float, float]]] = {count: [] for count in args.shards}
    for task in range(args.tasks):
        for count, row in ratios(task, args).items():
            rows[count].append(row)
        print(f"task {task + 1} of {args.tasks}", flush=True)
    print("shards  tasks  relevant pages      CPU a page          mail a page")
    for count, found in rows.items():
        relevant, cpu, mail = zip(*found, strict=True)
        print(f"{count:>6}  {len(found):>5}  {interval(relevant)}  {interval(cpu)}  {mean(mail):,.0f} B")


def ratios(task: int, args: argparse.Namespace) -> dict[int, tuple[float, float, float]]:
    """By number of shards: relevant pages and CPU time beside one process, and mail a page."""
    labyrinth = Labyrinth(pages=args.size, seed=task + 1)
    topics = sorted(labyrinth.topics)
    topic = topics[task % len(topics)]
    with serving(labyrinth) as web, TemporaryDirectory() as folder:
        settings = {
            **{"interest": topic, "seeds": labyrinth.seeds(topic, 3), "resolve": [web.resolve], "delay": 0},
            **{"allow_private": True, "pages": args.pages, "strategy": args.strategy, "judge": "plain"},
            **{"threshold": 0.3, "patience": 0, "host_pages": 0, "commit_seconds": 0.2},
        }
        alone = one_process(settings, Path(folder) / "one")
        found: dict[int, tuple[float, float, float]] = {}
        for count in args.shards:
            shared = on_shards(settings, Path(folder) / str(count), count)
            found[count] = (shared.relevant / max(1, alone.relevant), shared.cpu / alone.cpu, shared.mail)
    return found


def one_process(settings: dict[str, Any], folder: Path) -> Measured:
    """A crawl without shards."""
    began = time.process_time()
    stats = clew.crawl(folder=str(folder), **settings).stats
    return Measured(stats.relevant, (time.process_time() - began) / stats.visited)


def on_shards(settings: dict[str, Any], folder: Path, shards: int) -> Measured:
    """The same on shards."""
    plan = Plan(configure(folder=str(folder), shards=shards, **settings))
    began = time.process_time()
    crawl = asyncio.run(lead(plan))
    stats = crawl.lead.stats()
    mail = sum(report.mail_bytes for report in crawl.lead.reports.values())
    return Measured(stats.relevant, (time.process_time() - began) / stats.visited, mail / stats.visited)


async def lead(plan: Plan) -> LeadCrawl:
    """Run a crawl on shards in this loop."""
    team = Inside(plan)
    crawl = LeadCrawl(team, lead_of(plan), Watched(rules=stop_rules(plan.config.until)))
    await crawl.main()
    await team.close()
    return crawl


def interval(values: tuple[float, ...]) -> str:
    """The mean and its 95 % interval."""
    half = 1.96 * stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("nan")
    return f"{mean(values):.2f} ({mean(values) - half:.2f} to {mean(values) + half:.2f})"


if __name__ == "__main__":
    main()
