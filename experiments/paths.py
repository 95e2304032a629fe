"""The table of paths of an experiment: finds against its first strategy, link distances, and the gaps crossed.

`write_up.py` writes it where a document has the marks `<!-- paths of NAME -->` and `<!-- end of paths of NAME -->`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clew.lab import metrics
from clew.lab.comparison import Comparison
from clew.lab.task import opened
from clew.lab.trial import TrialResult

FAR = 10  # links, beyond which figure 6 of the Ariadne paper finds most pages
WIDE = 6  # irrelevant pages in a row, which its figure 7 crosses


def report(comparison: Comparison) -> Iterator[str]:
    """For each judge and budget, a row for each strategy; differences are paired by topic."""
    for name, part in comparison.parts().items():
        by_strategy = {strategy: _by_topic(part, strategy) for strategy in part.strategies}
        first = next(iter(by_strategy))
        yield f"\n**{name}**\n"
        yield (
            f"| strategy | finds | more than {first} | 95 % | median distance | beyond {FAR} links | farthest find "
            f"| finds behind {WIDE} irrelevant pages in a row or more | widest gap crossed |"
        )
        yield "|---|---|---|---|---|---|---|---|---|"
        for strategy, topics in by_strategy.items():
            yield _row(strategy, topics, by_strategy[first])


def _by_topic(part: Comparison, strategy: str) -> dict[tuple[str, str], list[TrialResult]]:
    topics: dict[tuple[str, str], list[TrialResult]] = {}
    for result in part.results:
        if result.trial.strategy == strategy:
            topics.setdefault((result.trial.world, result.trial.topic), []).append(result)
    return topics


def _row(
    strategy: str, topics: dict[tuple[str, str], list[TrialResult]], first: dict[tuple[str, str], list[TrialResult]]
) -> str:
    results = [result for each in topics.values() for result in each]
    paths = [found_on(result) for result in results]
    distances = np.concatenate([distance for distance, _ in paths])
    gaps = np.concatenate([gap for _, gap in paths])
    low, mean, high = metrics.bootstrap([_finds(topics[topic]) - _finds(first[topic]) for topic in topics])
    cells = [
        strategy,
        f"{np.mean([_finds(each) for each in topics.values()]):.1f}",
        f"{mean:+.1f}",
        f"{low:+.1f} to {high:+.1f}",
        f"{np.median(distances):.0f}",
        f"{(distances > FAR).mean():.0%}",
        f"{distances.max()}",
        f"{(gaps >= WIDE).sum() / len(results):.1f}",
        f"{gaps.max()}",
    ]
    return f"| {' | '.join(cells)} |"


def _finds(results: list[TrialResult]) -> float:
    return float(np.mean([result.numbers["found"] for result in results]))


def found_on(result: TrialResult) -> tuple[metrics.Places, metrics.Places]:
    """For each find of a crawl: its link distance, and the longest run of irrelevant pages on the path to it."""
    world = opened(result.trial.world)
    places = metrics.sources(world.graph, result.visits)
    relevant = np.where(result.visits >= 0, world.truth(result.trial.topic)[result.visits] == 1, False)
    hits = np.diff(result.found, prepend=0) > 0
    return metrics.path_distances(places)[hits], metrics.gaps(places, relevant)[hits]
