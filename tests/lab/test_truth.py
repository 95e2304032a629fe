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


# Pages in order: a.org/, a.org/sail, a.org/index/boats, b.org/row, b.org/far (without a label), b.org/lone
@pytest.mark.parametrize(
    ("formula", "truth"),
    [
        ('word("sails")', [1, 1, 0, 0, 0, 0]),
        ('url("b.org")', [0, 0, 0, 1, 1, 1]),  # needs no label, so the page without one counts
        ('boats AND url("b.org")', [0, 0, 0, 1, -1, 0]),
        ('boats AND url("a.org")', [0, 1, 0, 0, 0, 0]),  # the URL decides for the page without a label
        ('boats OR url("b.org")', [0, 1, 0, 1, 1, 1]),
        ('NOT boats AND url("b.org")', [0, 0, 0, 0, -1, 1]),
        ('boats.sail OR word("island") AND NOT url("a.org")', [0, 1, 0, 0, -1, 1]),
        (f'python("{__name__}:has_no_links")', [0, 0, 0, 0, 1, 0]),
        (f'boats AND NOT python("{__name__}:has_no_links")', [0, 1, 0, 1, 0, 0]),
    ],
)
def test_predicates_test_the_pages_themselves(world: Snapshot, formula: str, truth: list[int]) -> None:
    assert world.truth(formula).tolist() == truth
    interest = truth_interest(world, formula)
    for page, label in enumerate(truth):
        assert label < 0 or interest.judge(world.doc(page)).relevant == bool(label)


def has_no_links(doc: Doc) -> bool:
    return not doc.links


def test_a_page_is_similar_to_itself(world: Snapshot) -> None:
    assert world.truth(f'similar("{B}lone") >= 0.99').tolist() == [0, 0, 0, 0, 0, 1]


def test_labels_alone_cannot_test_pages(world: Snapshot) -> None:
    with pytest.raises(ConfigError, match="without pages"):
        world.labels.truth('word("sail")', 6)


def test_start_pages_of_a_formula(world: Snapshot) -> None:
    assert world.seeds("boats AND NOT boats.sail", 3) == [f"{B}row"]
    assert set(world.seeds("boats.row OR boats.sail", 9)) == {f"{A}sail", f"{B}row"}


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("boats AND boats.sale", "no topic 'boats.sale'; did you mean 'boats.sail'"),
        ("boats.raft", "no topic 'boats.raft'"),  # in the tree, but without pages
        ("boats AND (", "nor is it a formula: a topic or predicate is missing"),
        ('boats AND word("the")', "no searchable word"),
        ('boats AND python("nowhere:at_all")', "cannot import nowhere"),
        ('similar("http://elsewhere.org/")', "similar needs the URL of a page of the world"),
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
