from __future__ import annotations

import pytest

from clew.errors import InterestError
from clew.interests import build, parse
from clew.types import Doc, Link

PAGE = Doc(
    url="https://www.Example.org:8080/Sport/baseball.html",
    title="Baseball News",
    text="The pitcher throws 95 mph.\nWater\u00a0sports are not for him.",
    terms={"pitcher": 1, "throw": 1, "95": 1, "mph": 1, "water": 1, "sport": 1},
    links=(Link("", "https://mlb.example/Teams"),),
    language="en",
)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ('word("pitchers")', 1),
        ('word("baseball")', 1),
        ('word("water throwing")', 1),
        ('word("golf")', 0),
        ('phrase("WATER sports")', 1),
        ('phrase("water sport")', 0),
        ('phrase("baseball news")', 1),
        (r'regex("\d+ mph")', 1),
        ('regex("WATER")', 0),
        ('regex("(?i)WATER")', 1),
        ('url(".org")', 1),
        ('url("/sport/")', 1),
        ('url(".com")', 0),
        ('host("example.org")', 1),
        ('host("www.example.org")', 1),
        ('host("ample.org")', 0),
        ('language("EN")', 1),
        ('language("de")', 0),
        ('links_to("mlb.example/teams")', 1),
        ('links_to("golf")', 0),
    ],
)
def test_each(formula, expected):
    judgement = build(formula, {}).judge(PAGE)
    assert judgement.relevance == expected
    assert judgement.topics == {str(parse(formula)): expected}


@pytest.mark.parametrize(
    "formula", ['word("xy")', 'phrase("x")', 'regex("x")', 'url("x")', 'host("x")', 'links_to("x")']
)
def test_an_empty_page(formula):
    assert build(formula, {}).judge(Doc(url="")).relevance == 0


def test_similar_is_a_cosine(doc, shelf):
    interest = build('similar("sailing/")', {}, read=shelf)
    near, far = doc("the yacht under sail in the wind"), doc("income tax law")
    assert interest.judge(near).relevance > 0.2 > interest.judge(far).relevance == 0
    alone = build('similar("x")', {}, read=lambda _: [near])
    assert alone.judge(near).relevance == pytest.approx(1)
    assert alone.judge(Doc(url="")).relevance == 0


def test_a_function_of_the_user(doc, tmp_path, monkeypatch):
    (tmp_path / "my_taste.py").write_text(
        "def long(doc): return len(doc.text) > 20\n"
        "def half(doc): return 0.5\n"
        "def wrong(doc): return 7\n"
        "text = 'no function'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    page = doc("a text of some length, after all")
    assert build('python("my_taste:long")', {}).judge(page).relevance == 1
    assert build('python("my_taste:half")', {}).judge(page).relevance == 0.5
    assert build('python("my_taste:half")', {}).rate("anchor") == 0
    with pytest.raises(InterestError, match="must return a bool or a number from 0 to 1; it returned 7"):
        build('python("my_taste:wrong")', {}).judge(page)
    with pytest.raises(InterestError, match="is not callable"):
        build('python("my_taste:text")', {})


@pytest.mark.parametrize(
    ("formula", "position", "words"),
    [
        ('x1 AND regex("ab(c")', 16, "invalid regular expression"),
        ('x1 AND language("german")', 17, "two letters"),
        ('x1 AND language("xx")', 17, '"xx" is not a language that clew recognises; it knows ar, bg, '),
        ('word("the")', 6, "no searchable word"),
        ('python("nothing")', 8, "module and a function"),
        ('python("no_such_module_here:f")', 8, "cannot import"),
        ('python("json:no_such")', 13, "json has no function no_such"),
        ('x1 AND "the"', 7, "no searchable word"),
    ],
)
def test_wrong_arguments_are_shown_in_their_place(formula, position, words):
    with pytest.raises(InterestError, match=words) as caught:
        build(formula, {})
    assert caught.value.position == position
