"""Compares a strategy with the best OTHER one of each topic, chosen in hindsight: the hardest opponent there is.

    python experiments/hindsight.py experiments/strategies.toml experiments/results/adaptive.md [STRATEGY]

The tables go between `<!-- hindsight of NAME -->` and `<!-- end of hindsight of NAME -->`. Trials that have been run
with the same code come from the cache.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from write_up import fill

from clew.lab.comparison import Comparison

TIE = 0.99  # ratio from which a topic does not count as lost
MAX_TOPICS_SHOWN = 12
Areas = dict[tuple[str, str], dict[str, float]]  # topic -> strategy -> mean area over its start sets


def main(source: str, target: str, strategy: str = "adaptive") -> None:
    path = Path(source)
    fill(Path(target), f"hindsight of {path.stem}", path, partial(report, strategy=strategy))


def report(comparison: Comparison, strategy: str) -> Iterator[str]:
    """The summary, the pairs with every other strategy, and the topics on which it does worst."""
    for name, part in comparison.parts().items():
        areas = by_topic(part)
        ratios = {topic: each[strategy] / max(1e-9, best(each, strategy)[0]) for topic, each in areas.items()}
        values = np.array(list(ratios.values()))
        yield f"\n**{name}**, {len(values)} topics: ratio to the best other {values.mean():.3f} in the mean,"
        yield f"as good or better (within 1 %) on {(values >= TIE).mean():.0%} of them, worst {values.min():.2f}.\n"
        yield from pairs(part, strategy)
        yield from _losses(areas, ratios, strategy)


def by_topic(part: Comparison) -> Areas:
    """Mean areas over the start sets."""
    found: dict[tuple[str, str], dict[str, list[float]]] = {}
    for result in part.results:
        topic = (result.trial.world, result.trial.topic)
        found.setdefault(topic, {}).setdefault(result.trial.strategy, []).append(result.numbers["area"])
    return {topic: _means(areas) for topic, areas in found.items()}


def _means(areas: dict[str, list[float]]) -> dict[str, float]:
    return {name: float(np.mean(values)) for name, values in areas.items()}


def best(areas: dict[str, float], strategy: str) -> tuple[float, str]:
    """The best other strategy of a topic."""
    return max((area, name) for name, area in areas.items() if name != strategy)


def pairs(part: Comparison, strategy: str) -> Iterator[str]:
    """Every other strategy on the same tasks: the mean difference of the areas with its interval."""
    yield "| against | difference of areas | 95 % | topics won | lost |"
    yield "|---|---|---|---|---|"
    for pair in part.pairs():
        if strategy in (pair.strategy, pair.other):
            sign = 1 if pair.strategy == strategy else -1
            low, high = sorted((sign * pair.low, sign * pair.high))
            won, lost = (pair.wins, pair.losses)[::sign]
            other = pair.other if sign > 0 else pair.strategy
            yield f"| {other} | {sign * pair.difference:+.3f} | {low:+.3f} to {high:+.3f} | {won} | {lost} |"


def _losses(areas: Areas, ratios: dict[tuple[str, str], float], strategy: str) -> Iterator[str]:
    lost = [topic for topic in sorted(ratios, key=lambda topic: ratios[topic]) if ratios[topic] < TIE]
    if not lost:
        return
    yield f"\n| topics lost ({len(lost)}) | {strategy} | best other | ratio |\n|---|---|---|---|"
    for topic in lost[:MAX_TOPICS_SHOWN]:
        area, name = best(areas[topic], strategy)
        yield f"| {topic[0]}: {topic[1]} | {areas[topic][strategy]:.3f} | {area:.3f} ({name}) | {ratios[topic]:.2f} |"


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
