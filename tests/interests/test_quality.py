from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from clew.config import Topic
from clew.errors import InterestError
from clew.interests import cross_validate
from clew.text.terms import terms
from clew.types import Doc

DATA = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
TWO = {"sailing": Topic(examples=("sailing/",)), "golf": Topic(examples=("golf/",), keywords=("golf",))}


@pytest.mark.parametrize("topic_model", ["linear", "bayes"])
def test_a_clear_topic(topic_model, shelf):
    quality = cross_validate("sailing", TWO, read=shelf, topic_model=topic_model)
    assert (quality.examples, quality.counter_examples) == (6, 6)
    assert quality.average_precision > 0.9 > quality.chance == 0.5
    assert quality.recall > 0.6
    assert "yacht" in dict(quality.words_for)
    assert "golf" in dict(quality.words_against)
    assert not quality.against_background


def test_keywords_are_tried_on_the_examples(shelf):
    quality = cross_validate("golf", TWO, read=shelf)
    assert (quality.hits, quality.false_hits) == (6, 0)
    assert quality.f1 > 0.9


def test_examples_alone_are_compared_with_ordinary_words(shelf):
    quality = cross_validate("sailing", {"sailing": TWO["sailing"]}, read=shelf)
    assert quality.against_background
    assert quality.average_precision > 0.8


def test_no_examples_at_all():
    quality = cross_validate("tennis", {"tennis": Topic(keywords=("racket",))})
    assert (quality.examples, quality.recall, quality.f1, quality.words_for) == (0, 0, 0, ())


def test_an_unknown_topic():
    with pytest.raises(InterestError, match="did you mean 'sailing'"):
        cross_validate("sailin", TWO)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # importing fastwarc
def test_course_pages_of_a_real_web():
    warc, labels = DATA / "webkb.warc.gz", DATA / "webkb.topics.json"
    if not warc.exists() or not labels.exists():
        pytest.skip("the recorded web webkb is not here")
    course = set(json.loads(labels.read_text())["topics"]["course"])
    pages = _pages(warc, 1500)
    good = [doc for doc in pages if doc.url in course]
    rest = [doc for doc in pages if doc.url not in course]
    topics = {"course": Topic(examples=("course/",)), "rest": Topic(examples=("rest/",))}
    shelves = {"course/": good[:60], "rest/": rest[:120]}
    quality = cross_validate("course", topics, read=shelves.__getitem__)
    assert quality.average_precision > 1.8 * quality.chance
    assert quality.f1 > 0.65


def _pages(warc, limit):
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    pages = []
    with warc.open("rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
            html = record.reader.read().decode("latin-1")
            text = re.sub(r"<[^>]*>", " ", html)
            pages.append(Doc(url=record.headers["WARC-Target-URI"], text=text, terms=terms(text), language="en"))
            if len(pages) == limit:
                break
    return [page for page in pages if page.terms]
