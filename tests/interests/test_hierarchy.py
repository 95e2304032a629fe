from __future__ import annotations

import pytest

from clew.config import Topic
from clew.errors import InterestError
from clew.interests import build
from clew.types import Doc

TREE = {
    "sports": Topic(),
    "sailing": Topic("sports", examples=("sailing/",)),
    "golf": Topic("sports", examples=("golf/",)),
}
SAIL = "We trimmed the sail of our yacht and the wind took us out of the harbour"
PUTT = "A short putt on the green decides the hole, said the golf teacher"
TAX = "The minister speaks about the tax law in the city council"
T9 = {"sport": 0.7, "sailing": 0.42, "golf": 0.28, "science": 0.3, "physics": 0.27, "bio": 0.03}


@pytest.fixture
def t9():
    """An interest over the taxonomy of the worked example, whose probabilities are given."""
    named = {"sport": "ANY", "science": "ANY", "sailing": "sport", "golf": "sport", "physics": "science"}
    topics = {name: Topic(parent) for name, parent in named.items()} | {"bio": Topic("science")}
    return lambda formula: build(formula, topics, topic_model="hierarchy", threshold=0.5)


@pytest.mark.parametrize(
    ("formula", "relevance", "wanted"),
    [
        ("sailing", 0.42, True),
        ("physics", 0.27, False),
        ("sport", 0.7, True),
        ("science", 0.3, False),
        ("golf OR physics", 0.55, False),
        ("sailing OR golf OR sport", 0.7, True),
        ("sailing AND physics", 0.27, True),
        ("sport AND NOT golf", 0.7, True),
    ],
)
def test_t9(t9, formula, relevance, wanted):
    interest = t9(formula).guide()
    assert interest.value(T9) == pytest.approx(relevance)
    assert interest.wants(T9) == wanted


def test_what_belongs_nowhere_is_not_wanted(t9):
    assert not t9("sport").wants({"sport": 0.3, "sailing": 0.2, "golf": 0.1, "science": 0.1})
    assert t9("sport").wants({"sport": 0.6, "sailing": 0.1, "golf": 0.1, "science": 0.1})


def test_chances_multiply_along_the_tree(doc, shelf):
    interest = build("sailing", TREE, read=shelf, topic_model="hierarchy")
    for text in (SAIL, PUTT, TAX):
        topics = interest.judge(doc(text)).topics
        assert topics["sailing"] + topics["golf"] == pytest.approx(topics["sports"])
        assert 0.0 <= topics["sports"] <= 1.0
    sail, putt, tax = (interest.judge(doc(text)) for text in (SAIL, PUTT, TAX))
    assert sail.relevance > 0.6
    assert max(putt.relevance, tax.relevance) < 0.4
    assert [interest.wants(page.topics) for page in (sail, putt, tax)] == [True, False, False]


def test_a_wider_topic_takes_in_its_children(doc, shelf):
    interest = build("sports", TREE, read=shelf, topic_model="hierarchy")
    assert interest.judge(doc(PUTT)).relevance > 0.6
    assert interest.wants(interest.judge(doc(PUTT)).topics)
    assert (
        build("sailing", TREE, read=shelf, topic_model="hierarchy").wider("taxonomy").judge(doc(PUTT)).relevance > 0.6
    )


def test_texts_without_a_word_that_counts(doc, shelf):
    interest = build("sailing", TREE, read=shelf, topic_model="hierarchy")
    assert interest.judge(Doc(url="")).relevance == 0
    assert interest.judge(doc("zzz qqq xxx")).relevance == 0
    assert interest.rate("yacht") > 0.5 > interest.rate("golf") == interest.rate("zzz qqq") == 0


def test_one_topic_stands_against_ordinary_text(doc, shelf):
    interest = build("sailing", {"sailing": Topic(examples=("sailing/",))}, read=shelf, topic_model="hierarchy")
    assert interest.judge(doc(SAIL)).relevance > 0.5 > interest.judge(doc(TAX)).relevance


def test_empty_examples_are_an_error():
    with pytest.raises(InterestError, match="examples of topic 'sailing' contain no text"):
        build("sailing", {"sailing": Topic(examples=("x",))}, read=lambda _: [Doc(url="")], topic_model="hierarchy")


def test_the_order_of_topics_does_not_matter(doc, shelf):
    turned = dict(reversed(TREE.items()))
    one, other = (
        build("sailing", tree, read=shelf, topic_model="hierarchy").judge(doc(SAIL)) for tree in (TREE, turned)
    )
    assert one.relevance == pytest.approx(other.relevance)
