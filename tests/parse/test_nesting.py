from __future__ import annotations

import pytest

from clew.parse import parse
from clew.parse.nesting import LARGE_PAGE_TAGS, tame

LINK = b"<a href=/x>the link</a>"
FORMATTING = b"b big code em font i nobr s small strike strong tt u".split()
BOMBS = {
    "containers": b"<div>" * 100_000,
    "containers, closed": b"<div>" * 100_000 + LINK + b"</div>" * 100_000,
    "containers, closed by other names": b"<div></b>" * 50_000,
    "lists": b"<ul><li>" * 50_000,
    "unknown elements that begin like known ones": b"<li-x>" * 50_000,
    "formatting": b"".join(b"<b id=%d><p>" % i for i in range(20_000)),
    "formatting, few tags": b"".join(b"<b id=%d><p>" % i for i in range(1500)),
    "formatting after its end tags": b"</b>" * 3000 + b"".join(b"<B\tid=%d><p>" % i for i in range(3000)),
    "formatting, then paragraphs": b"".join(b"<b id=%d>" % i for i in range(250)) + b"<p>x" * 50_000,
    "bare formatting, then paragraphs": b"".join(b"<%b>" % tag * 3 for tag in FORMATTING) + b"<p>x" * 100_000,
    "attributes": b"<p " + b" ".join(b"x%d=1" % i for i in range(50_000)) + b">",
    "attributes with brackets": b"<p " + b" ".join(b'x%d=">"' % i for i in range(50_000)) + b">",
    "attributes without blanks": b"<p " + b"\"'=" * 100_000 + b">",
    "tables": b"<table><td><a href=y>" * 5_000,
    "svg": b"<svg>" * 50_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_taken_apart(name: str):
    doc = parse(BOMBS[name] + LINK, "http://a.org/", "text/html")
    assert any(link.url == "http://a.org/x" and link.anchor == "the link" for link in doc.links)


@pytest.mark.parametrize(
    "page",
    [
        b"",
        b"<",
        b"<p>a<br>b" * LARGE_PAGE_TAGS,
        b"<!-- a --><td>x<li>y" * LARGE_PAGE_TAGS,
        b"<div><span class=x>a</span></div>" * LARGE_PAGE_TAGS,
        b"<code class=x>a</code> <b>b</b>" * LARGE_PAGE_TAGS,
        b"a < b > c " * LARGE_PAGE_TAGS,
        b"<img src='data:," + b"A/B+" * 50_000 + b"'>",
        b"<pre>" + b"a long plain text " * 10_000 + b"</pre>",
    ],
)
def test_harmless_pages_stay_as_they_are(page: bytes):
    assert tame(page) is page


def test_formatting_alone_is_taken_out_alone():
    page = b"<div id=main>" + b"".join(b"<b id=%d>" % i for i in range(250)) + b"<p>x" * 20_000 + b"</div>"
    assert tame(page).split() == [b"<div", b"id=main>", *tame(page).split()[2:]]
    assert b"<b" not in tame(page)
