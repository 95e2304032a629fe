"""Crawls that meet a change, on a small labyrinth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.lab.change import SHARES, drift, refocus, reuse
from clew.lab.planning import sample
from clew.lab.task import opened
from clew.lab.trial import Trial

WORLD = "labyrinth:300"


@pytest.fixture
def trial() -> Trial:
    return Trial(WORLD, "sports", "best_first", budget=150)


def test_the_more_pages_are_gone_the_less_is_found(trial: Trial) -> None:
    tolerance = drift(trial)
    assert tuple(tolerance) == SHARES
    assert drift(trial, [0.0]) == {0.0: 1.0}
    assert 0.0 < tolerance[0.4] < tolerance[0.05] <= 1.1
    assert drift(trial) == tolerance


def test_what_was_learnt_on_the_same_topic_does_no_harm(trial: Trial) -> None:
    shark = replace(trial, strategy="shark")
    assert reuse(shark, shark) > -0.2
    assert reuse(trial, trial) == 0.0  # best-first learns nothing


def test_a_crawl_whose_interest_changes_comes_back(trial: Trial) -> None:
    topic = next(name for name in sample(opened(WORLD), 8) if name not in ("sports", "water sports"))
    delay = refocus(trial, topic, change=30, width=20, share=0.3)
    assert delay is None or 20 <= delay <= 120
    assert refocus(trial, "sports", change=30, width=20, share=0.0) == 20
