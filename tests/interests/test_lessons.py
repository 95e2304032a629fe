"""Labels on pages as examples for topics."""

from __future__ import annotations

import pytest

from clew import config
from clew.interests import build, lessons, parse
from clew.types import Doc

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
