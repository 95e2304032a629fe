"""Compares judges on the same visited pages, so that what they are worth is not mixed up with where a crawl went.

    python experiments/judge_same_pages.py [--into experiments/results/judge.md] [--topics 4] [--budget 500] [--jobs 2]

A crawl is guided by the plain judge (keywords or examples alone), without delays. Then the judge that learns goes the
same way, page by page, and says at the end which pages count. F1 is that of these pages against all relevant pages
that can be reached; a perfect judge has it below 1 where the crawl missed some. Topics and keywords are those of
judge-tasks.json. The table is printed, or written between `<!-- same pages -->` and `<!-- end of same pages -->`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from write_up import place, put

from clew.core.simulation import Simulation
from clew.interests import LearningInterest
from clew.lab import metrics
from clew.lab.judges import KEYWORDS_FILE
from clew.lab.task import Task, task
from clew.lab.trial import Trial, crawled
from clew.lab.worlds import recorded_folder
from clew.strategies import HOLD, Strategy
from clew.types import Candidate, Page, UrlState

SETTINGS = (("keywords", 0), ("keywords", 1), ("examples:5", 0), ("examples:20", 0))  # judge, links off the topic
HEADINGS = (
    "judge",
    "links off",
    "web",
    "topics",
    "F1 plain",
    "F1",
    "perfect",
    "AP plain",
    "AP",
    "Brier plain",
    "Brier",
)
MEASURES = ("f1", "average_precision", "brier")


@dataclass
class Follow(Strategy):
    """Visits pages in an order that is known beforehand."""

    rescore_top = 50  # the target of a redirect begins with the score of its source

    places: dict[str, int] = field(default_factory=dict)

    def learn(self, page: Page) -> Sequence[str]:
        return ()

    def value(self, candidate: Candidate) -> float:
        place = self.places.get(candidate.url)
        return HOLD if place is None else -float(place)


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, metavar="DOCUMENT")
    parser.add_argument("--topics", type=int, default=4)
    parser.add_argument("--budget", type=int, default=500)
    parser.add_argument("--webs", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args(words)
    if args.into:
        place(args.into, "same pages")
    wanted = [trial for trial in trials(args.topics, args.budget) if not args.webs or trial.world in args.webs]
    with ProcessPoolExecutor(args.jobs, mp_context=get_context("spawn")) as pool:
        rows = list(pool.map(compared, wanted))
    lines = list(report(list(zip(wanted, rows, strict=True))))
    if args.into:
        put(args.into, "same pages", lines)
    else:
        print("\n".join(lines))


def trials(topics: int, budget: int) -> Iterator[Trial]:
    """The crawls: a few topics of each web, with each judge."""
    tasks = json.loads((recorded_folder() / KEYWORDS_FILE).read_text(encoding="utf-8"))
    for world, wanted in tasks.items():
        spec = f"adaptive(prior='trained without {world.partition('-')[0]}')"
        for judge, distance in SETTINGS:
            for each in wanted[:topics]:
                yield Trial(world, each["topic"], "adaptive", judge, distance, budget=budget, spec=spec)


def compared(trial: Trial) -> dict[str, float]:
    """The measures of the plain judge, of the one that learns, and of a perfect one."""
    the_task = task(trial.task)
    learning = the_task.interest
    assert isinstance(learning, LearningInterest)
    first = crawled(trial, replace(the_task, interest=learning.formula))
    second = followed(trial, the_task, first)
    if first.order != second.order:
        sys.exit(f"{trial.world}, {trial.topic}: the second crawl went another way")
    plain = measured(the_task, first)
    learned = measured(the_task, second)
    return {f"plain {name}": plain[name] for name in MEASURES} | learned | {"perfect": perfect(the_task, first)}


def followed(trial: Trial, the_task: Task, first: Simulation) -> Simulation:
    """The judge that learns, on the pages of another crawl in the same order."""
    places = {record.url: number for number, record in enumerate(first.records)}

    def lead(engine: Any) -> None:
        engine.state.strategy.places.update(places)

    return crawled(trial, the_task, prepare=lead, make_strategy=Follow)


def measured(the_task: Task, crawl: Simulation) -> dict[str, float]:
    """F1, average precision and Brier score of what the crawl says of its pages at the end."""
    records = [record for record in crawl.records if record.state != UrlState.REDIRECTED]
    counted = np.array([record.relevant for record in records], bool)
    relevances = np.array([record.relevance for record in records], np.float64)
    found = metrics.collection(counted, crawl.chances(relevances), labels(the_task, crawl), the_task.reachable)
    return {name: found[name] for name in MEASURES}


def perfect(the_task: Task, crawl: Simulation) -> float:
    """The F1 of a judge that knows the truth about the visited pages."""
    hits = int((labels(the_task, crawl) == 1).sum())
    return 2 * hits / (hits + the_task.reachable) if the_task.reachable else 0.0


def labels(the_task: Task, crawl: Simulation) -> Any:
    """The truth about each visit: 1, 0, or -1 if it is not known."""
    pages = [the_task.world.id_of(url) for url in crawl.order]
    return np.array([-1 if page is None else the_task.truth[page] for page in pages])


def report(rows: Sequence[tuple[Trial, dict[str, float]]]) -> Iterator[str]:
    """The table: a row for each judge and web, and one for all webs."""
    yield "| " + " | ".join(HEADINGS) + " |"
    yield "|---" * len(HEADINGS) + "|"
    for judge, distance in SETTINGS:
        same = [(trial.world, row) for trial, row in rows if (trial.judge, trial.distance) == (judge, distance)]
        for web in [*dict.fromkeys(world for world, _ in same), "all"]:
            chosen = [row for world, row in same if web in ("all", world)]
            names = (
                "plain f1",
                "f1",
                "perfect",
                "plain average_precision",
                "average_precision",
                "plain brier",
                "brier",
            )
            numbers = " | ".join(f"{np.mean([row[name] for row in chosen]):.3f}" for name in names)
            yield f"| {judge} | {distance} | {web} | {len(chosen)} | {numbers} |"


if __name__ == "__main__":
    main(sys.argv[1:])
