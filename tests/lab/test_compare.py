"""Trials, judges and rankings on a small labyrinth."""

from __future__ import annotations

import numpy as np
import pytest

from clew.errors import ConfigError
from clew.lab.compare import compare, plan, ranking, sample
from clew.lab.judges import NEGATIVE, judge
from clew.lab.trial import Result, Trial, run
from clew.lab.worlds import World, find

WORLD = "labyrinth:800"


@pytest.fixture(scope="module")
def world() -> World:
    return find(WORLD)


def numbers(results: list[Result]) -> list[dict[str, object]]:
    """Everything but the time."""
    return [{name: value for name, value in result.row.items() if name != "cpu_ms"} for result in results]


def test_the_same_plan_gives_the_same_table_on_one_core_and_on_two() -> None:
    trials = plan(["best_first", "random_order"], [WORLD], topics=2, distances=(0, 1), budget=40)
    assert len(trials) == 8
    once = compare(trials, jobs=1)
    seen: list[Result] = []
    twice = compare(trials, jobs=2, watch=seen.append)
    assert numbers(once) == numbers(twice) == numbers(seen)


def test_no_crawl_beats_the_oracle() -> None:
    for result in compare(plan(["shark", "breadth_first"], [WORLD], topics=3, budget=100), jobs=1):
        assert (result.found <= result.best[: len(result.found)]).all()
        assert 0.0 <= result.numbers["area"] <= 1.0
        assert result.numbers["found"] == result.found[-1]


def test_start_pages_and_examples_count_for_nobody(world: World) -> None:
    [topic] = sample(world, 1)
    _, shown = judge("classifier", world, topic)
    truth = world.truth(topic)
    assert (truth[shown] == 0).sum() == NEGATIVE
    assert 0 < (truth[shown] == 1).sum() <= (truth == 1).sum() // 2
    guided = run(Trial(WORLD, topic, "best_first", judge="classifier", budget=60))
    assert guided.numbers["reachable"] <= (truth == 1).sum() - (truth[shown] == 1).sum()


def test_a_classifier_tells_the_topic_from_the_rest(world: World) -> None:
    [topic] = sample(world, 1)
    interest, shown = judge("classifier", world, topic)
    truth = world.truth(topic)
    truth[shown] = -1
    wanted, others = (
        [interest.judge(world.doc(int(page))).relevance for page in np.flatnonzero(truth == label)[:40]]
        for label in (1, 0)
    )
    assert np.mean(wanted) > np.mean(others) + 0.3


def test_ranking_counts_each_topic_once() -> None:
    def result(strategy: str, topic: str, area: float, cpu: float) -> Result:
        figures = {"area": area, "share": area, "harvest": area, "recall": area, "cpu_ms": cpu}
        return Result(Trial("w", topic, strategy), figures, np.zeros(1, int), np.zeros(1, int))

    results = [
        *(result("shark", "a", area, 3.0) for area in (0.4, 0.6)),
        result("shark", "b", 0.9, 3.0),
        result("breadth_first", "a", 0.2, 1.5),
        result("breadth_first", "b", 0.4, 1.5),
    ]
    first, second = ranking(results)
    assert (first.strategy, first.worst, first.cpu) == ("shark", 0.5, 2.0)
    assert first.area == pytest.approx(0.7)
    assert (second.strategy, second.cpu) == ("breadth_first", 1.0)


def test_what_cannot_be_compared_is_told() -> None:
    with pytest.raises(ConfigError, match="judge"):
        run(Trial(WORLD, sample(find(WORLD), 1)[0], "shark", judge="nobody"))
    with pytest.raises(ConfigError, match="world"):
        plan(["shark"], ["labyrnth"])
