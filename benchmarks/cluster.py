"""What shards bring and cost: harvest, and CPU time a page, of 1, 2, 4, … shards beside one process.

    python benchmarks/cluster.py harvest [--quick] [--shards 1 2 4 8] [--apart 4] [--visits N] [--hurried] [--keep FILE]
    python benchmarks/cluster.py cost [--quick] [--shards 1 2 4] [--pairs N] [--strategy NAME]

`harvest` simulates crawls of labyrinths and of recorded webs, guided by the truth (see cluster_simulation.py). It
prints the relevant pages of shards as a share of those of one process at the same number of visits, as the mean over
the tasks with its 95 % interval, and how long the crawls took on the virtual clock; with lessons and without. With
`--hurried`, there is neither delay nor patience; with `--patience`, another one. With `--keep`, finished tasks are
written to a file, and another run with the same settings goes on behind them.

`cost` crawls labyrinths over HTTP, by one process and by shards in one event loop, in turns. It prints the ratio of
CPU time a page to that of one process, the median over the pairs with the middle half of them, and the bytes of mail a
page. CPU time counts all shards: on as many free cores, N shards take 1/N of it. Pages a second are not measured: the
server runs on the same machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from itertools import zip_longest
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median, quantiles, stdev
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import cluster_simulation as simulation

import clew
from clew.cluster.crawl import LeadCrawl, Watched
from clew.cluster.inside import Inside
from clew.cluster.plan import Plan
from clew.cluster.run import lead_of
from clew.config import configure
from clew.core.stop import stop_rules
from clew.lab.trial_result import Trial
from clew.labyrinth import Labyrinth, serving

HURRIED: Final[dict[str, Any]] = {"delay": 0, "patience": 0}
COUNTS: Final = [1, 2, 4, 8]  # of shards, for the harvest


class Shares(NamedTuple):
    """A simulated crawl on shards beside that of one process."""

    relevant: float  # pages
    seconds: float  # on the virtual clock
    mail: float  # bytes a visit, as they are


class Measured(NamedTuple):
    """One crawl over HTTP."""

    cpu: float  # seconds a page
    mail: float = 0.0  # bytes a page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["harvest", "cost"])
    parser.add_argument("--quick", action="store_true", help="three tasks, or two pairs")
    parser.add_argument("--shards", type=int, nargs="+")
    parser.add_argument("--visits", type=int, default=300)
    parser.add_argument("--apart", type=int, nargs="*", default=[4], help="shards that are measured unshared, too")
    parser.add_argument("--hurried", action="store_true", help="without delay and patience; else both are as usual")
    parser.add_argument("--jobs", type=int, default=1, help="tasks at the same time, for the harvest")
    parser.add_argument("--patience", type=float, help="another one than usual, for the harvest")
    parser.add_argument("--webs", nargs="+", help="only these kinds of web, for the harvest: labyrinth, webkb, …")
    parser.add_argument("--keep", type=Path, help="a file with the tasks that are done, which are not done again")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--size", type=int, default=3000, help="pages of each labyrinth that is crawled over HTTP")
    parser.add_argument("--strategy", default="adaptive", help="for the cost")
    args = parser.parse_args()
    harvest(args) if args.what == "harvest" else cost(args)


Rows = dict[tuple[int, bool], Shares]
"""By the number of shards, and whether they share lessons."""


def harvest(args: argparse.Namespace) -> None:
    """Relevant pages beside one process."""
    trials = mixed(simulation.tasks(args.visits))
    trials = [trial for trial in trials if not args.webs or kind_of(trial) in args.webs]
    chosen = trials[:: len(trials) // 3 + 1] if args.quick else trials
    done = kept(args)
    for number, trial in enumerate(chosen, 1):
        if name_of(args, trial) in done:
            print(f"{number:>2} {trial.world} {trial.topic}: done before")
    left = [trial for trial in chosen if name_of(args, trial) not in done]
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
        for trial, (line, rows) in zip(left, pool.map(partial(compared, args), left), strict=True):
            done[name_of(args, trial)] = rows
            print(f"{len(done):>2} {line}", flush=True)
            keep(args, trial, rows)
            if len(done) % 10 == 0:
                print_harvest(args, chosen, done)
    print_harvest(args, chosen, done)


def mixed(trials: Sequence[Trial]) -> list[Trial]:
    """The first tasks of all webs, then the second ones, and so on: so that a table halfway speaks of all webs."""
    turns: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        turns[trial.world].append(trial)
    return [trial for turn in zip_longest(*turns.values()) for trial in turn if trial]


def kind_of(trial: Trial) -> str:
    """The kind of its web."""
    return trial.world.partition(":")[0]


def name_of(args: argparse.Namespace, trial: Trial) -> str:
    """A task and all that its figures depend on."""
    settings = [trial.budget, args.shards or COUNTS, args.apart, settings_of(args)]
    return json.dumps([trial.world, trial.topic, *settings])


def settings_of(args: argparse.Namespace) -> dict[str, Any]:
    """What differs from the usual settings."""
    if args.hurried:
        return HURRIED
    return {} if args.patience is None else {"patience": args.patience}


def kept(args: argparse.Namespace) -> dict[str, Rows]:
    """The tasks that are done."""
    lines = args.keep.read_text().splitlines() if args.keep and args.keep.exists() else []
    return {
        name: {(count, shared): Shares(*found) for count, shared, found in rows}
        for name, rows in map(json.loads, lines)
    }


def keep(args: argparse.Namespace, trial: Trial, rows: Rows) -> None:
    """Write down a task that is done."""
    if args.keep:
        with args.keep.open("a") as file:
            print(json.dumps([name_of(args, trial), [[*way, found] for way, found in rows.items()]]), file=file)


def compared(args: argparse.Namespace, trial: Trial) -> tuple[str, Rows]:
    """One task: what was found, in words and as shares."""
    settings = settings_of(args)
    rows: Rows = {}
    base = simulation.alone(trial, settings)
    parts = [f"{base.relevant} in {base.seconds:.0f} s"]
    for count in args.shards or COUNTS:
        for shared in (True, False) if count in args.apart else (True,):
            with nullcontext() if shared else simulation.without_lessons():
                found = simulation.on_shards(trial, settings, count)
            relevant = found.relevant / max(1, base.relevant)
            rows[count, shared] = Shares(relevant, found.seconds / base.seconds, found.mail)
            parts.append(f"{count} {'shards' if shared else 'apart'} {found.relevant} in {found.seconds:.0f} s")
    return f"{trial.world} {trial.topic}: {'; '.join(parts)}", rows


def print_harvest(args: argparse.Namespace, trials: Sequence[Trial], done: Mapping[str, Rows]) -> None:
    """The means so far: of all tasks, and of each kind of web."""
    kinds: dict[str, list[Rows]] = defaultdict(list)
    for trial in trials:
        if rows := done.get(name_of(args, trial)):
            kinds["all"].append(rows)
            kinds[kind_of(trial)].append(rows)
    print("\nweb               shards  lessons  tasks  relevant pages       worst  time                 mail a visit")
    for kind, tasks in kinds.items():
        for way in tasks[0]:
            found = [rows[way] for rows in tasks]
            relevant, times, mail = zip(*found, strict=True)
            count, shared = way
            print(
                f"{kind:<16}  {count:>6}  {'shared' if shared else 'none':<7}  {len(found):>5}  {interval(relevant)}  "
                f"{min(relevant):>5.2f}  {interval(times)}  {mean(mail):>10,.0f} B",
                flush=True,
            )
    print(flush=True)


def cost(args: argparse.Namespace) -> None:
    """CPU time beside one process, in turns."""
    counts = args.shards or [1, 2, 4]
    rows: dict[int, list[Measured]] = defaultdict(list)
    alone: list[float] = []
    for pair in range(2 if args.quick else args.pairs):
        labyrinth = Labyrinth(pages=args.size, seed=pair + 1)
        topic = sorted(labyrinth.topics)[pair % len(labyrinth.topics)]
        with serving(labyrinth) as web, TemporaryDirectory() as folder:
            settings = {
                **{"interest": topic, "seeds": labyrinth.seeds(topic, 3), "resolve": [web.resolve], "delay": 0},
                **{"allow_private": True, "pages": args.visits, "strategy": args.strategy, "judge": "plain"},
                **{"threshold": 0.3, "patience": 0, "host_pages": 0},
                **{"parallel": simulation.IN_FLIGHT},
            }
            base = one_process(settings, Path(folder) / "one")
            alone.append(base.cpu)
            for count in counts:
                shared = on_shards(settings, Path(folder) / str(count), count)
                rows[count].append(Measured(shared.cpu / base.cpu, shared.mail))
        print(f"pair {pair + 1}: {1000 * base.cpu:.1f} ms a page, times", *(f"{r[-1].cpu:.2f}" for r in rows.values()))
    print(f"\none process: {1000 * median(alone):.1f} ms a page\nshards  pairs  CPU a page           mail a page")
    for count, found in rows.items():
        mail = mean(each.mail for each in found)
        print(f"{count:>6}  {len(found):>5}  {middle([each.cpu for each in found])}  {mail:>9,.0f} B")


def one_process(settings: dict[str, Any], folder: Path) -> Measured:
    """A crawl without shards."""
    began = time.process_time()
    stats = clew.crawl(folder=str(folder), **settings).stats
    return Measured((time.process_time() - began) / stats.visited)


def on_shards(settings: dict[str, Any], folder: Path, shards: int) -> Measured:
    """The same on shards."""
    plan = Plan(configure(folder=str(folder), shards=shards, **settings))
    began = time.process_time()
    crawl = asyncio.run(lead(plan))
    stats = crawl.lead.stats()
    mail = sum(report.mail_bytes for report in crawl.lead.reports.values())
    return Measured((time.process_time() - began) / stats.visited, mail / stats.visited)


async def lead(plan: Plan) -> LeadCrawl:
    """Run a crawl on shards in this loop."""
    team = Inside(plan)
    crawl = LeadCrawl(team, lead_of(plan), Watched(rules=stop_rules(plan.config.until)))
    await crawl.main()
    await team.close()
    return crawl


def interval(values: Sequence[float]) -> str:
    """The mean and its 95 % interval."""
    half = 1.96 * stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("nan")
    return f"{mean(values):.2f} ({mean(values) - half:.2f} to {mean(values) + half:.2f})"


def middle(values: Sequence[float]) -> str:
    """The median and the quartiles around it."""
    low, _, high = quantiles(values, n=4)
    return f"{median(values):.2f} ({low:.2f} to {high:.2f})"


if __name__ == "__main__":
    main()
