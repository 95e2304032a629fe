from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew import config
from clew.interests import build
from clew.interests.keywords import Keywords
from clew.interests.reading import Reading
from clew.text.terms import terms
from clew.types import Doc


def page(count, words, **more):
    terms = {f"filler{i}": 1 for i in range(words - count)}
    return Reading(Doc(url="", terms=terms | ({"sail": count} if count else {}), **more))


sailing = Keywords(("sailing",))


def test_a_passing_mention_in_a_long_page_is_little():
    assert 0.1 <= sailing(page(1, 2000)) <= 0.2


@pytest.mark.parametrize("words", [70, 100, 300, 1000, 3000, 20_000])
def test_one_word_in_a_hundred_is_much(words):
    assert sailing(page(max(1, round(words / 65)), words)) > 0.7  # stop words are a third of a text


def test_a_title_is_enough():
    assert sailing(page(1, 3000, title="All about sailing")) > 0.75
    assert sailing(page(0, 3000, title="All about golf")) == 0


@pytest.mark.parametrize(
    "text", ["Sailing", "sailing schools of the north", "www example org sports sailing 2024 html"]
)
def test_one_hit_in_a_short_text_is_clear(text):
    assert sailing(Reading.of_words(text)) >= 0.7


@given(st.integers(0, 50), st.integers(51, 3000))
def test_it_is_zero_only_without_the_word_and_grows_with_it(count, words):
    now, more = sailing(page(count, words)), sailing(page(count + 1, words))
    assert (now > 0) == (count > 0)
    assert 0 <= now < more < 1


def test_several_keywords_strengthen():
    both = Keywords(("sailing", "yachts"))
    text = Reading.of_words("sailing a yacht " + "word " * 100)
    assert both(text) > sailing(text) > 0
    assert Keywords(("sail", "sails", "sailing"))(text) == pytest.approx(sailing(text))


def test_all_words_of_a_keyword_must_be_there(doc):
    both = Keywords(("water sports",))
    assert both(Reading(doc("Sports in the water"))) > 0.5
    assert both(Reading(doc("Sports in the hall"))) == 0
    full, half = both(Reading.of_words("water sports")), both(Reading.of_words("sports"))
    assert 0 < half < full / 2


def test_keywords_are_stemmed_as_the_page_is(doc):
    boats = Keywords(("Segelboote",))
    assert boats(Reading(doc("Ein Segelboot im Hafen", language="de"))) > 0.7


@pytest.mark.parametrize("keyword", ["Rügen", "ruegen", "RÜGEN"])
@pytest.mark.parametrize("text", ["Urlaub auf Rügen", "www ruegen de"])
def test_umlauts_in_both_spellings(keyword, text):
    assert Keywords((keyword,))(Reading.of_words(text, "de")) > 0.7
    assert Keywords((keyword,))(Reading.of_words(text, "en")) > 0.7


def test_the_words_of_a_page_are_counted_as_they_are_written() -> None:
    text = "Sailing yachts. A yacht sails; two sails."
    doc = Doc("", title="Yachts", text=text, terms=terms(text))
    [found] = build("sailing", {"sailing": config.Topic(keywords=("sail", "yacht"))}).topic_words(doc)
    assert found.words == {"sails": 2, "sailing": 1, "yachts": 1, "yacht": 1}
    assert found.in_title == ("yachts",)
    assert found.membership > 0.9


def test_an_almost_empty_page_is_not_the_best():
    words = {f"filler{number}": 1 for number in range(16)}
    stub = Doc("", title="Sailing", terms={"sail": 2, **words})
    article = Doc("", title="Sailing", terms={"sail": 6, **{f"filler{number}": 1 for number in range(294)}})
    # 2 / (2 + 1/4 + 60/400), and 18/60 of what a title is worth: 1 - 0.4 / 2.4 * (1 - 0.75 * 0.3).
    assert sailing(Reading(stub)) == pytest.approx(0.871, abs=0.001)
    # 1 - 1 / 7 * (1 - 0.75)
    assert sailing(Reading(article)) == pytest.approx(0.964, abs=0.001)
