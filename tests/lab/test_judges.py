"""Judges: what each is trained on, how wrong it is, and which are unknown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clew.errors import ConfigError
from clew.lab.experiment import Experiment
from clew.lab.judges import JUDGES, NEGATIVE, judge
from clew.lab.meter import Meter
from clew.lab.task import task
from clew.lab.trial import Trial, crawled, run
from clew.lab.worlds import World, find
from clew.types import Doc

WORLD = "labyrinth:500"
TOPIC = "sailing"


@pytest.fixture(scope="module")
def world() -> World:
    return find(WORLD)


def weights(world: World, kind: str, seed: int = 0) -> dict[str, float]:
    interest, _ = judge(kind, world, TOPIC, seed)
    return dict(interest.measures["target"].weights)  # type: ignore[attr-defined]  # trained judges are formulas


def quality(world: World, kind: str) -> float:
    """The mean relevance of pages on the topic minus that of other pages, without the training pages."""
    interest, shown = judge(kind, world, TOPIC)
    truth = world.truth(TOPIC).copy()
    truth[shown] = -1
    wanted, others = (
        np.mean([interest.judge(world.doc(int(page))).relevance for page in np.flatnonzero(truth == label)[:60]])
        for label in (1, 0)
    )
    return float(wanted - others)


def test_keywords_know_the_title_and_nothing_else(world: World) -> None:
    interest, shown = judge("keywords", world, "water sports")
    assert not len(shown)
    assert interest.rate("Sports") > 0.5 < interest.rate("water")
    assert interest.rate("a dinghy regatta") == 0.0
    assert interest.judge(Doc("http://a.org/", terms={"sport": 5})).relevant
    either, _ = judge("keywords", world, "sailing AND NOT surfing")
    assert str(either) == "sailing AND NOT surfing"


def test_examples_have_no_counter_examples(world: World) -> None:
    _, shown = judge("examples", world, TOPIC)
    _, seen = judge("classifier", world, TOPIC)
    assert (world.truth(TOPIC)[shown] == 1).all()
    assert shown.tolist() == seen[:-NEGATIVE].tolist()
    assert quality(world, "examples") > 0.1


def test_noise_is_a_share_of_wrong_labels_and_the_same_each_time(world: World) -> None:
    _, right = judge("classifier", world, TOPIC)
    _, shown = judge("noise:20", world, TOPIC)
    assert shown.tolist() == right.tolist()
    assert weights(world, "noise:20") == weights(world, "noise:20")
    assert weights(world, "noise:20") != weights(world, "noise:10") != weights(world, "classifier")
    assert weights(world, "noise:20", seed=1) != weights(world, "noise:20")
    assert quality(world, "classifier") > quality(world, "noise:20") > 0.0


@pytest.mark.parametrize("kind", JUDGES)
def test_every_judge_guides_a_crawl_that_is_measured_by_the_truth(kind: str) -> None:
    result = run(Trial(WORLD, TOPIC, "best_first", judge=kind, budget=60))
    _, shown = judge(kind, find(WORLD), TOPIC)
    assert result.numbers["visits"] == 60
    assert not set(result.hits.tolist()) & set(shown.tolist())


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (
            "nobody",
            "there is no judge 'nobody'; there are: truth, classifier, keywords, formula, examples, examples:5",
        ),
        ("keyword", "there is no judge 'keyword'; did you mean 'keywords'"),
        ("noise", "there is no judge 'noise'; did you mean 'noise:20' or 'noise:10'"),
        ("noise:", "'noise:' must give the percentage of wrong labels, 1 to 50, as in noise:10"),
        ("noise:0", "'noise:0' must give"),
        ("noise:51", "'noise:51' must give"),
        ("noise:0.1", "'noise:0.1' must give"),
    ],
)
def test_unknown_judges_are_reported(world: World, kind: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        judge(kind, world, TOPIC)
    with pytest.raises(ConfigError, match=message):
        Experiment.of({"worlds": WORLD, "strategies": "shark", "judges": ["truth", kind]})


def test_an_experiment_accepts_every_judge() -> None:
    judges = ["keywords", "examples", "noise:15"]
    assert Experiment.of({"worlds": WORLD, "strategies": "shark", "judges": judges}).judges == tuple(judges)


def test_a_judge_that_learns_learns_in_measured_trials_too() -> None:
    trial = Trial("labyrinth:1500", "sailing", "best_first", judge="keywords", budget=60)
    meter = Meter()
    crawl = crawled(trial, task(trial.task), prepare=meter.attach)
    late = [record for record in crawl.records[40:] if record.state == "fetched"]
    assert late
    assert all(record.topics["learned"] == record.relevance for record in late)
    assert meter.stop(60.0)["judging"] > 0.0


def test_a_formula_knows_the_taxonomy_so_its_focus_can_widen() -> None:
    world = find("labyrinth:2000:regions")
    interest, shown = judge("formula", world, "sailing AND Ruegen")
    assert not len(shown)
    assert interest.judge(Doc("http://a.org/", terms={"regatta": 5, "binz": 5})).relevant
    wider = interest.wider("taxonomy", {"sailing": 1, "Ruegen": 2})
    assert str(wider) == '"water sports" AND Ruegen' or str(wider) == "water sports AND Ruegen"
    found, _ = judge("classifier", world, "sailing AND Ruegen")
    assert found.wider() is None


def test_a_formula_without_keywords_takes_the_titles(world: World) -> None:
    bare = replace(world, labels=replace(world.labels, keywords={}))  # type: ignore[type-var,attr-defined]
    interest, _ = judge("formula", bare, "water sports")
    assert interest.rate("Sports") > 0.5
    assert interest.rate("a dinghy regatta") == 0.0
    assert judge("formula", world, "water sports")[0].rate("a dinghy regatta") > 0.5


def test_a_mixture_learns_its_topics_and_keeps_its_predicates(world: World) -> None:
    mixture = f'{TOPIC} AND url("/")'
    interest, shown = judge("classifier", world, mixture)
    alone, shown_alone = judge("classifier", world, TOPIC)
    assert np.array_equal(shown, np.unique(shown_alone))
    for page in range(0, 500, 25):
        doc = world.doc(page)
        assert interest.judge(doc).relevance == pytest.approx(alone.judge(doc).relevance)
        assert interest.judge(Doc("mailto:a", terms=doc.terms)).relevance == 0.0  # fails the test of the URL
    words, _ = judge("keywords", world, mixture)
    assert str(words) == mixture


def test_vocabulary_is_the_similarity_of_the_hybrid(world: World) -> None:
    assert quality(world, "vocabulary") > 0.05
    interest, shown = judge("vocabulary(k=1, clusters=1)", world, TOPIC)
    [measure] = interest.measures.values()  # type: ignore[attr-defined]
    assert (measure.k, len(measure.domains)) == (1, 1)
    assert (world.truth(TOPIC)[shown] == 1).all()
    with pytest.raises(ConfigError, match="no parameter 'n'"):
        judge("vocabulary(n=1)", world, TOPIC)
