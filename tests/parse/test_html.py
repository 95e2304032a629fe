from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.parse import VERSION, canonical, parse
from clew.parse.html import MAX_TEXT_CHARACTERS
from clew.parse.links import MAX_LINKS_PER_PAGE
from clew.parse.source import MAX_PAGE_BYTES
from clew.text.terms import terms
from clew.types import Doc

URL = "http://a.org/dir/page.html"
ENGLISH = "The island lies in the Baltic Sea and is the largest of the country. Many people go there to sail. "
MARKUP = """
    <a href=x>|<a href="y#z">|</a>|<p>|</p>|<div id=a>|<b>|<table>|<td>|</td>|<script>|</script>|<style>|<title>|<svg>|
    <select>|<base href=/b/>|<h1>|</h1>|<template>|<iframe src=y>|<frameset>|<frame src=z>|<noscript>|<meta charset=x>|
    word|<!--|-->|<![CDATA[|]]>|&|&#0;|\0|\ue000|ü|<plaintext>|<textarea>|<math>|<object>|<html lang=de>|<body>|
    <img alt=z>|<h2>|</h2>|<area href=w>|<meta http-equiv=refresh content="0;v">"""
TAGS = st.sampled_from([tag.strip() for tag in MARKUP.split("|")])


def test_title_text_and_terms():
    doc = parse(b"<title> The \n Boats </title><body><p>Oak<p>and <b>pine</b>", URL, "text/html")
    assert doc.title == "The Boats"
    assert doc.text == "The Boats\nOak\nand pine"
    assert doc.terms == {"boat": 1, "oak": 1, "pine": 1}


def test_terms_are_those_of_the_text():
    doc = parse(("<title>Häfen</title><p>" + "Die Häfen der Insel sind für Segler schön und ruhig. " * 5).encode(), URL)
    assert doc.language == "de"
    assert doc.terms == terms(doc.text, doc.language)
    assert doc.terms["haf"] == 6


def test_what_nobody_sees_is_no_text():
    hidden = "<script>a<a href=/s>s</a></script><style>b</style>"
    hidden += (
        "<template>d <a href=/t>t</a></template><iframe src=/i>e</iframe><svg><style>f<a href=/f>f</a></style></svg>"
    )
    doc = parse(f"<body>seen {hidden}<!-- g -->too".encode(), URL)
    assert doc.text == "seen too"
    assert [link.url for link in doc.links] == ["http://a.org/i"]


def test_neighbours_are_separate_words():
    assert parse(b"<ul><li>one</li><li>two</li></ul><td>three</td>", URL).text == "one\ntwo three"


def test_base_canonical_and_robots():
    page = b"<base href='/b/'><base href='/c/'><link rel='alternate canonical' href=p><a href=x>y</a>"
    doc = parse(page + b"<meta name=ROBOTS content='noindex, NoFollow'>", URL)
    assert doc.links[0].url == "http://a.org/b/x"
    assert doc.canonical == "http://a.org/b/p"
    assert doc.noindex
    assert doc.nofollow
    none = parse(b"<meta name=robots content=none>", URL)
    assert none.noindex
    assert none.nofollow
    assert not parse(b"<meta name=robots content=all>", URL).noindex


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/next", "http://a.org/next"),
        ("5;URL='next.html'", "http://a.org/dir/next.html"),
        ("1.5, http://b.org/", "http://b.org/"),
        ('0 ; url = "q?a=1" ', "http://a.org/dir/q?a=1"),
        ("30", None),
        ("0; url=", None),
        ("0; url=page.html#top", None),
        ("0; url=javascript:x", None),
        ("", None),
    ],
)
def test_refresh_is_a_link(content: str, target: str | None):
    quoted = content.replace('"', "&quot;")
    doc = parse(f'<meta http-equiv=Refresh content="{quoted}"><a href=z>z</a>'.encode(), URL)
    refreshes = [link for link in doc.links if link.kind == "refresh"]
    assert [link.url for link in refreshes] == ([target] if target else [])
    assert [link.position for link in doc.links] == list(range(len(doc.links)))


