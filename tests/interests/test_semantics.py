from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from clew.config import Topic
from clew.interests import build
from clew.interests.parser import parse
from clew.interests.semantics import either, evaluate, weighted

unit = st.floats(0, 1)
mu = st.fixed_dictionaries({"a": unit, "b": unit, "c": unit})


def same(left, right, topics, semantics="possibilistic"):
    values = [evaluate(parse(text), topics, semantics) for text in (left, right)]
    assert values[0] == pytest.approx(values[1], abs=1e-12)


def test_worked_numbers_of_the_formula():
    topics = {"sailing": 0.6, "ruegen": 0.4, "tourism": 0.9}
    assert evaluate(parse("sailing AND ruegen"), topics) == 0.4
    assert evaluate(parse("(sailing AND ruegen) OR NOT tourism"), topics) == 0.4


@pytest.mark.parametrize(
    ("values", "weights", "result"),
    [
        ((0.9, 0.2), (0.7, 0.3), 0.48),
        ((0.9, 0.2), (0.5, 0.5), 0.2),
        ((0.9, 0.2), (1, 0), 0.9),
        ((0.9, 0.6, 0.3), (0.5, 0.3, 0.2), 0.48),
        ((0.9, 0.2), (7, 3), 0.48),
    ],
)
def test_worked_numbers_of_the_weights(values, weights, result):
    assert weighted(min, values, weights) == pytest.approx(result)


def test_weights_in_a_formula_and_of_topics_count():
    topics = {"sailing": 0.9, "ruegen": 0.2}
    assert evaluate(parse("sailing^0.7 AND ruegen^0.3"), topics) == pytest.approx(0.48)
    assert evaluate(parse("sailing^0.3 OR ruegen^0.7"), topics) == pytest.approx(0.4 * 0.2 + 0.6 * 0.9)
    own = {"sailing": Topic(keywords=("sail",), weight=0.7), "ruegen": Topic(keywords=("rügen",), weight=0.3)}
    assert build("sailing AND ruegen", own).node == parse("sailing^0.7 AND ruegen^0.3")


@given(mu)
def test_possibilistic_laws(topics):
    same("NOT (a AND b)", "NOT a OR NOT b", topics)
    same("NOT (a OR b)", "NOT a AND NOT b", topics)
    same("a AND a", "a", topics)
    same("a OR a", "a", topics)
    same("a AND (b OR c)", "(a AND b) OR (a AND c)", topics)
    same("NOT NOT a", "a", topics)


@pytest.mark.parametrize("semantics", ["possibilistic", "probabilistic"])
@given(topics=mu)
def test_laws_of_both(semantics, topics):
    same("a AND b", "b AND a", topics, semantics)
    same("a OR b", "b OR a", topics, semantics)
    same("NOT (a AND b)", "NOT a OR NOT b", topics, semantics)
    same("(a AND b) AND c", "a AND b AND c", topics, semantics)
    same("ANY AND a", "a", topics, semantics)
    for text in ("a AND b AND NOT c", "a OR b OR NOT c", "a^3 AND b^2 AND c", "a^0.1 OR (b AND c)^0.9"):
        assert -1e-12 <= evaluate(parse(text), topics, semantics) <= 1 + 1e-12


def test_probabilistic_numbers():
    topics = {"a": 0.5, "b": 0.4}
    assert evaluate(parse("a AND b"), topics, "probabilistic") == pytest.approx(0.2)
    assert evaluate(parse("a OR b"), topics, "probabilistic") == pytest.approx(0.7)


@pytest.mark.parametrize("combine", [min, max, either])
@given(values=st.lists(unit, min_size=2, max_size=5), weight=st.floats(0.01, 10))
def test_equal_weights_change_nothing(combine, values, weight):
    assert weighted(combine, values, [weight] * len(values)) == pytest.approx(combine(values))


@given(st.lists(unit, min_size=1, max_size=4), st.lists(st.floats(0.1, 1), min_size=4, max_size=4), unit)
def test_a_weight_of_zero_drops_its_part(values, weights, other):
    weights = weights[: len(values)]
    assert weighted(min, [*values, other], [*weights, 0.0]) == pytest.approx(weighted(min, values, weights))


@given(st.lists(unit, min_size=3, max_size=3), st.lists(st.floats(0.1, 1), min_size=3, max_size=3))
def test_weights_are_continuous(values, weights):
    nudged = [weights[0] + 1e-7, *weights[1:]]
    assert weighted(min, values, weights) == pytest.approx(weighted(min, values, nudged), abs=1e-5)


@given(mu, unit)
def test_comparison_is_sharp(topics, number):
    assume(topics["a"] != number)
    expected = float(topics["a"] > number)
    assert evaluate(parse(f"a > {number!r}"), topics) == evaluate(parse(f"a >= {number!r}"), topics) == expected
    assert evaluate(parse(f"a < {number!r}"), topics) == 1 - expected


def test_what_was_not_stored_counts_nothing():
    assert evaluate(parse('a OR word("x")'), {}) == 0
    assert evaluate(parse('a OR word("x")'), {'word("x")': 1.0}) == 1
