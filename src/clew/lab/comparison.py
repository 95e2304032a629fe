"""Compares results: a table, a ranking, pairs with confidence intervals, and the overlap of crawls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from clew.core.manners import STILL
from clew.core.notebook import html_grid
from clew.lab import judges, metrics
from clew.lab.running import JobFailure
from clew.lab.trial import Trial, TrialResult
from clew.store.frames import frame

if TYPE_CHECKING:
    from pandas import DataFrame

BASELINE: Final = "breadth_first"
ROUNDING: Final = 1e-9  # differences below this are ties
SHOWN: Final = ("area", "low", "high", "worst", "harvest", "recall")  # measures that a notebook shows

Key = TypeVar("Key")
Condition = tuple[str, int, int, bool, str]  # judge, budget, parallel fetches, link source, manners


@dataclass(frozen=True, slots=True)
class Rank:
    """The mean measures of one strategy over all topics."""

    strategy: str
    area: float  # share of the oracle's area
    low: float  # ends of the 95 % bootstrap interval over topics
    high: float
    worst: float  # area on the worst topic
    share: float  # pages found, as a share of what the oracle found
    harvest: float
    recall: float
    cpu: float  # relative to breadth-first


@dataclass(frozen=True, slots=True)
class Pair:
    """One strategy against another on the tasks that both completed; each topic counts once."""

    strategy: str
    other: str
    difference: float  # of the areas, mean over topics
    low: float  # ends of the 95 % bootstrap interval of the difference
    high: float
    wins: int  # topics
    ties: int
    losses: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much the crawls of two strategies have in common: mean Jaccard similarity over their tasks."""

    strategy: str
    other: str
    pages: float  # pages visited by both, as a share of those visited by either
    found: float  # relevant pages found by both, as a share of those found by either


@dataclass(frozen=True, eq=False)
class Comparison:
    """The results of an experiment."""

    results: Sequence[TrialResult]
    title: str = ""
    text: str = ""
    failures: Sequence[JobFailure] = ()
    notes: Sequence[str] = ()  # tasks that were left out, and warnings about the worlds
    cached: int = 0  # trials whose results were in the cache

    @property
    def strategies(self) -> list[str]:
        """The names of the strategies, in the order of the experiment."""
        return list(dict.fromkeys(result.trial.strategy for result in self.results))

    def parts(self) -> dict[str, Comparison]:
        """One comparison for each condition: only crawls under the same condition can be ranked."""
        groups = _grouped(self.results, condition)
        return {describe(key): replace(self, results=results) for key, results in groups.items()}

    def table(self) -> list[dict[str, Any]]:
        """One row for each trial."""
        return [result.row for result in self.results]

    def to_pandas(self) -> DataFrame:
        """The table as a DataFrame; needs the extra `pandas`."""
        return frame(self.table())

    def ranking(self) -> list[Rank]:
        """The largest area first; each topic counts once, however many start sets it has."""
        by_strategy = _grouped(self.results, lambda trial: trial.strategy)
        cpu = {name: _mean(results, "cpu_ms") for name, results in by_strategy.items()}
        # Without the baseline there is nothing to compare with; NaN shows as a dash in tables.
        base = cpu.get(BASELINE) or float("nan")
        ranks = [_rank(name, results, cpu[name] / base) for name, results in by_strategy.items()]
        return sorted(ranks, key=lambda rank: (-rank.area, rank.strategy))

    def means(self, *names: str) -> dict[str, list[float]]:
        """The means of some measures for each strategy, the best one first; each topic counts once."""
        by_strategy = _grouped(self.results, lambda trial: trial.strategy)
        found: dict[str, list[float]] = {}
        for rank in self.ranking():
            topics = list(_grouped(by_strategy[rank.strategy], _topic).values())
            found[rank.strategy] = [_mean_over_topics(topics, name) for name in names]
        return found

    def pairs(self) -> list[Pair]:
        """Every pair of strategies, the better ranked one first."""
        names = [rank.strategy for rank in self.ranking()]
        results = self._by_task()
        pairs = [_pair(one, other, results[one], results[other]) for one, other in combinations(names, 2)]
        return [pair for pair in pairs if pair]

    def overlap(self) -> list[Overlap]:
        """The overlap of every pair of strategies, the better ranked one first."""
        names = [rank.strategy for rank in self.ranking()]
        results = self._by_task()
        overlaps = [_overlap(one, other, results[one], results[other]) for one, other in combinations(names, 2)]
        return [overlap for overlap in overlaps if overlap]

    def spent(self) -> dict[str, dict[str, float]]:
        """CPU milliseconds per page, by strategy and part of the crawler."""
        by_strategy = _grouped(self.results, lambda trial: trial.strategy)
        return {name: _spent(results) for name, results in by_strategy.items()}

    def write(self, folder: str | Path) -> list[Path]:
        """Write tables as CSV, curves.npz, and trials.parquet if pyarrow is installed; return the paths."""
        from clew.lab.text_tables import write

        return write(self, Path(folder))

    def report(self, folder: str | Path) -> Path:
        """Write one HTML page with all plots and tables; return its path."""
        from clew.lab import report

        path: Path = report.write(self, Path(folder), self.title, self.text)
        return path

    def _repr_html_(self) -> str:
        """The ranking of each condition."""
        shown = [f"<h4>{escape(self.title or 'Comparison')}</h4>"]
        for condition_text, part in self.parts().items():
            rows = [[rank.strategy, *_measures(rank)] for rank in part.ranking()]
            shown += [f"<p>{escape(condition_text)}</p>", html_grid(["strategy", *SHOWN], rows)]
        return "".join(shown)

    def _by_task(self) -> dict[str, dict[Trial, TrialResult]]:
        results: dict[str, dict[Trial, TrialResult]] = {}
        for result in self.results:
            trial = result.trial
            # `Trial.task` leaves out more than the strategy and what it knows, but crawls that differ in more must not
            # be paired.
            results.setdefault(trial.strategy, {})[replace(trial, strategy="", spec="", learned="")] = result
        return results


