"""All strategies learn from the same best-first crawl, and are measured on what follows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clew.errors import ConfigError
from clew.lab import result_cache
from clew.lab.experiment import Experiment
from clew.lab.planning import plan
from clew.lab.task import task
from clew.lab.trial import Trial, crawled, run

WORLD = "labyrinth:600"
TRIAL = Trial(WORLD, "sports", "best_first", budget=60, learn_visits=60)


def orders(strategy: str) -> tuple[list[str], list[str]]:
    trial = replace(TRIAL, strategy=strategy)
    order = crawled(trial, task(trial.task)).order
    return order[:60], order[60:]


def test_the_first_visits_are_the_same_for_all_and_the_others_are_their_own() -> None:
    learning, after = orders("best_first")
    for strategy in ("breadth_first", "apprentice(first=20)", "first_order"):
        theirs, own = orders(strategy)
        assert theirs == learning
        assert len(own) == 60
        assert own != after


def test_best_first_goes_on_as_if_nothing_had_happened() -> None:
    learning, after = orders("best_first")
    whole = replace(TRIAL, budget=120, learn_visits=0)
    assert crawled(whole, task(whole.task)).order == learning + after


def test_the_strategy_has_learned_from_all_pages_when_it_takes_over() -> None:
    trial = replace(TRIAL, strategy="first_order", budget=1)
    strategy = crawled(trial, task(trial.task)).strategy
    assert strategy.seen == 61  # type: ignore[attr-defined]


def test_only_the_visits_after_the_phase_are_measured() -> None:
    result = run(TRIAL)
    _, after = orders("best_first")
    world = task(TRIAL.task).world
    truth = task(TRIAL.task).truth
    pages = [world.id_of(url) for url in after]
    assert result.visits.tolist() == pages
    labels = truth[pages]
    assert result.numbers["harvest"] == pytest.approx(np.mean(labels[labels >= 0] == 1))
    # The judge is the truth here; it judges pages that do not count, too.
    assert result.numbers["judged_harvest"] == pytest.approx(np.mean(world.truth("sports")[pages] == 1))
    # The oracle goes on from the same pages, and finds at least as many.
    assert len(result.best) == 60
    assert result.best[-1] >= result.found[-1]


def test_an_experiment_names_the_visits_to_learn_from() -> None:
    data = {"worlds": [WORLD], "strategies": ["best_first"], "topics": ["sports"], "starts": [0], "budgets": [60]}
    [trial] = plan(Experiment.of({**data, "learn_visits": 60})).trials
    assert trial.learn_visits == 60
    assert result_cache.key(trial) != result_cache.key(replace(trial, learn_visits=0))
    with pytest.raises(ConfigError, match="learn_visits must be a int"):
        Experiment.of({**data, "learn_visits": "many"})
