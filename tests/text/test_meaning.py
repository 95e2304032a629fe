"""Words of like meaning point the same way; what an interest knows is spread along them."""

from __future__ import annotations

import numpy as np

from clew.text.meaning import vocabulary
from clew.text.terms import stems


def row(word: str) -> int:
    return 1 + vocabulary().words.index(word)


def likeness(one: str, other: str) -> float:
    return float(vocabulary().vectors[row(one)] @ vocabulary().vectors[row(other)])


def test_words_of_like_meaning_point_the_same_way() -> None:
    assert likeness("sparrow", "eagl") > 0.3 > likeness("sparrow", "mortgag")
    assert likeness("violin", "piano") > 0.5 > likeness("violin", "tractor")


def test_the_first_row_stands_for_words_that_are_not_known() -> None:
    known = vocabulary()
    assert len(known.words) + 1 == len(known.vectors) == len(known.weights)
    assert known.vectors[0] @ known.vectors[-1000:].mean(axis=0) > known.vectors[0] @ known.vectors[1:1000].mean(axis=0)
    assert not known.mean(np.array([], np.int32)).any()


def test_telling_words_weigh_more_than_frequent_ones() -> None:
    weights = vocabulary().weights
    assert 0 <= weights.min() < weights[row("year")] < weights[row("sparrow")] <= 1


def test_what_an_interest_knows_is_spread_to_words_of_like_meaning() -> None:
    values = vocabulary().spread({"bird": 1.0}.__contains__)
    assert values[row("sparrow")] > 2 > 0.5 > values[row("mortgag")]


def test_an_interest_is_asked_in_words_that_it_reads_as_the_stems_they_stand_for() -> None:
    known = vocabulary()
    asked: list[str] = []
    known.spread(lambda word: float(asked.append(word) or stems(word) == ["hors"]))
    assert [stem for stem, word in zip(known.words, asked, strict=False) if stems(word) != [stem]] == ["be"]
    values = known.spread(lambda word: float(stems(word) == ["hors"]))
    assert values[row("poni")] > 2 > 0.5 > values[row("mortgag")]


def test_an_interest_that_knows_no_word_says_nothing() -> None:
    assert not vocabulary().spread(lambda _: 0.0).any()
    assert not vocabulary().spread(lambda _: 0.5).any()
