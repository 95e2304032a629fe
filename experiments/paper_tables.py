"""The tables of the papers on intelligent crawling and on the hybrid, with what they claim and what came out here.

`write_up.py` uses them for the experiments of these names in `experiments/papers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

import numpy as np

from clew.lab import metrics
from clew.lab.comparison import Comparison
from clew.lab.judges import describe as describe_judge
from clew.lab.start_pages import described
from clew.lab.trial import TrialResult

FACTORS = ("content", "URL tokens", "links", "siblings")
COMPOSITE = "composite"
RANDOM = "random"
NEARLY = 0.9  # share of the best factor's harvest from which the composite is "almost as good"
SEGMENTS = 10  # columns of the table after figure 3

Lines = Iterator[str]
Results = Sequence[TrialResult]
Key = TypeVar("Key")


def factors(comparison: Comparison) -> Lines:
    """Figures 4 to 6: the harvest of each factor for each predicate."""
    results = comparison.results
    groups = _grouped(results, lambda result: (result.trial.world, result.trial.topic))
    yield from _harvests(
        comparison.strategies, {f"{world}: {topic}": group for (world, topic), group in groups.items()}
    )
    yield from _verdict_on_composite(groups)
    best = [_best_factor(group) for group in _with_finds(groups)]
    counts = ", ".join(f"{name} {best.count(name)}" for name in FACTORS)
    yield f"- The best factor changes with the predicate ({counts} times): {_holds(len(set(best)) > 1)}"
    yield from _above(results, COMPOSITE, RANDOM, "harvest", "The composite is far above random order")


def seeds(comparison: Comparison) -> Lines:
    """Figures 7 to 9: the harvest of each factor from each kind of start page."""
    results = comparison.results
    groups = _grouped(results, lambda result: (result.trial.world, result.trial.where))
    named = {f"{world}: {described(where)}": group for (world, where), group in groups.items()}
    yield from _harvests(comparison.strategies, named)
    yield from _verdict_on_composite(groups)
    pairs = sorted(set(_reversed_pairs(groups)))
    shown = "; ".join(pairs) or "none"
    yield f"- The start page reverses the order of factors (figures 7 and 8; {shown}): {_holds(bool(pairs))}"
    webs = _grouped(_of(results, COMPOSITE), lambda result: result.trial.world)
    for world, crawls in webs.items():
        harvests = sorted(crawl.numbers["harvest"] for crawl in crawls)
        middle = float(np.median(harvests))
        alike = sum(abs(harvest - middle) <= middle / 3 for harvest in harvests)
        text = f"{alike} of {len(harvests)} crawls within a third of the median, {middle:.0%}; worst {harvests[0]:.0%}"
        claim = f"The composite does alike from four starts of five (figure 9) on {world}"
        yield f"- {claim} ({text}): {_holds(alike >= 0.8 * len(harvests))}"


def mixtures(comparison: Comparison) -> Lines:
    """Table 2: the harvest of the composite and of random order for mixed predicates."""
    groups = _grouped(comparison.results, lambda result: (result.trial.world, result.trial.topic))
    yield from _harvests(
        comparison.strategies, {f"{world}: {topic}": group for (world, topic), group in groups.items()}
    )
    yield from _above(comparison.results, COMPOSITE, RANDOM, "harvest", "The composite is far above random order")


def reuse(comparison: Comparison) -> Lines:
    """Figure 10 and section 5.4: harvest of a crawl with and without what an earlier one has learned."""
    topics = {(result.trial.world, result.trial.topic) for result in comparison.results}
    yield f"\n{len(comparison.results)} crawls of {comparison.results[0].trial.budget:,} visits, {len(topics)} topics:"
    names = comparison.strategies
    yield "\n| start | " + " | ".join(f"{name}: harvest, mean of the curve" for name in names) + " |"
    yield "|---|" + "---|" * len(names)
    groups: dict[str, Results] = _grouped(comparison.results, lambda result: described(result.trial.where))
    groups |= _grouped(comparison.results, lambda result: result.trial.world)
    for label, group in {**groups, "all": comparison.results}.items():
        cells = [f"{_mean(_of(group, name), 'harvest'):.1%}, {_mean(_of(group, name), 'aulc'):.1%}" for name in names]
        yield f"| {label} | {' | '.join(cells)} |"
    yield ""
    for name in names[1:]:
        yield from _above(
            comparison.results, name, names[0], "aulc", f"{name.capitalize()} is above fresh, by the curve"
        )
        yield from _above(
            comparison.results, name, names[0], "harvest", f"{name.capitalize()} is above fresh, in the end"
        )


def hybrid(comparison: Comparison) -> Lines:
    """Table I and figures 3 to 5: pages found, average harvest rate, and the harvest of segments."""
    results = comparison.results
    yield "\n| crawler | start | visits (TCP) | relevant (RPC) | time (RCT) | AHR | 95 % |"
    yield "|---|---|---|---|---|---|---|"
    starts = _grouped(results, lambda result: described(result.trial.where))
    for where, group in starts.items():
        base = _mean(_of(group, "breadth_first"), "cpu_ms")
        for name in comparison.strategies:
            yield _hybrid_row(name, where, _of(group, name), base)
    visits = max(len(result.found) for result in results) // SEGMENTS
    yield f"\nRelevant pages in each segment of {visits} visits (figure 3), means:\n"
    yield f"| crawler | start | {' | '.join(map(str, range(1, SEGMENTS + 1)))} |"
    yield "|---|---|" + "---|" * SEGMENTS
    for where, group in starts.items():
        for name in comparison.strategies:
            counts = np.mean([_segments(result, visits) for result in _of(group, name)], axis=0)
            yield f"| {name} | {where} | {' | '.join(f'{count:.0f}' for count in counts)} |"
    yield "\nAverage harvest rate by topic (figure 5):\n"
    topics = _grouped(results, lambda result: (result.trial.world, result.trial.topic))
    yield f"| topic | {' | '.join(comparison.strategies)} |"
    yield "|---|" + "---|" * len(comparison.strategies)
    for (world, topic), group in topics.items():
        cells = [f"{_mean(_of(group, name), 'ahr'):.1%}" for name in comparison.strategies]
        yield f"| {world}: {topic} | {' | '.join(cells)} |"
    yield ""
    for where, group in starts.items():
        yield from _above(
            group, "hybrid", "breadth_first", "ahr", f"The hybrid is well above breadth-first, start: {where}"
        )


def similarity(comparison: Comparison) -> Lines:
    """The average harvest rate with other parameters of the similarity."""
    judges = _grouped(comparison.results, lambda result: result.trial.judge)
    yield "\n| similarity | AHR | 95 % | hub | portal |"
    yield "|---|---|---|---|---|"
    for judge, group in judges.items():
        low, mean, high = metrics.bootstrap(np.array(list(_by_topic(group, "ahr").values())))
        starts = [_mean([each for each in group if each.trial.place == place], "ahr") for place in ("hub", "portal")]
        yield f"| {describe_judge(judge)} | {mean:.1%} | {low:.1%} to {high:.1%} | {starts[0]:.1%} | {starts[1]:.1%} |"
    yield ""
    usual = _by_topic(judges["vocabulary"], "ahr")
    for judge, group in judges.items():
        if judge != "vocabulary":
            yield from _difference(usual, _by_topic(group, "ahr"), f"The usual values are better than {judge}")


TABLES: Mapping[str, Callable[[Comparison], Iterable[str]]] = {
    "intelligent_factors": factors,
    "intelligent_seeds": seeds,
    "intelligent_table": mixtures,
    "intelligent_reuse": reuse,
    "intelligent_reuse_others": reuse,
    "intelligent_reuse_long": reuse,
    "intelligent_related": reuse,
    "hybrid": hybrid,
    "hybrid_labyrinths": hybrid,
    "hybrid_similarity": similarity,
}


def _harvests(strategies: Sequence[str], groups: Mapping[str, Results]) -> Lines:
    yield f"\n| crawl | {' | '.join(strategies)} |"
    yield "|---|" + "---|" * len(strategies)
    for name, group in groups.items():
        means = {strategy: _mean(_of(group, strategy), "harvest") for strategy in strategies}
        cells = [f"**{mean:.1%}**" if mean == max(means.values()) else f"{mean:.1%}" for mean in means.values()]
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""


def _verdict_on_composite(groups: Mapping[object, Results]) -> Lines:
    ratios = []
    for group in _with_finds(groups):
        best = _mean(_of(group, _best_factor(group)), "harvest")
        ratios.append(_mean(_of(group, COMPOSITE), "harvest") / best)
    near = sum(ratio >= NEARLY for ratio in ratios)
    better = sum(ratio >= 1.0 for ratio in ratios)
    text = f"at or above the best in {better} of {len(ratios)}, above {NEARLY:.0%} of it in {near}"
    text += f", {np.mean(ratios):.2f} times it on average"
    yield f"- The composite is almost as good as the best factor or better ({text}): {_holds(near == len(ratios))}"


def _with_finds(groups: Mapping[object, Results]) -> list[Results]:
    """The groups in which a factor has found anything: in the others none of them is best."""
    return [group for group in groups.values() if _mean(_of(group, _best_factor(group)), "harvest")]


def _best_factor(group: Results) -> str:
    return max(FACTORS, key=lambda name: _mean(_of(group, name), "harvest"))


def _reversed_pairs(groups: Mapping[tuple[str, object], Results]) -> Iterator[str]:
    """Pairs of factors that are clearly apart from two starts of one web, the other way round."""
    for one, other in combinations(FACTORS, 2):
        for world in dict.fromkeys(world for world, _ in groups):
            starts = [group for (name, _), group in groups.items() if name == world]
            gaps = [_mean(_of(group, one), "harvest") - _mean(_of(group, other), "harvest") for group in starts]
            if min(gaps) < -0.05 and max(gaps) > 0.05:
                yield f"{one} and {other} on {world}"


def _above(results: Results, one: str, other: str, measure: str, claim: str) -> Lines:
    yield from _difference(_by_topic(_of(results, one), measure), _by_topic(_of(results, other), measure), claim)


def _difference(first: Mapping[object, float], second: Mapping[object, float], claim: str) -> Lines:
    """A claim with the means of both, and the interval of their difference over topics."""
    low, mean, high = metrics.bootstrap(np.array([first[topic] - second[topic] for topic in first]))
    means = f"{np.mean(list(first.values())):.1%} against {np.mean(list(second.values())):.1%}"
    text = f"{means}, difference {100 * mean:+.1f} points, {100 * low:+.1f} to {100 * high:+.1f}"
    if mean > 0 >= low:
        yield f"- {claim} ({text}): **cannot be shown here**, the interval includes 0"
    else:
        yield f"- {claim} ({text}): {_holds(low > 0)}"


def _holds(claim: bool) -> str:
    return "**holds**" if claim else "**does not hold here**"


def _hybrid_row(name: str, where: str, group: Results, base: float) -> str:
    low, mean, high = metrics.bootstrap(np.array(list(_by_topic(group, "ahr").values())))
    cells = [name, where, f"{_mean(group, 'visits'):,.0f}", f"{_mean(group, 'found'):,.0f}"]
    cells += [f"{_mean(group, 'cpu_ms') / base:.1f}", f"{mean:.1%}", f"{low:.1%} to {high:.1%}"]
    return f"| {' | '.join(cells)} |"


def _segments(result: TrialResult, visits: int) -> list[int]:
    """Finds in each segment of so many visits; a crawl that ended early found nothing in the last ones."""
    finds = np.diff(result.found, prepend=0)
    return [int(finds[first * visits : (first + 1) * visits].sum()) for first in range(SEGMENTS)]


def _by_topic(results: Results, measure: str) -> dict[object, float]:
    groups = _grouped(results, lambda result: (result.trial.world, result.trial.topic))
    return {topic: _mean(group, measure) for topic, group in groups.items()}


def _of(results: Results, strategy: str) -> list[TrialResult]:
    return [result for result in results if result.trial.strategy == strategy]


def _mean(results: Results, measure: str) -> float:
    return float(np.mean([result.numbers[measure] for result in results]))


def _grouped(results: Results, key: Callable[[TrialResult], Key]) -> dict[Key, Results]:
    groups: dict[Key, list[TrialResult]] = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return dict(groups)
