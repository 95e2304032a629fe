"""Compares strategies, in one call or by an experiment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from clew.lab.comparison import BASELINE, Comparison, Rank
from clew.lab.experiment import Experiment
from clew.lab.planning import plan, sample
from clew.lab.running import JobFailure, Watch, run_all
from clew.lab.task import opened
from clew.lab.trial import Trial, TrialResult
from clew.lab.worlds import World

__all__ = ["BASELINE", "Comparison", "Experiment", "JobFailure", "Rank", "compare", "perform", "ranking", "sample"]


def compare(
    strategies: str | Sequence[Any],
    worlds: str | Sequence[str] = "labyrinth",
    *,
    jobs: int | None = None,
    fresh: bool = False,
    watch: Watch = lambda outcome: None,
    **fields: Any,
) -> Comparison:
    """Run strategies on worlds and measure them against the oracle; `fields` are those of an `Experiment`.

    >>> comparison = compare(["shark", "breadth_first"], "labyrinth:300", topics=2, starts=0, budgets=30, jobs=1)
    >>> len(comparison.results), len(comparison.ranking()), comparison.failures
    (4, 2, [])
    """
    experiment = Experiment.of({"worlds": worlds, "strategies": strategies, **fields})
    return perform(experiment, jobs=jobs, fresh=fresh, watch=watch)


def perform(
    experiment: Experiment,
    *,
    jobs: int | None = None,
    fresh: bool = False,
    watch: Watch = lambda outcome: None,
    planned: Callable[[Sequence[Trial]], None] = lambda trials: None,
    find: Callable[[str], World] = opened,
) -> Comparison:
    """Run an experiment; `planned` is called once with all trials, `watch` with each outcome."""
    work = plan(experiment, find)
    planned(work.trials)
    outcomes, cached = run_all(work.trials, jobs=jobs, fresh=fresh, watch=watch)
    results = [outcome for outcome in outcomes if isinstance(outcome, TrialResult)]
    failures = [outcome for outcome in outcomes if isinstance(outcome, JobFailure)]
    return Comparison(results, experiment.title, experiment.text, failures, work.notes, cached)


def ranking(results: Iterable[TrialResult]) -> list[Rank]:
    """The strategies with their mean measures, the largest area first."""
    return Comparison(list(results)).ranking()
