from __future__ import annotations

import pytest

from clew.fetch._bare import bare
from clew.parse import parse
from clew.parse.cost import BREAK, MAX_COPIED_BYTES, affordable, bounded, separated, slender, unformatted

URL = "http://a.org/"
LINK = b"<a href=/x>the link</a>"
ROWS = b"word<tr a=b>" * 20_000  # dear enough for breaks
PARAGRAPH = b'<p class="x">The <b>boats</b> <a href="/b">lie</a> in the harbour.</p>\n'


def test_an_ordinary_page_stays_as_it_is():
    page = b"<!doctype html><title>Boats</title>" + PARAGRAPH * 500
    assert bounded(page) is page


@pytest.mark.parametrize("page", [b"", b"<", b">", b"x", b"<p", b"</", b"\xff<\xff"])
def test_the_smallest_pages(page: bytes):
    for step in (slender, unformatted, affordable, separated, bounded):
        assert step(page) == page


def test_breaks_begin_where_texts_could_cost_too_much():
    page = separated(ROWS + LINK)
    begin = page.index(BREAK.encode())
    assert page[:begin] == ROWS[:begin]
    assert page.replace(BREAK.encode(), b"") == ROWS + LINK
    # Half of the square of the text: each piece may copy all before it.
    assert (begin // 3) ** 2 / 4 / 2 < MAX_COPIED_BYTES


def test_breaks_cannot_be_seen_in_the_document():
    rest = b"<!-- <p>hidden</p> --><h1>Oak <title>Boats</title><textarea>a <b>b</b></textarea>" + LINK
    doc = parse(ROWS + rest, URL, "text/html")
    assert doc.title == "Boats"
    assert doc.text.endswith("Oak a <b>b</b> the link")
    assert [(link.url, link.anchor, link.heading) for link in doc.links] == [
        ("http://a.org/x", "the link", "Oak a <b>b</b> the link")
    ]


def test_formatting_that_is_closed_is_no_danger():
    page = b"".join(
        b'<p><em id="e%d"><span class=n>a</span></em> <strong><code id=c%d>x</code></strong>' % (n, n)
        for n in range(2000)
    )
    assert unformatted(page) is page


@pytest.mark.parametrize(
    "tag",
    [
        b"<b id=%d>",
        b'<b a="<%d">',
        b"<B\tid=%d><!--</b>-->",
        b"<b id=%d><table><td></b></table>",
        b"<b <em id=%d></em>>",
        b"<table><b id=%d><td></b></table>",
    ],
)
def test_formatting_that_may_be_open_gets_another_name(tag: bytes):
    page = unformatted(b"".join(tag % number for number in range(1000)) + b"<p>x" * 1000)
    assert b"<plain-" in page.lower()
    assert b"<b" not in page.lower()


def test_a_large_page_is_cut_off():
    assert len(affordable(b"<p a>" * 1_000_000)) < 1_500_000
    assert affordable(PARAGRAPH * 15_000) == PARAGRAPH * 15_000


def test_cells_outside_of_svg_do_not_nest():
    cells = b"<td>x" * 100_000
    assert affordable(cells) == cells
    assert len(affordable(b"<svg>" + cells)) < len(cells)


def test_rendering_is_decided_within_the_same_bounds(monkeypatch: pytest.MonkeyPatch):
    asked: list[bytes] = []
    monkeypatch.setattr("clew.fetch._bare.bounded", lambda page: asked.append(page) or bounded(page))
    page = b"<script></script><div id=app>" + b"x<tr a=b>" * 100
    assert bare(page) is False or asked == [page]
    assert asked == [page]
