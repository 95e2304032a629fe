"""Examples of topics that exclude each other must be different ones (Ariadne, section 2.3)."""

from __future__ import annotations

import logging

import pytest

from clew.config import Topic
from clew.errors import InterestError
from clew.interests import build
from clew.types import Doc

TEXTS = {
    "sail.html": "We trimmed the sail of our yacht and the wind took us out of the harbour",
    "copy.html": "We trimmed the sail of our yacht and the wind took us out of the harbour",
    "golf.html": "A short putt on the green decides the hole, said the golf teacher",
    "tax.html": "The minister speaks about the tax law in the city council",
}


def read(place: str) -> list[Doc]:
    return [Doc(place, text=TEXTS[place], terms=dict.fromkeys(TEXTS[place].lower().split(), 1))]


def topics(sailing: str, golf: str, sports: str = "tax.html") -> dict[str, Topic]:
    return {
        "sports": Topic(examples=(sports,)),
        "sailing": Topic("sports", examples=(sailing,)),
        "golf": Topic("sports", examples=(golf,)),
    }


@pytest.mark.parametrize("model", ["linear", "bayes", "vocabulary", "hierarchy"])
def test_an_example_of_two_incomparable_topics_is_refused(model: str) -> None:
    build("sailing", topics("sail.html", "golf.html"), read=read, topic_model=model)
    with pytest.raises(InterestError, match=r"'sail.html' is an example of both 'sailing' and 'golf'; remove it"):
        build("sailing", topics("sail.html", "sail.html"), read=read, topic_model=model)


def test_topics_above_and_below_each_other_may_share_examples() -> None:
    assert build("sailing", topics("sail.html", "golf.html", sports="sail.html"), read=read)


def test_two_topics_below_the_one_of_the_formula_count_too() -> None:
    with pytest.raises(InterestError, match="example of both"):
        build("sports", topics("sail.html", "sail.html"), read=read)


def test_the_same_text_in_two_places_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="clew"):
        build("sailing", topics("sail.html", "golf.html"), read=read)
        assert not caplog.records
        build("sailing", topics("sail.html", "copy.html"), read=read)
    [record] = caplog.records
    assert "sail.html is an example of 'sailing', and copy.html, of 'golf', has the same text" in record.message
