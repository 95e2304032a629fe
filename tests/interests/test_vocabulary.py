from __future__ import annotations

import pytest

from clew.config import Topic
from clew.interests import build, cross_validate
from clew.interests.reading import Reading
from clew.interests.vocabulary import Group, Vocabulary, learnt
from clew.types import Doc

SAIL = "The crew of the yacht hoists the sail in the wind"
TAX = "The minister speaks about the tax law in the city council"


def test_t4_content_similarity():
    page = Doc(url="", terms={f"w{number}": 1 for number in range(40)})
    domains = (frozenset(list(page.terms)[:overlap]) for overlap in (30, 6, 20))
    assert Vocabulary(tuple(domains))(Reading(page)) == pytest.approx(0.625)


def test_empty_pages_and_single_domains():
    assert Vocabulary((frozenset({"sail"}),))(Reading(Doc(url=""))) == 0.0
    assert Vocabulary((frozenset({"sail"}),))(Reading.of_words("sail boat")) == 0.5


def test_words_that_occur_once_are_no_vocabulary():
    docs = [Doc(url="", terms={"sail": 1, "once": 1}), Doc(url="", terms={"sail": 1, "twice": 2})]
    assert learnt([Group(docs)]).domains == (frozenset({"sail", "twice"}),)


def test_words_that_occur_oftener_in_what_was_refused_are_no_vocabulary():
    docs, against = [Doc(url="", terms={"sail": 5, "ball": 2, "wind": 2})], [Doc(url="", terms={"ball": 3, "wind": 2})]
    assert learnt([Group(docs, against)]).domains == (frozenset({"sail", "wind"}),)


def test_subtopics_are_the_domains(doc, shelf):
    tree = {
        "sports": Topic(),
        "sailing": Topic("sports", examples=("sailing/",)),
        "golf": Topic("sports", examples=("golf/",)),
    }
    interest = build("sports", tree, read=shelf, topic_model="vocabulary", threshold=0.1)
    [best] = interest.measures.values()
    [_, measure] = best.measures
    assert len(measure.domains) == 2
    assert interest.judge(doc(SAIL)).relevance > interest.judge(doc(TAX)).relevance


def test_examples_are_parted_into_domains(doc, shelf):
    books = {"both/": [*shelf("sailing/"), *shelf("golf/")]}
    interest = build("sport", {"sport": Topic(examples=("both/",))}, read=books.__getitem__, topic_model="vocabulary")
    [measure] = interest.measures.values()
    assert len(measure.domains) > 1
    assert interest.judge(doc(SAIL)).relevance > 2 * interest.judge(doc(TAX)).relevance
    assert interest.rate("yacht under sail") > interest.rate("tax law")


@pytest.mark.parametrize("topic_model", ["hierarchy", "vocabulary"])
def test_quality_can_be_tested_as_with_other_judges(topic_model, shelf):
    topics = {"sailing": Topic(examples=("sailing/",)), "golf": Topic(examples=("golf/",))}
    quality = cross_validate("sailing", topics, read=shelf, topic_model=topic_model)
    assert quality.average_precision > 0.8
    assert bool(quality.words_for) == (topic_model == "hierarchy")
