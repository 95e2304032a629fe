from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.parse.charset import known
from clew.parse.mime import Mime, of, parse

SUITE = Path(__file__).resolve().parents[2].parent / "shared" / "suites" / "mime-types.json"


def test_the_suite_of_the_web_platform():
    if not SUITE.is_file():
        pytest.skip("the shared test vectors are not beside this repository")
    cases = [case for case in json.loads(SUITE.read_text("utf-8")) if isinstance(case, dict)]
    assert len(cases) == 74
    for case in cases:
        mime = parse(case["input"])
        assert str(mime) == (case["output"] or ""), case
        assert bool(known(mime.charset)) == (case.get("encoding") is not None), case


@pytest.mark.parametrize(
    ("header", "mime"),
    [
        ("text/html", "text/html"),
        ("text/html,text/plain", "text/plain"),
        ("text/html;charset=gbk,text/html", "text/html;charset=gbk"),
        ("text/html;charset=gbk,text/plain", "text/plain"),
        ('text/html;x=",text/plain"', 'text/html;x=",text/plain"'),
        ("text/html,*/*", "text/html"),
        ("text/html,nonsense", "text/html"),
        (",,text/html,", "text/html"),
        (",", ""),
        ("text/html;charset=utf-8,text/html;charset=gbk", "text/html;charset=gbk"),
    ],
)
def test_several_in_one_line(header: str, mime: str):
    assert str(of(header)) == mime


@pytest.mark.parametrize(
    ("essence", "markup", "readable"),
    [
        ("text/html", True, True),
        ("application/xhtml+xml", True, True),
        ("application/rss+xml", True, True),
        ("text/markdown", False, True),
        ("", False, True),
        ("image/svg+xml", False, False),
        ("application/octet-stream", False, False),
        ("text/javascript", False, False),
    ],
)
def test_what_it_means_for_us(essence: str, markup: bool, readable: bool):
    mime = Mime(essence)
    assert (mime.markup, mime.readable) == (markup, readable)


@given(st.text(alphabet='ab/;="\\ ,\t\xff\u0100*', max_size=40))
def test_what_is_written_is_read_again(text: str):
    for mime in (parse(text), of(text)):
        assert parse(str(mime)) == mime
