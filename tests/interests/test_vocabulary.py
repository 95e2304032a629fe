from __future__ import annotations

import pytest

from clew.config import Topic
from clew.errors import InterestError
from clew.interests import build, cross_validate
from clew.interests.reading import Reading
from clew.interests.vocabulary import Group, Vocabulary, VocabularyModel
from clew.types import Doc

SAIL = "The crew of the yacht hoists the sail in the wind"
TAX = "The minister speaks about the tax law in the city council"


def test_t4_content_similarity():
    page = Doc(url="", terms={f"w{number}": 1 for number in range(40)})
    domains = (frozenset(list(page.terms)[:overlap]) for overlap in (30, 6, 20))
    assert Vocabulary(tuple(domains))(Reading(page)) == pytest.approx(0.625)


def test_k_is_the_number_of_nearest_domains():
    page = Doc(url="", terms={f"w{number}": 1 for number in range(40)})
    domains = tuple(frozenset(list(page.terms)[:overlap]) for overlap in (30, 6, 20))
    assert Vocabulary(domains, k=1)(Reading(page)) == pytest.approx(30 / 40)
    assert Vocabulary(domains, k=3)(Reading(page)) == pytest.approx(56 / 120)


def test_parameters_are_part_of_the_setting(shelf):
    def measure(topic_model):
        books = {"both/": [*shelf("sailing/"), *shelf("golf/")]}
        interest = build(
            "sport", {"sport": Topic(examples=("both/",))}, read=books.__getitem__, topic_model=topic_model
        )
        [found] = interest.measures.values()
        return found

    plain = measure("vocabulary")
    assert plain == measure("vocabulary(k=2, min_occurrence=2, clusters=5)")
    assert measure("vocabulary(k=1)").k == 1
    assert len(measure("vocabulary(clusters=1)").domains) == 1 < len(plain.domains)
    [once] = measure("vocabulary(clusters=1, min_occurrence=1)").domains
    [thrice] = measure("vocabulary(clusters=1, min_occurrence=3)").domains
    assert thrice < measure("vocabulary(clusters=1)").domains[0] < once
    [short] = measure("vocabulary(clusters=1, min_occurrence=1, sample=1)").domains
    assert short < once


def test_examples_of_subtopics_can_be_clustered_anew(shelf):
    tree = {
        "sports": Topic(),
        "sailing": Topic("sports", examples=("sailing/",)),
        "golf": Topic("sports", examples=("golf/",)),
    }
    one = build("sports", tree, read=shelf, topic_model="vocabulary(subdomains='clusters', clusters=1)")
    assert len(one.measures["sports"].measures[1].domains) == 1


@pytest.mark.parametrize(
    ("topic_model", "message"),
    [
        ("vocabulry", "did you mean 'vocabulary'"),
        ("vocabulary(n=3)", "no parameter 'n'"),
        ("vocabulary(k=0)", "k must be a whole number of at least 1"),
        ("vocabulary(subdomains='none')", "subdomains must be"),
        ("bayes(k=2)", "bayes has no parameters"),
    ],
)
def test_mistakes_in_the_model_are_reported(topic_model, message):
    with pytest.raises(InterestError, match=message):
        build("sailing", topic_model=topic_model)


def test_empty_pages_and_single_domains():
    assert Vocabulary((frozenset({"sail"}),))(Reading(Doc(url=""))) == 0.0
    assert Vocabulary((frozenset({"sail"}),))(Reading.of_words("sail boat")) == 0.5


def test_words_that_occur_once_are_no_vocabulary():
    docs = [Doc(url="", terms={"sail": 1, "once": 1}), Doc(url="", terms={"sail": 1, "twice": 2})]
    assert VocabularyModel().learnt([Group(docs)]).domains == (frozenset({"sail", "twice"}),)


def test_words_that_occur_oftener_in_what_was_refused_are_no_vocabulary():
    docs, against = [Doc(url="", terms={"sail": 5, "ball": 2, "wind": 2})], [Doc(url="", terms={"ball": 3, "wind": 2})]
    assert VocabularyModel().learnt([Group(docs, against)]).domains == (frozenset({"sail", "wind"}),)


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
