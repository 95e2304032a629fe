"""Whether shards must agree on the cut of the learning judge: their verdicts beside the truth, and beside one cut.

    python benchmarks/cluster_judge.py [--tasks N] [--shards N] [--pages N]

Each task is a labyrinth of its own, crawled over HTTP by one process and by shards in one event loop, with the judge
that learns. Each shard learns a model and a cut from its own pages. Prints, for the pages that a crawl has fetched,
precision, recall and F1 of its verdicts: of one process, of the shards, and of the shards if all of them had one cut,
chosen for their chances together as each of them chooses its own. The last line says how far apart their cuts were.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean, stdev
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

import clew
from clew import config as settings_of
from clew.cluster.crawl import LeadCrawl, Watched
from clew.cluster.inside import Inside
from clew.cluster.plan import Plan
from clew.cluster.run import lead_of
from clew.config import configure
from clew.core.stop import stop_rules
from clew.interests.crawl_model import MAX_CUT, MIN_CUT
from clew.labyrinth import Labyrinth, serving
from clew.learning.two_groups import best_cut
from clew.store import Records


class Judged(NamedTuple):
    """A fetched page."""

    chance: float  # that it is relevant, by the word of the judge
    counts: bool
    is_relevant: bool


class Quality(NamedTuple):
    """Verdicts beside the truth."""

    precision: float
    recall: float
    f1: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=12)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--size", type=int, default=3000, help="pages of each labyrinth")
    args = parser.parse_args()
    rows: dict[str, list[Quality]] = {"one process": [], f"{args.shards} shards": [], "with one cut": []}
    spreads: list[float] = []
    for task in range(args.tasks):
        found, cuts = measured(task, args)
        for name, quality in zip(rows, found, strict=True):
            rows[name].append(quality)
        spreads.append(max(cuts) - min(cuts))
        print(f"task {task + 1} of {args.tasks}", flush=True)
    print("                 precision  recall     F1      F1 beside one process")
    for name, qualities in rows.items():
        ratios = [each.f1 / one.f1 for each, one in zip(qualities, rows["one process"], strict=True)]
        numbers = [mean(values) for values in zip(*qualities, strict=True)]
        print(f"{name:15}  {numbers[0]:9.3f}  {numbers[1]:6.3f}  {numbers[2]:5.3f}  {interval(ratios)}")
    print(f"highest minus lowest cut of a crawl: {mean(spreads):.2f} in the mean, {max(spreads):.2f} at most")


def measured(task: int, args: argparse.Namespace) -> tuple[list[Quality], list[float]]:
    """The quality in the three cases, and the cuts of the shards."""
    labyrinth = Labyrinth(pages=args.size, seed=task + 1)
    topic = sorted(labyrinth.topics)[task % len(labyrinth.topics)]
    with serving(labyrinth) as web, TemporaryDirectory() as folder:
        settings = {
            **{"interest": topic, "seeds": labyrinth.seeds(topic, 3), "resolve": [web.resolve], "delay": 0.02},
            **{"allow_private": True, "pages": args.pages, "judge": "learning", "commit_seconds": 0.2},
        }
        one, shards = Path(folder) / "one", Path(folder) / "shards"
        clew.crawl(folder=str(one), **settings)
        on_shards(settings, shards, args.shards)
        alone, shared = pages(one, labyrinth, topic), pages(shards, labyrinth, topic)
        with Records(shards) as records:
            cuts = [float(shard.store.get("cut") or 0.5) for shard in records.shards()]
    common = best_cut(np.array([page.chance for page in shared]), MIN_CUT, MAX_CUT)
    with_one_cut = [page._replace(counts=page.chance >= common) for page in shared]
    return [quality_of(each) for each in (alone, shared, with_one_cut)], cuts


def on_shards(settings: dict[str, Any], folder: Path, shards: int) -> None:
    """A crawl on shards in one event loop."""
    config = configure(folder=str(folder), shards=shards, **settings)
    folder.mkdir()
    settings_of.write(config, folder / "crawl.toml")
    asyncio.run(lead(Plan(config)))


async def lead(plan: Plan) -> None:
    """Run it to its end."""
    team = Inside(plan)
    await LeadCrawl(team, lead_of(plan), Watched(rules=stop_rules(plan.config.until))).main()
    await team.close()


def pages(folder: Path, labyrinth: Labyrinth, topic: str) -> list[Judged]:
    """The fetched pages of a crawl, with what is true of them."""
    is_relevant = labyrinth.relevant(topic)
    found: list[Judged] = []
    with Records(folder) as records:
        for shard in records.shards():
            urls = shard.store.db.execute("SELECT url FROM pages WHERE state = 'fetched'").fetchall()
            for (url,), (chance, counts) in zip(urls, shard.chances(), strict=True):
                number = labyrinth.number(url)
                found.append(Judged(chance, counts, number is not None and is_relevant(number)))
    return found


def quality_of(judged: Iterable[Judged]) -> Quality:
    """How good the verdicts are."""
    judged = list(judged)
    right = sum(page.counts and page.is_relevant for page in judged)
    precision = right / max(1, sum(page.counts for page in judged))
    recall = right / max(1, sum(page.is_relevant for page in judged))
    return Quality(precision, recall, 2 * precision * recall / max(1e-9, precision + recall))


def interval(values: Sequence[float]) -> str:
    """The mean and its 95 % interval."""
    half = 1.96 * stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("nan")
    return f"{mean(values):.3f} ({mean(values) - half:.3f} to {mean(values) + half:.3f})"


if __name__ == "__main__":
    main()
