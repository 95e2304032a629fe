"""Measures what a few labels bring: the collections of users who correct the judge in the middle of a crawl.

    python experiments/judge_labels.py [--into experiments/results/judge.md] [--topics 4] [--labels 10] [--at 200]

The crawls are those of judge.py with keywords: live manners, 500 visits, the first topics of each recorded web. After
200 visits ten random visited pages are labelled with the truth; whoever chooses better ones gains more. The table is
printed, or written into a document between `<!-- labels -->` and `<!-- end of labels -->`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from judge import trials
from judge_same_pages import measured
from write_up import place, put

from clew.base.chance import chance
from clew.core.engine import Engine
from clew.core.labelling import Labelling
from clew.lab.task import Task, task
from clew.lab.trial import Trial, crawled
from clew.types import Stats

MARK = "labels"


@dataclass
class Corrections:
    """Labels some random visited pages, once, after so many visits."""

    engine: Engine
    the_task: Task
    seed: str
    count: int
    at: int

    def attach(self) -> None:
        """Look on at the crawl."""
        once(self.engine, self.at, self._label)

    def _label(self) -> None:
        state = self.engine.state
        known: dict[str, bool] = {}
        for page in state.view.pages():
            number = self.the_task.world.id_of(page.url)
            if number is not None and self.the_task.truth[number] >= 0:
                known[page.url] = bool(self.the_task.truth[number])
        labelling = Labelling(state)
        drawn = sorted(known, key=lambda url: chance(0, self.seed, url))[: self.count]
        for url in drawn:
            labelling.apply(url, known[url])
        labelling.teach()


def once(engine: Engine, at: int, act: Callable[[], None]) -> None:
    """Do something after so many visits of a crawl."""
    watch = engine.watch
    is_done = False

    def watching(stats: Stats) -> None:
        nonlocal is_done
        watch(stats)
        if not is_done and stats.visited >= at:
            is_done = True
            act()

    engine.watch = watching


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, metavar="DOCUMENT")
    parser.add_argument("--topics", type=int, default=4)
    parser.add_argument("--labels", type=int, default=10)
    parser.add_argument("--at", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args(words)
    if args.into:
        place(args.into, MARK)
    wanted = [trial for trial in trials(args.topics, 500, "live") if (trial.judge, trial.distance) == ("keywords", 0)]
    with ProcessPoolExecutor(args.jobs, mp_context=get_context("spawn")) as pool:
        without = list(pool.map(partial(corrected, count=0, at=args.at), wanted))
        with_labels = list(pool.map(partial(corrected, count=args.labels, at=args.at), wanted))
    lines = list(report(wanted, without, with_labels, args.labels))
    if args.into:
        put(args.into, MARK, lines)
    else:
        print("\n".join(lines))


def corrected(trial: Trial, count: int, at: int) -> float:
    """The F1 of a crawl whose user has given so many labels."""
    the_task = task(trial.task)

    def correct(engine: Engine) -> None:
        Corrections(engine, the_task, trial.topic, count, at).attach()

    return measured(the_task, crawled(trial, the_task, prepare=correct))["f1"]


def report(
    wanted: Sequence[Trial], without: Sequence[float], with_labels: Sequence[float], count: int
) -> Iterator[str]:
    """The table: a row for each web, and one for all."""
    yield f"| web | topics | F1 without labels | with {count} random labels |"
    yield "|---|---|---|---|"
    webs = [*dict.fromkeys(trial.world for trial in wanted), "all"]
    for web in webs:
        chosen = [number for number, trial in enumerate(wanted) if web in ("all", trial.world)]
        before, after = (np.mean([values[number] for number in chosen]) for values in (without, with_labels))
        yield f"| {web} | {len(chosen)} | {before:.3f} | {after:.3f} |"


if __name__ == "__main__":
    main(sys.argv[1:])
