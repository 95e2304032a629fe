"""Prints how far each strategy is ahead of a reference, by area: the mean over topics, with its 95 % interval.

    python experiments/differences.py experiments/strategies_again.toml best_first

Trials that have been run with the same code come from the cache.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from clew.lab.compare import perform
from clew.lab.comparison import Comparison
from clew.lab.experiment import Experiment
from clew.lab.metrics import bootstrap


def main(path: str, reference: str) -> None:
    for name, part in perform(Experiment.read(Path(path)), jobs=1).parts().items():
        print(f"{name}: ahead of {reference}")
        base = areas(part, reference)
        for strategy in part.strategies:
            own = areas(part, strategy)
            low, mean, high = bootstrap([own[topic] - base[topic] for topic in base])
            print(f"  {strategy:15} {mean:+.3f} ({low:+.3f} to {high:+.3f})")


def areas(part: Comparison, strategy: str) -> dict[tuple[str, str], float]:
    """The mean area of a strategy by world and topic."""
    found: dict[tuple[str, str], list[float]] = {}
    for result in part.results:
        if result.trial.strategy == strategy:
            found.setdefault((result.trial.world, result.trial.topic), []).append(result.numbers["area"])
    return {topic: float(np.mean(values)) for topic, values in found.items()}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
