from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import InterestError
from clew.interests.parser import PREDICATES, parse
from clew.interests.syntax import And, Compare, Not, Or, Predicate, Topic, atoms

a, b, c = Topic("a"), Topic("b"), Topic("c")


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("a", a),
        ("a AND b OR c", Or((And((a, b)), c))),
        ("a OR b AND c", Or((a, And((b, c))))),
        ("a and (b or c)", And((a, Or((b, c))))),
        ("NOT a AND b", And((Not(a), b))),
        ("not not a", Not(Not(a))),
        ("(a AND b) AND c", And((And((a, b)), c))),
        ("sailing boats AND Rügen-Hiddensee", And((Topic("sailing boats"), Topic("Rügen-Hiddensee")))),
        ('"rock and  roll"', Topic("rock and roll")),
        ("„Rügen“ OR “Binz”", Or((Topic("Rügen"), Topic("Binz")))),
        ("topic(sports) >= 0.6", Compare(Topic("sports"), ">=", 0.6)),
        ("topic(water sports) < .5", Compare(Topic("water sports"), "<", 0.5)),
        ("NOT a > 0.3", Not(Compare(a, ">", 0.3))),
        ("(a OR b) <= 1", Compare(Or((a, b)), "<=", 1.0)),
        ('word("baseball")', Predicate("word", "baseball")),
        ("WORD ('it\\'s')", Predicate("word", "it's")),
        (r'regex("\d+ \"kn\\\\ots\"")', Predicate("regex", r'\d+ "kn\\ots"')),
        ("a^0.7 AND b^0.3", And((a, b), (0.7, 0.3))),
        ("a^2 OR b", Or((a, b), (2.0, 1.0))),
        ("a OR b^0.3 AND c", Or((a, And((b, c), (0.3, 1.0))))),
        ("(a AND b)^0.2 OR c", Or((And((a, b)), c), (0.2, 1.0))),
        ("NOT a^0.2 AND b", And((Not(a), b), (0.2, 1.0))),
        ("2024 olympics", Topic("2024 olympics")),
        ("c++ OR .net", Or((Topic("c++"), Topic(".net")))),
        ("a\nAND\tb", And((a, b))),
    ],
)
def test_reads(text, node):
    assert parse(text) == node


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("a AND", 5, "missing at the end"),
        ("AND a", 0, "missing before AND"),
        ("a OR OR b", 5, "missing before OR"),
        ("()", 1, "before this parenthesis"),
        ("a AND (b", 8, "closing parenthesis is missing"),
        ("a AND (b OR c d) e", 17, "expected AND or OR"),
        ("a)", 1, "has no opening one"),
        ("a (b)", 2, "expected AND or OR"),
        ('a AND "b', 6, "closing quote"),
        ('wrd("x")', 0, "did you mean 'word'"),
        ('a AND nonsense("x")', 6, "there is no predicate 'nonsense'"),
        ("a AND word(x)", 11, 'needs quotes: word("x")'),
        ("word()", 5, "needs an argument"),
        ('word("")', 5, "is empty"),
        ('""', 0, "cannot be empty"),
        ('word("x" "y")', 9, "takes one argument"),
        ("a >= 60", 5, "out of range"),
        ("a >= -1", 5, "out of range"),
        ("a > b", 4, "must be a number"),
        ("a > nan", 4, "must be a number"),
        ("a > .3 > .2", 7, "cannot be chained"),
        ("a == 1", 2, "'=' is not a comparison"),
        ("a && b", 2, "write AND"),
        ("a || b", 2, "write OR"),
        ("a AND !b", 6, "write NOT"),
        ("-ads AND b", 0, "write NOT"),
        ("a, b", 1, "comma"),
        ("a^0.5", 2, "no effect here"),
        ("(a^0.5) AND b", 3, "no effect here"),
        ("a^0 AND b^0", 2, "cannot all be 0"),
        ("a^x AND b", 2, "must be a number"),
        ("a^1^2 AND b", 3, "only one weight"),
        ("@a", 0, "unexpected '@'"),
        ("(" * 99 + "a" + ")" * 99, 51, "levels deep"),
        ("NOT " * 9999 + "a", 204, "levels deep"),
    ],
)
def test_points_at_the_mistake(text, position, words):
    with pytest.raises(InterestError, match=re.escape(words)) as caught:
        parse(text)
    assert caught.value.position == position
    assert str(caught.value).splitlines()[-1] == "  " + " " * position + "^"


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_an_empty_formula_is_refused(text):
    with pytest.raises(InterestError, match="empty"):
        parse(text)


names = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=12)
names |= st.sampled_from(["and", "rock and roll", "word", "topic", "a-b", "0.5", "1e-5", "Rügen", "x^2", '"', "\\"])
texts = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=12)
leaves = names.map(Topic) | st.builds(
    Predicate, st.sampled_from(PREDICATES), texts.map(lambda t: "".join(" " if c.isspace() else c for c in t) + "x")
)
levels = st.floats(0, 1)


def _several(inner):
    def make(kind, parts, weights):
        weights = weights[: len(parts)]
        return kind(tuple(parts), tuple(weights) if len(weights) == len(parts) and any(weights) else ())

    return st.builds(
        make, st.sampled_from([And, Or]), st.lists(inner, min_size=2, max_size=4), st.lists(levels, max_size=4)
    )


nodes = st.recursive(
    leaves,
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(Compare, inner, st.sampled_from([">=", ">", "<=", "<"]), levels)
        | _several(inner)
    ),
    max_leaves=12,
)


@given(nodes)
def test_prints_what_it_reads(node):
    assert parse(str(node)) == node


@given(st.text(max_size=40) | st.text("ab ()\"'^<>=.5ANDORT", max_size=20))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(InterestError):
        node = parse(text)
        assert parse(str(node)) == node


def test_atoms_come_once_and_in_order():
    assert list(atoms(parse("b AND NOT (a OR b > 0.2)"))) == [b, a]
