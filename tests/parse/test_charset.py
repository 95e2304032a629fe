from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.parse.charset import decode, known, utf8

GERMAN = "Die größte Insel heißt Rügen, und über die Brücke führt eine Straße. " * 5


@pytest.mark.parametrize(
    ("body", "content_type", "charset"),
    [
        (codecs.BOM_UTF8 + GERMAN.encode(), "text/html; charset=latin-1", "utf-8"),
        (codecs.BOM_UTF16_LE + GERMAN.encode("utf-16-le"), "", "utf-16-le"),
        (codecs.BOM_UTF16_BE + GERMAN.encode("utf-16-be"), "", "utf-16-be"),
        (GERMAN.encode("latin-1"), "text/html; charset=ISO-8859-1", "cp1252"),
        (GERMAN.encode("latin-1"), 'text/html; Charset="iso-8859-15"', "iso8859-15"),
        (GERMAN.encode(), "text/html", "utf-8"),
        (GERMAN.encode(), "text/html; charset=klingon", "utf-8"),
        (GERMAN.encode(), "text/html; charset=", "utf-8"),
    ],
)
def test_the_text_comes_out(body: bytes, content_type: str, charset: str):
    assert decode(body, content_type) == (GERMAN, charset)
    assert utf8(body, content_type) == (GERMAN.encode(), charset)


@pytest.mark.parametrize(
    "declaration",
    [
        '<meta charset="%s">',
        "<META http-equiv=Content-Type content='text/html;charset=%s'>",
        '<?xml version="1.0" encoding="%s"?>',
    ],
)
def test_the_page_may_declare_it(declaration: str):
    page = (declaration % "windows-1252") + GERMAN
    assert decode(page.encode("cp1252")) == (page, "cp1252")


def test_the_header_comes_before_the_page():
    assert decode(b'<meta charset="koi8-r">\xfc', "text/html; charset=latin1")[0].endswith("ü")


def test_a_declaration_of_utf16_that_can_be_read_is_wrong():
    assert decode(b'<meta charset="utf-16">x')[1] == "utf-8"


def test_a_declaration_far_down_does_not_count():
    assert decode(b" " * 2000 + b'<meta charset="koi8-r">')[1] == "utf-8"


@pytest.mark.parametrize("label", ["", "utf-8", "klingon"])
def test_bytes_in_another_charset_than_declared_are_guessed(label: str):
    text, charset = decode(GERMAN.encode("latin-1"), f"text/html; charset={label}")
    assert charset != "utf-8"
    assert "größte" in text


def test_a_cut_character_at_the_end_leaves_the_rest():
    text, charset = decode(("ü" * 500).encode()[:-1], "text/html; charset=utf-8")
    assert text.startswith("ü" * 499)
    assert charset == "utf-8"


def test_dangerous_codecs_are_unknown():
    assert [known(label) for label in ("utf-7", "base64", "rot13", "idna", "unicode_escape", "\ud800", "ü")] == [""] * 7


@given(st.binary(), st.text(max_size=30))
def test_nothing_raises(body: bytes, label: str):
    text, charset = decode(body, f"text/html; charset={label}")
    assert isinstance(text, str)
    assert charset
    utf8(body, label)
