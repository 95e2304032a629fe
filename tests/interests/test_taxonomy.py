from __future__ import annotations

import pytest

from clew.config import Topic
from clew.errors import InterestError
from clew.interests.taxonomy import Taxonomy


def test_ways_up_and_down(taxonomy):
    tree = Taxonomy(taxonomy)
    assert list(tree.ancestors("sailing")) == ["water sports", "sports", "tourism"]
    assert list(tree.subtree("sports")) == ["sports", "water sports", "sailing"]
    assert list(tree.others("sports")) == ["Mecklenburg-Vorpommern", "ruegen"]
    assert [tree.level(name) for name in ("ANY", "tourism", "sailing", "no topic")] == [0, 1, 4, 1]


def test_an_inner_topic_takes_the_union_of_its_subtree():
    tree = Taxonomy(
        {
            "sports": Topic(),
            "golf": Topic("sports", keywords=("golf", "putter"), examples=("g",)),
            "sailing": Topic("sports", examples=("s",)),
        }
    )
    assert tree.keywords("sports") == ("sports", "golf", "putter")
    assert tree.examples("sports") == ("g", "s")
    assert tree.keywords("sailing") == ()
    assert tree.keywords("no topic") == ("no topic",)


def test_names_in_any_case(taxonomy):
    tree = Taxonomy(taxonomy)
    assert tree.name("mecklenburg-vorpommern") == "Mecklenburg-Vorpommern"
    assert tree.name("any") == "ANY"
    assert tree.name("Golf") == "Golf"


@pytest.mark.parametrize(
    ("topics", "message"),
    [
        ({"a": Topic("b"), "b": Topic("c"), "c": Topic("b")}, "cycle: b -> c -> b"),
        ({"a": Topic("a")}, "cycle: a -> a"),
        ({"sports": Topic(), "golf": Topic("sprots")}, "no parent 'sprots'; did you mean 'sports'"),
        ({"sports": Topic(), "golf": Topic("gof")}, "no parent 'gof'; there are: sports$"),
        ({"golf": Topic("gof")}, "no parent 'gof'; define it as a topic, too"),
        ({"ANY": Topic()}, "root"),
    ],
)
def test_mistakes(topics, message):
    with pytest.raises(InterestError, match=message):
        Taxonomy(topics)
