"""What smaller slices of re-scoring change, beside what chance changes: the default strategy on the recorded webs.

    python experiments/rescoring.py [--topics 3] [--visits 1000] [--into DOCUMENT]

After a refit all candidates are scored again: the best at once, the others in slices, one after each visit. Each task
is crawled with the slices of today and with others, and once more with scores that differ in their last digits. Two
crawls that differ by such a disturbance soon go different ways, so the difference between them is what any change
shows that has no effect. Nothing comes from the cache.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
from write_up import put

from clew.core import rescoring
from clew.lab.experiment import Experiment
from clew.lab.metrics import bootstrap
from clew.lab.planning import plan
from clew.lab.trial import Trial, run

WEBS = ["wikischools-hard", "webkb", "pydocs"]
JUDGES = ["truth", "classifier", "keywords"]
OTHER_SLICES = [100]
NAME = "rescoring"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=3, help="of each web")
    parser.add_argument("--visits", type=int, default=1000, help="in short crawls no more wait than are scored at once")
    parser.add_argument("--into", type=Path, help="write the table into this document, between its marks")
    args = parser.parse_args()
    lines = list(table(trials(args.topics, args.visits)))
    print("\n".join(lines))
    if args.into:
        put(args.into, NAME, lines)


def trials(topics: int, visits: int) -> list[Trial]:
    """Each task twice: the second time with scores that differ in their last digits."""
    strategies = [{"name": "adaptive", "spec": "adaptive(prior='trained without {web}')"}]
    tasks = {"worlds": WEBS, "topics": topics, "judges": JUDGES}
    return list(
        plan(
            Experiment.of({**tasks, "starts": [0], "budgets": [visits], "repeats": 2, "strategies": strategies})
        ).trials
    )


def table(all_trials: list[Trial]) -> Iterator[str]:
    """The mean difference of each change with its interval, and how far single crawls differ."""
    plain = [trial for trial in all_trials if trial.repeat == 0]
    disturbed = [trial for trial in all_trials if trial.repeat == 1]
    today = areas(plain, rescoring.SLICE)
    rows = {f"slices of {rescoring.SLICE}, other last digits": areas(disturbed, rescoring.SLICE)}
    rows |= {f"slices of {size}": areas(plain, size) for size in OTHER_SLICES}
    yield f"{len(plain)} crawls, slices of {rescoring.SLICE}: mean area {today.mean():.3f}"
    yield ""
    yield "| change | mean difference | 95 % | standard deviation of one crawl |"
    yield "|---|---|---|---|"
    for name, found in rows.items():
        low, mean, high = bootstrap((found - today).tolist())
        yield f"| {name} | {mean:+.4f} | {low:+.4f} to {high:+.4f} | {np.std(found - today):.3f} |"


def areas(tasks: list[Trial], size: int) -> np.ndarray:
    """The area of each crawl with slices of that size."""
    with patch.object(rescoring, "SLICE", size):
        return np.array([run(task).numbers["area"] for task in tasks])


if __name__ == "__main__":
    main()
