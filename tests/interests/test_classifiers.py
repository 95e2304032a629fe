from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from clew.config import Topic
from clew.errors import InterestError
from clew.interests import build
from clew.interests.classifiers import FITS, train
from clew.interests.reading import Reading
from clew.learning.sparse import SparseRows
from clew.types import Doc

TWO = {"sailing": Topic(examples=("sailing/",)), "golf": Topic(examples=("golf/",))}
SAIL = "We trimmed the sail of our yacht and the wind took us out of the harbour"
PUTT = "A short putt on the green decides the hole, said the golf teacher"
TAX = "The minister speaks about the tax law in the city council"


@pytest.mark.parametrize("topic_model", ["linear", "bayes"])
def test_two_topics_against_each_other(topic_model, doc, shelf):
    interest = build("sailing", TWO, read=shelf, topic_model=topic_model)
    sail, putt, tax = (interest.judge(doc(text)).relevance for text in (SAIL, PUTT, TAX))
    assert sail > 0.6
    assert max(putt, tax) < 0.4
    assert interest.judge(Doc(url="")).relevance == 0


def test_naive_bayes_weights_words_by_their_log_odds(shelf):
    """The weights before calibration, by hand: counts of unit vectors, plus one for each word, as shares of a side."""
    words = [np.array([0]), np.array([0, 1]), np.array([1])]
    values = [np.array([1.0]), np.array([0.6, 0.8]), np.array([1.0])]
    rows = SparseRows.of(words, values, 2)
    weights, bias = FITS["bayes"](rows, np.array([1.0, 1.0, 0.0]), np.ones(3))
    inside, outside = np.array([2.6, 1.8]) / 4.4, np.array([1.0, 2.0]) / 3
    assert weights == pytest.approx(np.log(inside / outside))
    assert bias == 0.0
    bayes, linear = (train(shelf("sailing/"), shelf("golf/"), topic_model) for topic_model in ("bayes", "linear"))
    assert bayes.weights != linear.weights


@pytest.mark.parametrize("topic_model", ["linear", "bayes"])
def test_examples_alone_are_enough(topic_model, doc, shelf):
    interest = build("sailing", {"sailing": Topic(examples=("sailing/",))}, read=shelf, topic_model=topic_model)
    sail, putt, tax = (interest.judge(doc(text)).relevance for text in (SAIL, PUTT, TAX))
    assert sail > 0.5 > max(putt, tax)


@pytest.mark.parametrize("topic_model", ["linear", "bayes"])
@pytest.mark.parametrize("negatives", [0, 1])
def test_a_single_example(topic_model, negatives, doc, shelf):
    measure = train(shelf("sailing/")[:1], shelf("golf/")[:negatives], topic_model)
    assert measure(Reading(doc(SAIL))) > measure(Reading(doc(TAX)))
    assert measure(Reading(shelf("sailing/")[0])) > 0.5


def test_short_texts_that_say_nothing_rate_nothing(shelf):
    interest = build("sailing", TWO, read=shelf)
    assert interest.rate("yacht") > interest.rate("yacht and golf") > interest.rate("golf") == 0
    assert interest.rate("zzz qqq") == 0


def test_keywords_and_examples_help_each_other(doc, shelf):
    topics = {"sailing": Topic(keywords=("spinnaker",), examples=("sailing/",)), "golf": TWO["golf"]}
    interest = build("sailing", topics, read=shelf)
    assert interest.judge(doc("spinnaker")).relevance > 0.7
    assert interest.judge(doc(SAIL)).relevance > 0.6


def test_a_parent_learns_from_its_children(doc, shelf):
    topics = {
        "sports": Topic(),
        "sailing": Topic("sports", examples=("sailing/",)),
        "golf": Topic("sports", examples=("golf/",)),
    }
    interest = build("sailing", topics, read=shelf)
    topics = interest.judge(doc(PUTT)).topics
    assert topics["sports"] > 0.5 > topics["sailing"]


def test_mistakes(shelf):
    with pytest.raises(InterestError, match="cannot read the example"):
        build("sailing", TWO)
    with pytest.raises(InterestError, match="contain no text"):
        build("sailing", TWO, read=lambda _: [Doc(url="")])
    with pytest.raises(InterestError, match="example of both 'xa' and 'xb'"):
        build("xa", {"xa": Topic(examples=("sailing/",)), "xb": Topic(examples=("sailing/",))}, read=shelf)


def test_each_example_is_read_once(shelf):
    seen = []
    topics = {"sports": Topic(), "sailing": Topic("sports", examples=("sailing/",)), "golf": TWO["golf"]}
    build("sailing", topics, read=lambda source: seen.append(source) or shelf(source))
    assert sorted(seen) == ["golf/", "sailing/"]


def test_no_examples_no_reading(doc):
    assert build("tennis", TWO).judge(doc("tennis")).relevant


def test_results_do_not_depend_on_the_hash_seed():
    code = (
        "from clew.interests.classifiers import train\n"
        "from clew.text.terms import terms\n"
        "from clew.types import Doc\n"
        "docs = [Doc(url='', terms=terms(t)) for t in ('sail wind yacht', 'yacht sail harbour', 'wind sail mast')]\n"
        "model = train(docs, [Doc(url='', terms=terms('golf green hole'))])\n"
        "print(model.bias, sorted(model.weights.items()))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
