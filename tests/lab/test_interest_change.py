"""Reactions to change on a small labyrinth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clew.lab.interest_change import DRIFT_SHARES, WINDOW_VISITS, change_interest, drift, head_start, reuse, steer
from clew.lab.planning import sample
from clew.lab.task import opened, task
from clew.lab.trial import Trial, crawled

WORLD = "labyrinth:300"


@pytest.fixture
def trial() -> Trial:
    return Trial(WORLD, "sports", "best_first", budget=150)


def test_the_more_pages_are_removed_the_less_is_found(trial: Trial) -> None:
    tolerance = drift(trial)
    assert tuple(tolerance) == DRIFT_SHARES
    assert drift(trial, [0.0]) == {0.0: 1.0}
    assert 0.0 < tolerance[0.4] < tolerance[0.05] <= 1.1
    assert drift(trial) == tolerance


def test_a_state_learnt_on_the_same_topic_does_no_harm(trial: Trial) -> None:
    shark = replace(trial, strategy="shark")
    assert reuse(shark, shark) > -0.2
    assert reuse(trial, trial) == 0.0  # best-first learns nothing


def test_a_crawl_recovers_from_a_change_of_interest(trial: Trial) -> None:
    topic = next(name for name in sample(opened(WORLD), 8) if name not in ("sports", "water sports"))
    reaction = change_interest(trial, topic, change=30)
    assert reaction.delay is None or WINDOW_VISITS <= reaction.delay <= 120
    assert 0.0 < reaction.harvest <= 1.0
    assert reaction.fresh > 0.0
    assert change_interest(trial, topic, change=30) == reaction
    assert change_interest(trial, "sports", change=30).delay == WINDOW_VISITS  # the same interest again is no change


def test_labels_lead_a_crawl_to_another_topic(trial: Trial) -> None:
    reaction = steer(trial, "sailing", change=30)
    assert steer(trial, "sailing", change=30) == reaction
    assert reaction.delay is None or WINDOW_VISITS <= reaction.delay <= 120
    the_task = task(replace(trial, topic="sailing", budget=120).task)
    unlabelled_crawl = [
        the_task.truth[the_task.world.id_of(url)] for url in crawled(trial, task(trial.task)).order[30:]
    ]
    assert reaction.harvest > np.mean([label for label in unlabelled_crawl if label >= 0])


def test_a_head_start_is_compared_with_a_fresh_crawl(trial: Trial) -> None:
    reaction = head_start(trial, trial)  # best-first learns nothing
    assert reaction.harvest == reaction.fresh > 0.0
