from __future__ import annotations

from pathlib import Path

import pytest

from clew.errors import ConfigError
from clew.lab.snapshot import Snapshot
from clew.lab.truth import truth_interest
from clew.types import Doc

A, B = "http://a.org/", "http://b.org/"


@pytest.fixture
def world(tiny: Path) -> Snapshot:
    return Snapshot.load(tiny / "tiny.warc.gz", tiny / "tiny.topics.json")


@pytest.mark.parametrize(
    ("formula", "truth"),
    [
        ("boats.sail OR boats.row", [0, 1, 0, 1, -1, 0]),
        ("boats.sail AND boats.row", [0, 0, 0, 0, -1, 0]),
        ("boats AND NOT boats.row", [0, 1, 0, 0, -1, 0]),
        ("NOT boats", [1, 0, 1, 0, -1, 1]),
        ('"boats.sail"', [0, 1, 0, 0, -1, 0]),
    ],
)
def test_a_formula_over_topics_is_a_topic(world: Snapshot, formula: str, truth: list[int]) -> None:
    assert world.truth(formula).tolist() == truth
    assert world.title(formula) == formula
    assert formula not in world.topics
    interest = truth_interest(world, formula)
    for url, label in zip(world.urls, truth, strict=True):
        assert label < 0 or interest.judge(Doc(url)).relevant == bool(label)


def test_start_pages_of_a_formula(world: Snapshot) -> None:
    assert world.seeds("boats AND NOT boats.sail", 3) == [f"{B}row"]
    assert set(world.seeds("boats.row OR boats.sail", 9)) == {f"{A}sail", f"{B}row"}


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("boats AND boats.sale", "no topic 'boats.sale'; did you mean 'boats.sail'"),
        ("boats.raft", "no topic 'boats.raft'"),  # in the tree, but without pages
        ("boats AND (", "nor is it a formula: a topic or predicate is missing"),
        ('boats AND word("sail")', "formulas over labels may contain topics only"),
    ],
)
def test_mistakes_are_reported(world: Snapshot, formula: str, message: str) -> None:
    for ask in (world.truth, lambda topic: truth_interest(world, topic)):
        with pytest.raises(ConfigError) as caught:
            ask(formula)
        assert message in str(caught.value)


def test_memberships_include_ancestors(world: Snapshot) -> None:
    interest = truth_interest(world, "boats.sail AND NOT boats.row")
    judgement = interest.judge(Doc(f"{A}sail"))
    assert judgement == (1.0, True, {"boats.sail": 1.0, "boats": 1.0, "boats.row": 0.0})
    assert interest.value({"boats.sail": 1.0, "boats.row": 1.0}) == 0.0
    assert interest.judge(Doc("http://elsewhere.org/")).relevance == 0.0
    assert str(interest.guide()) == "boats.sail"


def test_widening_follows_the_taxonomy(world: Snapshot) -> None:
    wider = truth_interest(world, "boats.sail").wider()
    assert wider is not None
    assert str(wider) == "boats"
    assert wider.judge(Doc(f"{B}row")).relevant
    assert wider.wider() is None
    both = truth_interest(world, "boats.sail AND boats.row")
    assert str(both.wider("drop", {"boats.sail": 5, "boats.row": 2})) == "boats.row"
    assert str(both.wider("taxonomy", {"boats.sail": 5, "boats.row": 2})) == "boats.sail AND boats"


def test_texts_are_rated_by_the_words_of_the_titles(world: Snapshot) -> None:
    interest = truth_interest(world, "boats.sail OR boats.row")  # «Sailing boats», «boats.row»
    assert interest.rate("He sails a boat") == 1.0
    assert (interest.rate("The race"), interest.rate("A row of houses")) == (0.0, 0.5)


def test_the_threshold_is_fixed(world: Snapshot) -> None:
    interest = truth_interest(world, "boats")
    assert interest.starting_from([0.0]).threshold == interest.threshold == 0.5
    assert type(interest.at(0.7)) is type(interest)
