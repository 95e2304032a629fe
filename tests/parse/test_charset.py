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


def test_a_cut_character_at_the_end_of_plain_text_changes_nothing():
    page = b"plain " * 100_000 + "ü".encode()[:1]
    assert decode(page, "text/html; charset=utf-8")[1] == "utf-8"


def test_bytes_far_down_are_guessed_by_what_stands_there():
    page = b"<p>plain " * 50_000 + GERMAN.encode("latin-1")
    assert decode(page)[0].endswith(GERMAN)


@pytest.mark.parametrize(
    ("page", "charset"),
    [
        (b'<!-- <meta charset="koi8-r"> --><meta charset=cp1251>', "cp1251"),
        (b'<!--> <meta charset="koi8-r">', "koi8-r"),
        (b'<!-- never closed <meta charset="koi8-r">', "utf-8"),
        (b"<meta name=description content='charset=koi8-r'>", "utf-8"),
        (b"<meta content='text/html; charset=koi8-r' http-equiv=content-type>", "koi8-r"),
        (b"<meta http-equiv=content-type content='text/html; charset = \"koi8-r\"'>", "koi8-r"),
        (b"<meta name='a>b' charset=koi8-r>", "koi8-r"),
        (b"<meta/charset=koi8-r>", "koi8-r"),
        (b"<meta charset=koi8-r charset=cp1251>", "koi8-r"),
        (b"<meta charset=klingon><meta charset=koi8-r>", "koi8-r"),
        (b"<metadata charset=koi8-r>", "utf-8"),
        (b"<meta charset=x-user-defined>", "cp1252"),
        (b"<meta charset=utf-16be>", "utf-8"),
        (b"<?xml version='1.0' encoding='utf-16'?>", "utf-8"),
        (b" <?xml version='1.0' encoding='koi8-r'?>", "utf-8"),
        (b"<meta charset='", "utf-8"),
        (b"<meta charset=>", "utf-8"),
    ],
)
def test_prescan(page: bytes, charset: str):
    assert decode(page)[1] == charset


@pytest.mark.parametrize(
    ("label", "charset"),
    [
        ("gb2312", "gb18030"),
        ("shift-jis", "cp932"),
        ("ks_c_5601-1987", "cp949"),
        ("big5", "big5hkscs"),
        ("windows-874", "cp874"),
        ("x-mac-cyrillic", "mac-cyrillic"),
        ("\tUTF8 ", "utf-8"),
        ("iso-2022-kr", ""),
    ],
)
def test_labels_mean_what_they_mean_in_browsers(label: str, charset: str):
    assert known(label) == charset


def test_the_order():
    body = codecs.BOM_UTF8 + b"<meta charset=koi8-r>\xc3\xbc"
    assert decode(body, "text/html; charset=cp1251")[1] == "utf-8"
    assert decode(body[3:], "text/html; charset=cp1251")[1] == "cp1251"
    assert decode(body[3:], "text/html")[1] == "koi8-r"
    assert decode(body[24:], "text/html")[1] == "utf-8"
