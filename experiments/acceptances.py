"""Prints what the hybrid crawler accepts: in a crawl from a hub for each topic of an experiment, as a table.

    python experiments/acceptances.py [EXPERIMENT]

The columns: pages accepted of those visited, relevant ones among the visited and among the accepted, and how well the
paper's content similarity tells them apart: the chance that a relevant page has the higher similarity (AUC), and the
mean similarity of relevant and of other pages.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clew.core.simulation import run_simulation
from clew.lab.experiment import Experiment
from clew.lab.planning import plan
from clew.lab.task import task
from clew.lab.trial import Trial
from clew.strategies.hybrid import Hybrid

EXPERIMENT = Path(__file__).parent / "papers" / "hybrid.toml"


def main(experiment: Path) -> None:
    print("| topic | accepted | relevant, visited | relevant, accepted | AUC | similarity, relevant and other |")
    print("|---|---|---|---|---|---|")
    for trial in plan(Experiment.read(experiment)).trials:
        if (trial.strategy, trial.place) == ("hybrid", "hub"):
            print(f"| {' | '.join(_cells(trial))} |", flush=True)


def _cells(trial: Trial) -> Iterator[str]:
    setting = task(trial.task)
    urls = {url: page for page, url in enumerate(setting.world.urls)}
    truth = setting.world.truth(trial.topic) == 1
    hybrid = Hybrid()
    crawl = run_simulation(
        setting.world.fetcher(), setting.interest, setting.seeds, strategy=hybrid, pages=trial.budget
    )
    visited = [url for url in crawl.order if url in urls]
    similarity = np.array([hybrid._crawl.relevance(url) for url in visited])
    relevant = truth[[urls[url] for url in visited]]
    accepted = [url for number in hybrid.accepted if (url := hybrid._crawl.url(number)) in urls]
    yield f"{trial.world}: {trial.topic}"
    yield f"{len(accepted):,} of {len(visited):,}"
    yield f"{relevant.mean():.0%}"
    yield f"{truth[[urls[url] for url in accepted]].mean():.0%}"
    yield f"{_auc(similarity, relevant):.2f}"
    yield f"{similarity[relevant].mean():.2f}, {similarity[~relevant].mean():.2f}"


def _auc(values: NDArray[np.float64], relevant: NDArray[np.bool_]) -> float:
    ranks = np.argsort(np.argsort(values))
    count = int(relevant.sum())
    return float((ranks[relevant].sum() - count * (count - 1) / 2) / (count * (len(values) - count)))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else EXPERIMENT)
