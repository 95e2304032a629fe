"""Labels on pages as examples for topics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clew import config
from clew.interests import build, lessons, parse
from clew.types import Doc

Judged = Callable[..., float]
TREE = {
    "sports": config.Topic(),
    "sailing": config.Topic("sports", examples=("sailing/",)),
    "golf": config.Topic("sports", examples=("golf/",)),
}
SAIL = "We trimmed the sail of our yacht and the wind took us out of the harbour"
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
    said = lessons(parse("boats AND wind"), [(strange, True, {})])
    plain = build("boats AND wind", topics, read=docs.__getitem__)
    taught = build("boats AND wind", topics, read=docs.__getitem__, taught=said)
    before, after = plain.judge(strange).topics, taught.judge(strange).topics
    assert after["boats"] > before["boats"] + 0.2
    assert after["wind"] == before["wind"]


JUDGES = ["linear", "bayes", "hierarchy", "vocabulary"]
RACE = "Catamarans with foils fly over the course, foils and catamarans make the foils race"
PUTT = "A putt from the fringe of the green: the putter, the green and the hole, said the golf teacher"


@pytest.fixture
def judged(doc: Any, shelf: Any) -> Judged:
    """What a topic is worth on a text, by a judge that was told of texts whether they are wanted."""

    def judged(judge: str, text: str, topic: str = "sailing", **said: bool) -> float:
        texts = {"race": RACE, "putt": PUTT, "tax": TAX}
        told = [(doc(texts[name]), wanted, {}) for name, wanted in said.items()]
        interest = build("sailing", TREE, read=shelf, judge=judge, taught=lessons(parse("sailing"), told))
        return interest.judge(doc(text)).topics[topic]

    return judged


@pytest.mark.parametrize("judge", JUDGES)
def test_every_judge_learns_from_labels(judge: str, judged: Judged) -> None:
    assert judged(judge, RACE, race=True) > judged(judge, RACE) + 0.05
    assert judged(judge, TAX, race=True, tax=False) < judged(judge, TAX, race=True, tax=True)
    for told in ({"race": True}, {"tax": False}, {"putt": False}):
        assert judged(judge, SAIL, **told) > judged(judge, PUTT, **told)
        assert judged(judge, SAIL, **told) > judged(judge, SAIL) / 2


@pytest.mark.parametrize("judge", ["hierarchy", "vocabulary"])
def test_what_is_refused_is_worth_less(judge: str, judged: Judged) -> None:
    assert judged(judge, TAX, tax=False) <= judged(judge, TAX)
