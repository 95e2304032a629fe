"""Measures what it brings to choose the pages that a user labels: F1 of the collection after as many random labels.

    python experiments/judge_chosen_labels.py [--into experiments/results/judge.md] [--topics 7] [--labels 20]

Crawls of the recorded webs with keywords, adaptive, no delays, the first topics of each web. After half of the visits
pages are labelled with the truth, in rounds of five with a fit after each: the ones that `Records.unsure` would ask
about, or random ones. F1 is that of the collection that is handed over at the end against all relevant pages that can
be reached. The table is printed, or written into a document between `<!-- chosen -->` and `<!-- end of chosen -->`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from judge_labels import once
from judge_same_pages import measured, trials
from write_up import place, put

from clew.base.chance import chance
from clew.core.engine import Engine
from clew.core.labelling import Labelling
from clew.lab.task import Task, task
from clew.lab.trial import Trial, crawled
from clew.learning.doubt import Doubtful, most_telling
from clew.parse import host
from clew.store.unsure import POOL
from clew.types import Page

MARK = "chosen"
WAYS = ("no labels", "random", "chosen")
ROUND = 5


@dataclass
class Corrections:
    """Labels visited pages in rounds, once, after so many visits."""

    engine: Engine
    the_task: Task
    seed: str
    way: str
    count: int
    at: int
    labelled: dict[str, Page] = field(default_factory=dict)

    def attach(self) -> None:
        """Look on at the crawl."""
        once(self.engine, self.at, self._label_all)

    def _label_all(self) -> None:
        while len(self.labelled) < self.count and self._label_some():
            pass

    def _label_some(self) -> bool:
        state = self.engine.state
        pages = [page for page in state.view.pages() if self._truth(page.url) is not None]
        pages = [page for page in pages if page.ok and page.url not in self.labelled]
        drawn = self._chosen(pages) if self.way == "chosen" else self._random(pages)
        labelling = Labelling(state)
        for page in drawn:
            labelling.apply(page.url, bool(self._truth(page.url)))
            self.labelled[page.url] = page
        labelling.teach()
        state.verdicts.finish()
        return bool(drawn)

    def _truth(self, url: str) -> bool | None:
        number = self.the_task.world.id_of(url)
        if number is None or self.the_task.truth[number] < 0:
            return None
        return bool(self.the_task.truth[number])

    def _random(self, pages: list[Page]) -> list[Page]:
        return sorted(pages, key=lambda page: chance(0, self.seed, page.url))[:ROUND]

    def _chosen(self, pages: list[Page]) -> list[Page]:
        near = sorted(pages, key=lambda page: abs(page.relevance - self.engine.state.interest.threshold))[:POOL]
        threshold = self.engine.state.interest.threshold
        doubtful = [Doubtful(abs(page.relevance - threshold), host(page.url), page.terms) for page in near]
        known = [page.terms for page in self.labelled.values()]
        return [near[place] for place in most_telling(doubtful, ROUND, known)]


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, metavar="DOCUMENT")
    parser.add_argument("--topics", type=int, default=7)
    parser.add_argument("--labels", type=int, default=20)
    parser.add_argument("--budget", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args(words)
    if args.into:
        place(args.into, MARK)
    found = [each for each in trials(args.topics, args.budget) if (each.judge, each.distance) == ("keywords", 0)]
    work = partial(scores, count=args.labels, at=args.budget // 2)
    with ProcessPoolExecutor(args.jobs, mp_context=get_context("spawn")) as pool:
        rows: list[list[float]] = []
        for trial, row in zip(found, pool.map(work, found), strict=True):
            print(trial.world, trial.topic, *(f"{value:.3f}" for value in row), file=sys.stderr, flush=True)
            rows.append(row)
    lines = list(report(found, rows, args.labels))
    if args.into:
        put(args.into, MARK, lines)
    else:
        print("\n".join(lines))


def scores(trial: Trial, count: int, at: int) -> list[float]:
    """The F1 of one topic without labels, with random ones, and with chosen ones."""
    the_task = task(trial.task)
    found: list[float] = []
    for way in WAYS:

        def correct(engine: Engine, way: str = way) -> None:
            Corrections(engine, the_task, trial.topic, way, 0 if way == WAYS[0] else count, at).attach()

        found.append(measured(the_task, crawled(trial, the_task, prepare=correct))["f1"])
    return found


def report(wanted: Sequence[Trial], rows: Sequence[Sequence[float]], count: int) -> Iterator[str]:
    """The table: a row for each web, and one for all; then on how many topics the chosen labels did better."""
    yield f"| web | topics | F1 without labels | {count} random labels | {count} chosen labels | chosen better |"
    yield "|---|---|---|---|---|---|"
    for web in [*dict.fromkeys(trial.world for trial in wanted), "all"]:
        chosen = np.array([row for trial, row in zip(wanted, rows, strict=True) if web in ("all", trial.world)])
        means = " | ".join(f"{value:.3f}" for value in chosen.mean(axis=0))
        better = int((chosen[:, 2] > chosen[:, 1]).sum())
        yield f"| {web} | {len(chosen)} | {means} | {better} of {len(chosen)} |"


if __name__ == "__main__":
    main(sys.argv[1:])
