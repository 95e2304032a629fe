"""Labelled pages become examples and counter-examples of topics."""

from __future__ import annotations

from typing import Any

import pytest

from clew import config
from clew.interests import build, lessons, parse
from clew.interests.lessons import Lesson
from clew.types import Doc

TAX = "The minister speaks about the tax law in the city council"
TOPICS = {"sailing": 0.9, "golf": 0.2, "ads": 0.4}


@pytest.mark.parametrize(
    ("formula", "wanted", "meant"),
    [
        ("sailing", True, {"sailing": True}),
        ("sailing", False, {"sailing": False}),
        ("sailing AND golf", True, {"sailing": True, "golf": True}),
        ("sailing AND golf", False, {"golf": False}),
        ("sailing OR golf", True, {"sailing": True}),
        ("sailing OR golf", False, {"sailing": False, "golf": False}),
        ("sailing AND NOT ads", True, {"sailing": True, "ads": False}),
        ("sailing AND NOT ads", False, {"ads": True}),
        ('sailing AND word("boat")', True, {"sailing": True}),
        ("ANY", True, {}),
    ],
)
def test_a_label_says_what_must_hold_of_the_topics(formula: str, wanted: bool, meant: dict[str, bool]) -> None:
    found = lessons(parse(formula), [(Doc("a"), wanted, TOPICS)])
    assert {name: bool(lesson.yes) for name, lesson in found.items()} == meant


def test_a_topic_with_examples_learns_and_one_with_keywords_does_not() -> None:
    docs = {"boats": [Doc("x", terms={"boat": 3, "sail": 2}), Doc("y", terms={"boat": 2, "mast": 2})]}
    topics = {"boats": config.Topic(examples=("boats",)), "wind": config.Topic(keywords=("wind",))}
    strange = Doc("z", terms={"regatta": 3, "wind": 2})
    learnt = lessons(parse("boats AND wind"), [(strange, True, {})])
    plain = build("boats AND wind", topics, read=docs.__getitem__)
    taught = build("boats AND wind", topics, read=docs.__getitem__, taught=learnt)
    before, after = plain.judge(strange).topics, taught.judge(strange).topics
    assert after["boats"] > before["boats"] + 0.2
    assert after["wind"] == before["wind"]


TREE = {
    "sports": config.Topic(),
    "sailing": config.Topic("sports", examples=("sailing/",)),
    "golf": config.Topic("sports", examples=("golf/",)),
}
SAIL = "We trimmed the sail of our yacht and the wind took us out of the harbour"
RACE = "Catamarans with foils fly over the course, foils and catamarans make the foils race"
SALE = "Yacht for sale: sail the yacht away, price of the yacht on demand, brokers sell every sail and yacht"
PUTT = "A putt from the fringe of the green: the putter, the green and the hole, said the golf teacher"


@pytest.mark.parametrize("formula", ["sailing", "sports"])
@pytest.mark.parametrize("topic_model", ["linear", "bayes", "hierarchy", "vocabulary"])
def test_every_judge_learns_from_labels(topic_model: str, formula: str, doc: Any, shelf: Any) -> None:
    def judged(text: str, *labels: tuple[str, bool]) -> float:
        taught = lessons(parse(formula), [(doc(other), wanted, {}) for other, wanted in labels])
        return build(formula, TREE, read=shelf, topic_model=topic_model, taught=taught).judge(doc(text)).relevance

    assert judged(RACE, (RACE, True)) > judged(RACE) + 0.01
    assert judged(SALE, (SALE, False)) < 0.8 * judged(SALE)
    for label in ((RACE, True), (SALE, False)):
        assert judged(SAIL, label) > 0.6 * judged(SAIL)
        assert judged(SAIL, label) > judged(TAX, label)


def test_what_is_not_about_a_topic_may_be_about_the_one_above(doc: Any, shelf: Any) -> None:
    refused = {"sailing": Lesson([], [doc(PUTT)])}
    plain, taught = (
        build("sports", TREE, read=shelf, topic_model="hierarchy", taught=lesson) for lesson in ({}, refused)
    )
    assert taught.judge(doc(PUTT)).topics["sports"] == pytest.approx(plain.judge(doc(PUTT)).topics["sports"], abs=0.01)


def test_a_word_without_examples_stays_a_word_under_a_hierarchy(doc: Any, shelf: Any) -> None:
    taught = {"harbour": Lesson([doc(RACE)], []), "sailing": Lesson([], [])}
    interest = build("sailing AND harbour", TREE, read=shelf, topic_model="hierarchy", taught=taught)
    assert interest.judge(doc(RACE)).topics["harbour"] == 0.0
    assert interest.judge(doc(SAIL)).topics["harbour"] > 0.0
