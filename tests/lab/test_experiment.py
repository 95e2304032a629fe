"""Experiments: how they are read and planned, and mistakes that are reported before anything runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from clew.errors import ConfigError
from clew.lab.compare import perform
from clew.lab.experiment import Experiment, Recipe
from clew.lab.planning import chosen, plan, sample
from clew.lab.task import opened
from clew.lab.worlds import find

Write = Callable[[Path, dict[str, "str | int"]], Path]
WORLD = "labyrinth:300"
SMALL = {"worlds": WORLD, "strategies": ["shark", "breadth_first"], "topics": 2, "starts": [0, 1], "budgets": 30}


def test_an_experiment_is_read(tmp_path: Path) -> None:
    file = tmp_path / "inheritance_of_sharks.toml"
    file.write_text(
        'text = "what it shows"\n'
        'worlds = ["labyrinth:300"]\n'
        'topics = {"labyrinth:300" = ["sailing"]}\n'
        'strategies = ["best_first", {name = "gentle", spec = "shark(gamma=0.1)"}]\n'
        'judges = ["truth", "classifier"]\n'
        "starts = [0, 2]\nsets = 2\nbudgets = [10, 20]\nseeds = [0, 1]\nparallel = [1, 16]\n"
    )
    experiment = Experiment.read(file)
    assert (experiment.title, experiment.text) == ("inheritance of sharks", "what it shows")
    assert experiment.strategies == (Recipe("best_first", "best_first"), Recipe("gentle", "shark(gamma=0.1)"))
    trials = plan(experiment).trials
    assert len(trials) == len(set(trials)) == 2 * 2 * 2 * 2 * 2 * 2 * 2
    assert {(trial.strategy, trial.recipe) for trial in trials} == {
        ("best_first", "best_first"),
        ("gentle", "shark(gamma=0.1)"),
    }
    assert {(trial.seed, trial.start) for trial in trials} == {(0, 0), (0, 1), (1, 2), (1, 3)}
    tasks = [trial.task for trial in trials]
    assert sum(one != other for one, other in pairwise(tasks)) == len(set(tasks)) - 1


def test_with_and_without_a_link_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "beyond.toml"
    file.write_text(
        'worlds = "labyrinth:300"\ntopics = "sailing"\nstarts = 0\nbudgets = 150\nlink_source = [false, true]\n'
        'strategies = ["context_graph(least=2)", "genetic", "fab(day=20)", "breadth_first"]\n'
    )
    trials = plan(Experiment.read(file)).trials
    assert [trial.link_source for trial in trials] == [False] * 4 + [True] * 4
    assert len({trial.task for trial in trials}) == 1
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    comparison = perform(Experiment.read(file), jobs=1)
    visits = {
        (result.trial.strategy, result.trial.link_source): result.visits.tolist() for result in comparison.results
    }
    changed = {name for name, link_source in visits if link_source and visits[name, True] != visits[name, False]}
    assert changed == {"context_graph(least=2)", "genetic", "fab(day=20)"}
    assert list(comparison.parts()) == [
        "guided by the truth, 150 visits",
        "guided by the truth, 150 visits, with back-links and searches",
    ]


def test_a_number_of_topics_is_a_sample_from_rare_to_common() -> None:
    world = opened(WORLD)
    topics = chosen(3, world, WORLD)
    assert topics == sample(world, 3)
    assert len(topics) == 3
    assert [world.topics[topic] for topic in topics] == sorted(world.topics[topic] for topic in topics)


def test_a_recipe_may_name_the_web_it_runs_on() -> None:
    recipe = {"name": "fair", "spec": "adaptive(prior='trained without {web}')"}
    planned = plan(Experiment.of(SMALL | {"strategies": [recipe]}))
    assert {trial.recipe for trial in planned.trials} == {"adaptive(prior='trained without labyrinth')"}
    assert {trial.strategy for trial in planned.trials} == {"fair"}


def test_tasks_without_start_pages_are_noted() -> None:
    planned = plan(Experiment.of(SMALL | {"starts": [0, 50]}))
    assert {trial.distance for trial in planned.trials} == {0}
    assert len(planned.notes) == 2
    assert "50 links from" in planned.notes[0]
    with pytest.raises(ConfigError, match=r"nothing to run on labyrinth:300: .*50 links"):
        plan(Experiment.of(SMALL | {"starts": 50}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"strategy": "shark"}, "no field 'strategy' of an experiment; did you mean 'strategies'"),
        ({"worlds": []}, "needs worlds: worlds = "),
        ({"strategies": ""}, "needs strategies"),
        ({"strategies": ["shark", {"name": "shark", "spec": "shark(gamma=0.1)"}]}, "two strategies are called 'shark'"),
        ({"strategies": [{"nam": "a", "spec": "shark"}]}, "no key 'nam'; did you mean 'name'"),
        ({"strategies": [{"name": "a"}]}, "needs a spec"),
        ({"strategies": [3]}, "names and tables"),
        ({"judges": "truht"}, "no judge 'truht'; did you mean 'truth'"),
        ({"budgets": 0}, "budgets must be at least 1"),
        ({"budgets": [True]}, "budgets must be a int"),
        ({"link_source": "yes"}, "link_source must be true or false, or both in a list, not 'yes'"),
        ({"starts": []}, "starts is an empty list"),
        ({"starts": -1}, "at least 0"),
        ({"sets": 0}, "sets must be at least 1"),
        ({"topics": 0}, "topics must be at least 1"),
        ({"topics": 0.5}, "topics must be a number, a list of topics, or a table"),
        ({"title": 3}, "title must be a str"),
        ({"strategies": "shrk"}, "strategy 'shrk': there is no strategy 'shrk'; did you mean 'shark'"),
        ({"strategies": "shark(gama=1)"}, "no parameter 'gama'"),
        ({"strategies": "best_first(n=0)"}, "n must be at least 1"),
        ({"worlds": "labyrnth"}, "no world 'labyrnth'"),
        ({"topics": ["sailin"]}, "labyrinth:300: .*'sailin'"),
        ({"topics": {"webkb": 3}}, "topics: there is no world 'webkb'"),
        ({"worlds": [WORLD, "labyrinth:400"], "topics": {WORLD: 3}}, "there are none for 'labyrinth:400'"),
    ],
)
def test_mistakes_are_reported(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        plan(Experiment.of(SMALL | change))


@pytest.mark.parametrize(("text", "message"), [(None, "there is no file"), ("a = ", "is not a TOML file")])
def test_files_that_cannot_be_read(tmp_path: Path, text: str | None, message: str) -> None:
    file = tmp_path / "experiment.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(ConfigError, match=message):
        Experiment.read(file)


def test_a_mistake_in_a_file_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "experiment.toml"
    file.write_text('world = "labyrinth"')
    with pytest.raises(ConfigError, match=r"experiment\.toml: there is no field 'world'"):
        Experiment.read(file)


def test_warnings_about_a_world_come_with_its_results(tmp_path: Path, write_warc: Write) -> None:
    warc = write_warc(tmp_path / "small.warc.gz", {f"http://a.org/{n}": "<p>boats <a href=/1>on</a>" for n in range(9)})
    fields = SMALL | {"worlds": str(warc), "starts": 0}
    with pytest.raises(ConfigError, match="it has no topics"):
        plan(Experiment.of(fields), find)
    labels = {
        "topics": {"boats": ["http://a.org/1", "http://a.org/2", "http://a.org/gone"], "cars": ["http://a.org/3"]}
    }
    (tmp_path / "small.topics.json").write_text(json.dumps(labels))
    with pytest.raises(ConfigError, match="no topic has 25 pages"):
        plan(Experiment.of(fields), find)
    planned = plan(Experiment.of(fields | {"topics": ["boats"]}), find)
    warning = "warning: small: 1 labelled URLs are not among the pages, such as http://a.org/gone"
    assert (planned.notes, len(planned.trials)) == ([warning], 2)


def test_strategies_begin_with_what_an_earlier_crawl_has_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    recipes = [
        {"name": "fresh", "spec": "intelligent"},
        {"name": "same", "spec": "intelligent", "learned_from": "same"},
        {"name": "broader", "spec": "intelligent", "learned_from": "broader"},
        {"name": "other", "spec": "intelligent", "learned_from": "music"},
    ]
    mixture = 'sports AND word("boat")'
    experiment = Experiment.of(SMALL | {"topics": [mixture], "strategies": recipes, "starts": 1, "budgets": 60})
    trials = plan(experiment).trials
    assert [trial.learned for trial in trials] == ["", mixture, "sports", "music"]
    assert len({trial.task for trial in trials}) == 1
    earlier = trials[2].earlier
    assert (earlier.topic, earlier.start, earlier.learned, earlier.recipe) == ("sports", 1, "", "intelligent")
    comparison = perform(experiment, jobs=1)
    visits = [result.visits.tolist() for result in comparison.results]
    assert all(visits[0] != others for others in visits[1:])
    # What a strategy has learned belongs to it, so all are compared on one task.
    assert len(comparison.pairs()) == 6
    unknown = [{"spec": "intelligent", "learned_from": "football"}]
    with pytest.raises(ConfigError, match="learned_from: there is no topic 'football'"):
        plan(Experiment.of(SMALL | {"strategies": unknown}))


def test_an_earlier_crawl_needs_a_last_part_to_leave_out() -> None:
    recipes = [{"name": "broader", "spec": "intelligent", "learned_from": "broader"}]
    with pytest.raises(ConfigError, match="it is no AND"):
        plan(Experiment.of(SMALL | {"topics": ["sailing"], "strategies": recipes}))
    with pytest.raises(ConfigError, match="learned_from must be text"):
        Experiment.of(SMALL | {"strategies": [{"spec": "shark", "learned_from": 3}]})
