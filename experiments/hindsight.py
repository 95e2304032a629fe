"""Writes how a strategy does against the best OTHER one of each topic, chosen in hindsight: the hardest opponent.

    python experiments/hindsight.py experiments/strategies.toml experiments/results/adaptive.md [STRATEGY]

The tables go between `<!-- hindsight of NAME -->` and `<!-- end of hindsight of NAME -->`. Trials that were run before
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

TIE, SHOWN = 0.99, 12
Areas = dict[tuple[str, str], dict[str, float]]  # topic -> strategy -> mean area over its start sets


def main(source: str, target: str, strategy: str = "adaptive") -> None:
    path = Path(source)
    fill(Path(target), f"hindsight of {path.stem}", path, partial(told, strategy=strategy))


def told(comparison: Comparison, strategy: str) -> Iterator[str]:
    """The summary, every other strategy in pairs, and the topics on which it does worst."""
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
        topic = result.trial.world, result.trial.topic
        found.setdefault(topic, {}).setdefault(result.trial.strategy, []).append(result.numbers["area"])
    return {topic: {name: float(np.mean(all_)) for name, all_ in each.items()} for topic, each in found.items()}


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
    for topic in lost[:SHOWN]:
        area, name = best(areas[topic], strategy)
        yield f"| {topic[0]}: {topic[1]} | {areas[topic][strategy]:.3f} | {area:.3f} ({name}) | {ratios[topic]:.2f} |"


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
