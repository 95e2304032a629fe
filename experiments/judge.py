"""Writes how good the collections are that users get: a few keywords or examples, live manners, the default strategy.

    python experiments/judge.py [--into experiments/results/judge.md] [--topics 4] [--budget 500] [--manners live]

Of each recorded web the first topics of judge-tasks.json are crawled: with keywords, from start pages on the topic and
one link off it, and with 5 and 20 examples. The judge learns during the crawl. F1 is that of the pages that count,
against all relevant pages that can be reached. The table is printed, or written into a document between
`<!-- judge -->` and `<!-- end of judge -->`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from write_up import place, put

from clew.lab.judges import KEYWORDS_FILE
from clew.lab.running import JobFailure, run_all
from clew.lab.trial import Trial, TrialResult
from clew.lab.worlds import recorded_folder

SETTINGS = (("keywords", 0), ("keywords", 1), ("examples:5", 0), ("examples:20", 0))  # judge, links off the topic
MEASURES = ("f1", "precision", "collected", "average_precision", "brier", "harvest")
HEADINGS = ("judge", "links off", "web", "topics", "F1", "precision", "recall", "AP", "Brier", "harvest")


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, metavar="DOCUMENT")
    parser.add_argument("--topics", type=int, default=4)
    parser.add_argument("--budget", type=int, default=500)
    parser.add_argument("--manners", default="live")
    parser.add_argument("--jobs", type=int)
    args = parser.parse_args(words)
    if args.into:
        place(args.into, "judge")
    outcomes, _ = run_all(list(trials(args.topics, args.budget, args.manners)), jobs=args.jobs)
    failures = [outcome for outcome in outcomes if isinstance(outcome, JobFailure)]
    if failures:
        sys.exit(f"{len(failures)} crawls failed; the first one: {failures[0].error}")
    lines = list(report([outcome for outcome in outcomes if isinstance(outcome, TrialResult)]))
    if args.into:
        put(args.into, "judge", lines)
    else:
        print("\n".join(lines))


def trials(topics: int, budget: int, manners: str) -> Iterator[Trial]:
    """The crawls: a few topics of each web, with each judge."""
    tasks = json.loads((recorded_folder() / KEYWORDS_FILE).read_text(encoding="utf-8"))
    for world, wanted in tasks.items():
        # The weights that the strategy starts with must not come from the web that is measured.
        spec = f"adaptive(prior='trained without {world.partition('-')[0]}')"
        for task in wanted[:topics]:
            for judge, distance in SETTINGS:
                yield Trial(
                    world, task["topic"], "adaptive", judge, distance, budget=budget, spec=spec, manners=manners
                )


def report(results: list[TrialResult]) -> Iterator[str]:
    """The table: a row for each judge and web, and one for all webs."""
    yield "| " + " | ".join(HEADINGS) + " |"
    yield "|---" * len(HEADINGS) + "|"
    for judge, distance in SETTINGS:
        same = [each for each in results if (each.trial.judge, each.trial.distance) == (judge, distance)]
        webs = list(dict.fromkeys(each.trial.world for each in same))
        for web in [*webs, "all"]:
            rows = [each.numbers for each in same if web in ("all", each.trial.world)]
            means = {name: float(np.mean([row[name] for row in rows])) for name in MEASURES}
            numbers = " | ".join(f"{means[name]:.3f}" for name in MEASURES)
            yield f"| {judge} | {distance} | {web} | {len(rows)} | {numbers} |"


if __name__ == "__main__":
    main(sys.argv[1:])
