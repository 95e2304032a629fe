"""Repeats that differ in the last digits, and live manners in trials."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import clew
from clew.errors import ConfigError
from clew.lab import gate, result_cache
from clew.lab.compare import compare
from clew.lab.experiment import Experiment
from clew.lab.measure import timed
from clew.lab.noise import JITTER, Jitter, spreads
from clew.lab.order_share import OrderShare, found_by, order_shares
from clew.lab.planning import plan
from clew.lab.task import opened
from clew.lab.trial import Trial, TrialResult, run

WORLD = "labyrinth:300"


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path_factory.getbasetemp() / "noise-cache"))


TRIAL = Trial(WORLD, "sports", "best_first", budget=60)


def result(trial: Trial, area: float, found: list[int], times: list[float] | None = None) -> TrialResult:
    numbers = {"area": area, "found": found[-1], "seconds": times[-1] if times else 0.0}
    return TrialResult(trial, numbers, np.array(found), np.array(found), times=np.array(times or []))


def test_a_jitter_is_small_keeps_ties_and_differs_by_repeat() -> None:
    scores = [0.0, 0.3, 0.3, -2.0, 1e6, -math.inf]
    for repeat in (1, 2):
        changed = [Jitter(repeat).of(score) for score in scores]
        assert changed[1] == changed[2] != 0.3
        assert changed[-1] == -math.inf
        assert changed == pytest.approx(scores, rel=JITTER)
    assert Jitter(1).of(0.3) != Jitter(2).of(0.3)


def test_a_jitter_can_be_larger() -> None:
    assert abs(Jitter(1, 0.1).of(0.3) - 0.3) == pytest.approx(1000 * abs(Jitter(1).of(0.3) - 0.3))
    trials = plan(Experiment.of({"worlds": WORLD, "strategies": "shark", "repeats": 2, "jitter": 0.1})).trials
    assert {each.jitter for each in trials} == {0.1}
    keys = {result_cache.key(replace(TRIAL, repeat=1, jitter=jitter)) for jitter in (JITTER, 0.1)}
    assert len(keys) == 2
    with pytest.raises(ConfigError, match="jitter must be a share"):
        Experiment.of({"worlds": WORLD, "strategies": "shark", "jitter": 3})


def test_a_relevant_page_that_could_not_be_had_is_not_found() -> None:
    manners = "live(failures=0.5, retries=0, forbidden=0.2)"
    faulty = run(replace(TRIAL, manners=manners))
    crawl = clew.simulate(WORLD, "sports", "best_first", pages=60, manners=manners)
    fetched = [record.url for record in crawl.records if record.state == "fetched"]
    world = opened(WORLD)
    truth = world.truth("sports") == 1
    failed = [record.url for record in crawl.records if record.state == "failed" and truth[world.id_of(record.url)]]
    assert len(failed) > 5
    assert faulty.numbers["visits"] == 60
    # Start pages earn nothing.
    assert faulty.numbers["found"] == sum(truth[world.id_of(url)] for url in fetched) - 3


def test_the_first_repeat_is_the_crawl_itself() -> None:
    crawl = clew.simulate(WORLD, "sports", "best_first", pages=60)
    world = opened(WORLD)
    assert run(TRIAL).visits.tolist() == [world.id_of(url) for url in crawl.order]


def test_repeats_are_planned_and_measured() -> None:
    comparison = compare(["adaptive"], WORLD, topics=1, starts=0, budgets=60, repeats=3, jobs=1)
    assert [each.trial.repeat for each in comparison.results] == [0, 1, 2]
    [spread] = spreads(comparison.results)
    areas = [each.numbers["area"] for each in comparison.results]
    assert spread.repeats == 3
    assert (spread.least, spread.most) == (min(areas), max(areas))
    assert spread.area == pytest.approx(np.mean(areas))
    [rank] = comparison.ranking()
    assert rank.area == pytest.approx(spread.area)


def test_a_spread_with_worked_numbers() -> None:
    results = [
        result(replace(TRIAL, repeat=repeat), area, [found])
        for repeat, (area, found) in enumerate([(0.4, 10), (0.6, 30)])
    ]
    [spread] = spreads(results)
    assert (spread.area, spread.least, spread.most) == pytest.approx((0.5, 0.4, 0.6))
    assert spread.deviation == pytest.approx(math.sqrt(0.02))
    assert (spread.found, spread.least_found, spread.most_found) == (20, 10, 30)


def test_the_share_of_the_ideal_order() -> None:
    live = replace(TRIAL, manners="live")
    results = [
        result(TRIAL, 0.5, [0, 40]),
        result(replace(TRIAL, repeat=1), 0.5, [0, 60]),
        result(live, 0.5, [0, 50], [1.0, 100.0]),
        result(replace(live, repeat=1), 0.5, [0, 30], [1.0, 200.0]),
        result(replace(live, topic="arts"), 0.5, [1], [1.0]),
    ]
    [share] = order_shares(results)
    assert share == OrderShare(live, found=40.0, ideal=50.0, seconds=150.0)
    assert share.share == 0.8


def test_what_was_found_by_a_time() -> None:
    crawl = result(TRIAL, 0.5, [1, 1, 2], [0.5, 2.0, 3.0])
    assert [found_by(crawl, seconds) for seconds in (0.4, 0.5, 2.9, 3.0, 99.0)] == [0, 1, 1, 2, 2]


def test_a_crawl_without_a_clock_has_no_times() -> None:
    assert timed(np.array([1, 0]), np.zeros(0)) == {}
    assert "seconds" not in run(TRIAL).numbers


def test_a_live_trial_has_virtual_times() -> None:
    outcome = run(replace(TRIAL, manners="live"))
    numbers = outcome.numbers
    assert numbers["visits"] == len(outcome.times) == 60
    assert numbers["seconds"] == outcome.times[-1] > 5
    assert numbers["found_60"] <= numbers["found_300"] <= numbers["found_1000"] == numbers["found"]
    assert outcome.spent["unpacking"] < 60


def test_live_trials_are_cached_with_their_times() -> None:
    outcome = run(replace(TRIAL, manners="live"))
    result_cache.put("aa", outcome)
    again = result_cache.get("aa", outcome.trial)
    assert again is not None
    assert again.times.tolist() == outcome.times.tolist()


def test_manners_and_repeats_are_in_the_key_and_not_in_the_repr() -> None:
    changes = [{}, {"manners": "live"}, {"manners": "live(patience=0)"}, {"repeat": 1}, {"repeat": 2}]
    keys = {result_cache.key(replace(TRIAL, **change)) for change in changes}
    assert len(keys) == len(changes)
    assert "manners" not in repr(TRIAL)
    assert "repeat" not in repr(TRIAL)


def test_experiments_name_manners() -> None:
    experiment = Experiment.of({"worlds": WORLD, "strategies": "shark", "manners": ["still", "live"], "topics": 1})
    assert [each.manners for each in plan(experiment).trials][:2] == ["still", "live"]
    with pytest.raises(ConfigError, match="there are no manners 'rude'"):
        Experiment.of({"worlds": WORLD, "strategies": "shark", "manners": "rude"})


def test_crawls_with_other_manners_are_not_ranked_together() -> None:
    comparison = compare(["shark"], WORLD, topics=1, starts=0, budgets=20, manners=["still", "live"], jobs=1)
    assert [text.partition("visits")[2] for text in comparison.parts()] == ["", ", manners live"]


def test_floors_for_live_manners(tmp_path) -> None:
    path = tmp_path / "floors.toml"
    floors = [gate.Floor("w", "d", "truth", "shark", 0.5), gate.Floor("w", "d", "truth", "shark", 0.4, "live")]
    gate.write(floors, path)
    assert path.read_text().count("manners") == 1
    assert gate.read(path) == floors
    assert [each.verdict for each in gate.check(floors, floors)] == ["fine", "fine"]


def test_simulate_with_live_manners() -> None:
    crawl = clew.simulate(WORLD, "sports", "best_first", pages=40, manners="live", parallel=4)
    assert len(crawl.times) == 40
    assert crawl.stats.seconds > 1