def test_frames():
    inner = b"<body>Our boats: <a href=c>oak <b>and pine</b></a></body>"
    doc = parse(b"<html><frameset><frame src=a><frame src=b><noframes>" + inner + b"</noframes></frameset>", URL)
    assert [(link.url, link.kind, link.anchor) for link in doc.links] == [
        ("http://a.org/dir/a", "frame", ""),
        ("http://a.org/dir/b", "frame", ""),
        ("http://a.org/dir/c", "a", "oak and pine"),
    ]
    assert doc.text == "Our boats: oak and pine"


def test_noscript_is_read_where_no_scripts_run():
    page = b"<head><noscript><link rel=next href=2><meta http-equiv=refresh content='0;url=/plain'></noscript>"
    page += b"<title>Boats</title><body>seen <noscript>also <a href=/n class=x>here</a></noscript> too"
    doc = parse(page, URL)
    assert (doc.title, doc.text) == ("Boats", "Boats\nseen also here too")
    assert [(link.kind, link.url, link.path) for link in doc.links] == [
        ("refresh", "http://a.org/plain", ""),
        ("a", "http://a.org/n", "a.x"),
        ("next", "http://a.org/dir/2", ""),
    ]
    rendered = parse(page, URL, rendered=True)
    assert (rendered.title, rendered.text, rendered.links) == ("Boats", "Boats\nseen too", ())


@pytest.mark.parametrize("tag", ["noscript", "noframes"])
def test_a_request_for_another_browser_is_no_text(tag: str):
    assert parse(f"<p>seen <{tag}><b>Please enable JavaScript</b>.</{tag}>".encode(), URL).text == "seen"
    assert len(parse(f"<p>seen <{tag}><b>{'We build boats. ' * 20}</b></{tag}>".encode(), URL).text) > 300


def test_a_pixel_in_the_head_ends_it_and_nothing_is_lost():
    page = b"<head><noscript><img src=/pixel></noscript><title>Boats</title><base href=/b/></head><body><a href=x>y</a>"
    doc = parse(page, URL)
    assert (doc.title, doc.links[0].url) == ("Boats", "http://a.org/b/x")


def test_neighbours_in_a_series_are_links_unless_the_page_has_them_anyway():
    page = b"<link rel=next href=3 title='Masts'><link rel='prev prefetch' href=1><link rel=Previous href=0>"
    page += b"<link rel=stylesheet href=s.css><link rel=next href=page.html><a href=1>Hulls</a>"
    links = parse(page, URL).links
    assert [(link.kind, link.url, link.anchor, link.position) for link in links] == [
        ("a", "http://a.org/dir/1", "Hulls", 0),
        ("next", "http://a.org/dir/3", "Masts", 1),
        ("prev", "http://a.org/dir/0", "", 2),
    ]


def test_charset_reaches_the_text():
    doc = parse("<p>Rügen".encode("latin-1"), URL, "text/html; charset=iso-8859-1")
    assert (doc.text, doc.charset) == ("Rügen", "cp1252")


def test_declared_language_counts_when_the_text_is_too_short():
    assert parse(b"<html lang=de-AT><p>Hafen", URL).language == "de"
    assert parse(b"<html lang=tlh><p>Hafen", URL).language == ""
    assert parse(b"<html lang=de><p>" + ENGLISH.encode() * 3, URL).language == "en"


def test_plain_text_has_no_links():
    doc = parse(b"see <a href=/x>x</a>\n and more boats", URL, "text/plain")
    assert doc.links == ()
    assert doc.text == "see <a href=/x>x</a> and more boats"
    assert doc.terms["boat"] == 1
    assert parse(b"no markup here", URL).text == "no markup here"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"", "text/html"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "text/html"),
        (b"GIF89a\x01\0\x01\0", ""),
        (b"\xff\xd8\xff\xe0 no nul here", "image/jpeg"),
        (b"%PDF-1.7 text text", ""),
        (b"<svg><a href=x>", "image/svg+xml"),
    ],
)
def test_what_is_no_text_gives_an_empty_doc(body: bytes, content_type: str):
    assert parse(body, URL, content_type) == Doc(URL)