def condition(trial: Trial) -> Condition:
    """What must be the same for two crawls to be ranked against each other."""
    return trial.judge, trial.budget, trial.parallel, trial.link_source, trial.manners


def describe(conditions: Condition) -> str:
    """A description of a condition.

    >>> describe(("truth", 500, 16, True, "still"))
    'guided by the truth, 500 visits, 16 at a time, with back-links and searches'
    >>> describe(("truth", 500, 1, False, "live(patience=0)"))
    'guided by the truth, 500 visits, manners live(patience=0)'
    """
    judge, budget, parallel, link_source, manners = conditions
    words = f"guided by the {judges.describe(judge)}, {budget:,} visits"
    if parallel > 1:
        words += f", {parallel} at a time"
    if link_source:
        words += ", with back-links and searches"
    if manners != STILL:
        words += f", manners {manners}"
    return words


def _measures(rank: Rank) -> list[str]:
    return [f"{getattr(rank, name):.3f}" for name in SHOWN]


def _rank(strategy: str, results: list[TrialResult], cpu: float) -> Rank:
    topics = list(_grouped(results, _topic).values())
    areas = np.array([_mean(same_topic, "area") for same_topic in topics])
    low, mean, high = metrics.bootstrap(areas)
    return Rank(
        strategy,
        area=mean,
        low=low,
        high=high,
        worst=float(areas.min()),
        share=_mean_over_topics(topics, "share"),
        harvest=_mean_over_topics(topics, "harvest"),
        recall=_mean_over_topics(topics, "recall"),
        cpu=cpu,
    )


def _pair(one: str, other: str, first: dict[Trial, TrialResult], second: dict[Trial, TrialResult]) -> Pair | None:
    topics: dict[tuple[str, str], list[float]] = {}
    for task, result in first.items():
        if rival := second.get(task):
            topics.setdefault(_topic(task), []).append(result.numbers["area"] - rival.numbers["area"])
    if not topics:
        return None
    # One value for each topic: start sets of one topic are not independent, and would make the interval too narrow.
    differences = np.array([np.mean(values) for values in topics.values()])
    low, mean, high = metrics.bootstrap(differences)
    wins = int((differences > ROUNDING).sum())
    losses = int((differences < -ROUNDING).sum())
    return Pair(one, other, mean, low, high, wins, ties=len(differences) - wins - losses, losses=losses)


def _overlap(one: str, other: str, first: dict[Trial, TrialResult], second: dict[Trial, TrialResult]) -> Overlap | None:
    both = [(result, second[task]) for task, result in first.items() if task in second]
    if not both:
        return None
    pages = [metrics.overlap(a.visits, b.visits) for a, b in both]
    found = [metrics.overlap(a.hits, b.hits) for a, b in both]
    return Overlap(one, other, float(np.mean(pages)), float(np.mean(found)))


def _spent(results: list[TrialResult]) -> dict[str, float]:
    visits = max(1.0, sum(result.numbers["visits"] for result in results))
    parts: dict[str, None] = {}
    for result in results:
        parts |= dict.fromkeys(result.spent)
    return {part: 1000 * _seconds(results, part) / visits for part in parts}


def _seconds(results: list[TrialResult], part: str) -> float:
    return sum(result.spent.get(part, 0.0) for result in results)


def _grouped(results: Iterable[TrialResult], key: Callable[[Trial], Key]) -> dict[Key, list[TrialResult]]:
    groups: dict[Key, list[TrialResult]] = {}
    for result in results:
        groups.setdefault(key(result.trial), []).append(result)
    return groups


def _topic(trial: Trial) -> tuple[str, str]:
    return trial.world, trial.topic


def _mean_over_topics(topics: Sequence[Sequence[TrialResult]], name: str) -> float:
    return float(np.mean([_mean(same_topic, name) for same_topic in topics]))


def _mean(results: Sequence[TrialResult], name: str) -> float:
    return float(np.mean([result.numbers[name] for result in results]))