def test_a_stray_nul_far_down_does_no_harm():
    doc = parse(b"<p>" + ENGLISH.encode() * 20 + b"\0a <a href=x>b\0c</a> &#0;", URL)
    assert doc.links[0].anchor == "b c"


def test_work_is_bounded():
    many = parse(b"".join(b"<a href=/%d>w%d</a> " % (i, i) for i in range(MAX_LINKS_PER_PAGE + 500)), URL)
    assert len(many.links) == MAX_LINKS_PER_PAGE
    assert len(parse(b"<p>" + b"word " * MAX_TEXT_CHARACTERS, URL).text) <= MAX_TEXT_CHARACTERS
    assert parse(b"<p>" + b"x" * MAX_PAGE_BYTES + b" beyond", URL).terms == {}
    long = parse(b"<title>" + b"t " * 5000 + b"</title><a href=x>" + b"w " * 5000, URL)
    assert len(long.title) <= 500
    assert len(long.links[0].anchor) <= 300


@pytest.mark.parametrize(
    "body",
    [
        b"<a href=x", b"<a href='x", b"<", b"</", b"<!", b"&", b"<html>", b"<head>", b"\xff\xfe", b"\xef\xbb\xbf",
        b"<frameset>", b"<a href=x><table><tr><td><a href=y>in</a>", b"<base href='http://['><a href=x>y</a>",
        b"x" * 1_000_000, b"<p>" + b"word " * 200_000, b"<a href='" + b"x" * 1_000_000 + b"'>y</a>",
    ],
)  # fmt: skip
def test_broken_pages(body: bytes):
    assert parse(body, URL, "text/html; charset=nonsense").url == URL


@given(
    st.binary(max_size=2000), st.sampled_from(["", "text/html", "text/plain", "application/xhtml+xml; charset=utf-16"])
)
def test_random_bytes(body: bytes, content_type: str):
    check(parse(body, URL, content_type))


@given(st.lists(TAGS, max_size=40), st.sampled_from(["", " "]))
def test_random_markup(tags: list[str], separator: str):
    check(parse(("<p>" + separator.join(tags)).encode(), URL, "text/html"))


@given(st.text())
def test_any_url(url: str):
    assert parse(b"<a href=x>y</a>", url).url == url


def check(doc: Doc) -> None:
    assert doc.terms == terms(doc.text, doc.language)
    assert "\0" not in doc.text
    pairs = [(link.url, link.anchor) for link in doc.links]
    assert len(set(pairs)) == len(pairs)
    assert [link.position for link in doc.links] == list(range(len(doc.links)))
    for link in doc.links:
        assert link.url == canonical(link.url) != URL
        assert "\0" not in link.anchor + link.around + link.heading + link.path


def test_the_same_under_every_hash_seed(under_hash_seeds):
    page = f"<title>a b c</title>{ENGLISH * 3}<a href=x>y</a>".encode()
    program = f"from clew.parse import parse; print(parse({page!r}, {URL!r}))"
    assert len(under_hash_seeds(program)) == 1


def test_version():
    assert VERSION == 5


def test_description_and_keywords_are_kept_apart_from_the_text() -> None:
    head = b'<meta name="Description" content=" Yachts  for sale "><meta name=keywords content="sail, mast">'
    doc = parse(b"<title>Boats</title>" + head + b'<meta property="x" content="no"><p>Oak', "http://a.org/")
    assert doc.meta == "Yachts for sale sail, mast"
    assert "yacht" not in doc.terms
    long = parse(b'<meta name=description content="' + b"word " * 900 + b'">', "http://a.org/").meta
    assert len(long) <= 500
