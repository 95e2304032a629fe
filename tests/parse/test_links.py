from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.parse import parse
from clew.parse.links import BLANKS, MAX_CACHED_PATHS, Steps, collapse
from clew.types import Link

URL = "http://a.org/dir/page.html"


def links(html: str) -> list[Link]:
    return list(parse(html.encode(), URL, "text/html").links)


def test_anchor_context_heading_and_path():
    html = """<body><div id=main class="wide big"><h1>All <b>boats</b></h1><p>Some text <b>before</b> it.
      <ul class="menu top"><li>We like <a class=nav href="/oak#x">boats
      of <i>oak</i></a>, and pine.</li></ul></div>"""
    (link,) = links(html)
    assert link._replace(block=0) == Link(
        source=URL,
        url="http://a.org/oak",
        anchor="boats of oak",
        around="All boats Some text before it. We like\t, and pine.",
        heading="All boats",
        path="div#main>ul.menu>li>a.nav",
    )


def test_around_is_cut_at_words_on_both_sides():
    words = " ".join(f"word{i}" for i in range(50))
    (link,) = links(f"<p>{words} <a href=x>anchor</a> {words}")
    before, after = link.around.split("\t")
    assert before == " ".join(f"word{i}" for i in range(43, 50))
    assert after == " ".join(f"word{i}" for i in range(8))
    assert len(link.around) <= 101


def test_links_of_one_list_or_paragraph_share_its_block():
    html = "<a href=0>x</a><ul><li><a href=1>x</a><li><b><a href=2>x</a></b></ul><ul><li><a href=3>x</a></ul>"
    top, first, second, other, prose = [link.block for link in links(f"{html}<p><a href=4>x</a>")]
    assert first == second
    assert len({top, first, other, prose}) == 4
    assert top == 0


def test_around_takes_in_other_links_but_not_the_anchor():
    first, second = links("<p>one <a href=x>two</a> three <a href=y>four</a> five")
    assert first.around == "one\tthree four five"
    assert second.around == "one two three\tfive"


def test_the_nearest_heading_counts():
    html = "<a href=1>1</a><h1>A</h1><a href=2>2</a><h3>B <a href=3>3</a></h3><div><a href=4>4</a></div>"
    html += "<h2></h2><a href=5>5</a>"
    assert [link.heading for link in links(html)] == ["", "A", "B 3", "B 3", ""]


def test_an_image_speaks_for_a_link_without_words():
    html = """<a href=1><img src=i alt=" The
      harbour "></a><a href=2><img alt=no> yes</a><a href=3><span><img alt=""><img alt=deep></span></a>
      <a href=4><img></a>"""
    assert [link.anchor for link in links(html)] == ["The harbour", "yes", "deep", ""]


def test_areas_and_frames():
    html = "<map><area href=1 alt=north><area alt=none></map> text <iframe src=2 title=t>old</iframe> after"
    assert [(link.url[-1], link.kind, link.anchor, link.path) for link in links(html)] == [
        ("1", "area", "north", "map>area"),
        ("2", "frame", "", "iframe"),
    ]


def test_pictures_with_links():
    html = "<svg><a xlink:href=1><text>north</text></a><a href=2>south</a><a href=3 xlink:href=4>west</a></svg>"
    assert [(link.url[-1], link.kind, link.anchor) for link in links(html)] == [
        ("1", "a", "north"),
        ("2", "a", "south"),
        ("3", "a", "west"),
    ]


def test_embedded_pages():
    html = "<object data=1><a href=2>two</a></object><object data=3 type=image/png></object><embed src=4>"
    html += "<object data=5 type='text/html; charset=x'></object><embed src=6 type=application/pdf>"
    assert [(link.url[-1], link.kind, link.path) for link in links(html)] == [
        ("1", "object", "object"),
        ("2", "a", "object>a"),
        ("4", "embed", "embed"),
        ("5", "object", "object"),
        ("6", "embed", "embed"),
    ]


def test_a_frame_without_size_is_no_link():
    html = "<noscript><iframe src=1 height=0 width=0></iframe></noscript><iframe src=2 width=1px></iframe>"
    assert [link.url[-1] for link in links(html + "<iframe src=3 width=100%></iframe>")] == ["3"]


@pytest.mark.parametrize("element", ["<iframe src=2></iframe>", "<embed src=2>", "<object data=2></object>"])
def test_what_a_noscript_shows_in_place_of_a_script_is_no_link(element):
    html = f"<a href=1>1</a><p>text<noscript>Please switch on JavaScript. {element}</noscript><a href=3>3</a>"
    doc = parse(html.encode(), URL, "text/html")
    assert [(link.url[-1], link.anchor, link.around) for link in doc.links] == [
        ("1", "1", "\ttext 3"),
        ("3", "3", "1 text\t"),
    ]


@pytest.mark.parametrize(
    "href",
    [
        "javascript:location='x'",
        " JavaScript:window.location.href = 'x';",
        "javascript:void(window.open('x','help'))",
        "javascript:if(a){location='x'}else{location='x'}",
    ],
)
def test_a_script_that_only_opens_a_page_is_a_link(href: str):
    (link,) = links(f'<p>We build <a href="{href}">boats</a>')
    assert (link.url, link.anchor, link.kind, link.path) == ("http://a.org/dir/x", "boats", "a", "p>a")


@pytest.mark.parametrize(
    "href",
    [
        "javascript:void(0)",
        "javascript:history.back()",
        "javascript:go('x')",
        "javascript:location='a'+b",
        "javascript:location=a?'b':'c'",
        "javascript:if(a){location='b'}else{location='c'}",
        "javascript:location='mailto:x@y.z'",
    ],
)
def test_a_script_that_leads_nowhere_certain_is_no_link(href: str):
    assert links(f'<a href="{href}">boats</a>') == []


def test_options_that_are_plainly_addresses():
    addresses = ("/boats", "oak.html", "../pine.php?x=1", "http://b.org/", "//b.org/c")
    others = ("", "oak", "text/html", "Europe/Berlin", "1.5", "/", "a b.html", "2", "mailto:a.html", "#a.html")
    options = "".join(f"<option value='{value}'>to {value}" for value in (*addresses, *others))
    found = links(f"<p>Our <select onchange='go(this)'>{options}</select> here")
    assert [link.url for link in found] == [
        "http://a.org/boats",
        "http://a.org/dir/oak.html",
        "http://a.org/pine.php?x=1",
        "http://b.org/",
        "http://b.org/c",
    ]
    assert (found[1].anchor, found[1].kind, found[1].path) == ("to oak.html", "option", "p>select>option")


def test_only_pages_of_others_are_links():
    html = "<a href='#top'>a</a><a href=page.html#b>b</a><a href=''>c</a><a>d</a><a name=e>e</a>"
    html += (
        "<a href=mailto:f@a.org>f</a><a href='javascript:g()'>g</a><a href='http://['>h</a><a href='page.html?i'>i</a>"
    )
    assert [link.anchor for link in links(html)] == ["i"]


def test_equal_target_and_anchor_are_one_link():
    html = "<a href=x>one</a> <a href=x#f>one</a> <a href=x>two</a> <a href=y>one</a>"
    assert [(link.url[-1], link.anchor, link.position) for link in links(html)] == [
        ("x", "one", 0),
        ("x", "two", 1),
        ("y", "one", 2),
    ]


def test_nofollow_is_noted():
    html = (
        "<a href=1 rel='noopener NoFollow'>1</a><a href=2 rel=nofollow>2</a><a href=3 rel=me>3</a><a href=4 rel>4</a>"
    )
    assert [link.nofollow for link in links(html)] == [True, True, False, False]


def test_a_link_inside_a_link():
    outer, inner = links("<a href=1>out <table><tr><td><a href=2>in</a> more</table> side</a> after")
    assert (outer.anchor, outer.around) == ("out in more side", "\tafter")
    assert (inner.anchor, inner.around) == ("in", "out\tmore side after")


def test_a_link_that_is_never_closed():
    html = "<p><a href=1>one <p>two <a href=2>three"
    assert [(link.url[-1], link.anchor) for link in links(html)] == [("1", "one"), ("1", "two"), ("2", "three")]


def test_characters_of_the_marks_are_harmless():
    html = "text " * 300 + "a \0h b &#0;a &#xE000; <a href=x>\ue000c\0/</a> d"
    (link,) = links(html)
    assert link.anchor == "\ue000c /"


@pytest.mark.parametrize(
    ("element", "step"),
    [
        ("<div id='' class=' '>", "div"),
        ("<div id=a class=b>", "div#a"),
        ("<x-y class='b c'>", "x-y.b"),
        (f"<p id={'i' * 99}>", f"p#{'i' * 40}"),
    ],
)
def test_steps_of_a_path(element: str, step: str):
    assert links(f"{element}<a href=x>y</a>")[0].path == f"{step}>a"


def test_paths_are_of_bounded_length():
    html = "<div class=abcdefghij>" * 250 + "<a href=x>y</a>"
    assert len(links(html)[0].path) < 600


def test_svg_links_and_tooltips():
    doc = parse(b"<svg><title>icon</title><a href=x><text>y</text></a></svg>", URL)
    assert doc.title == ""
    assert [(link.anchor, link.path) for link in doc.links] == [("y", "svg>a")]


@given(st.text(alphabet=f"ab {BLANKS}\0"))
def test_runs_of_blanks_become_one(text: str):
    assert collapse(text) == re.sub(f"[ {BLANKS}]+", " ", text).strip()


def test_steps_are_remembered_within_bounds():
    steps = Steps()
    for number in range(MAX_CACHED_PATHS + 1):
        assert steps["", "p", str(number), None] == f"p#{number}"
    assert len(steps) == 1
    assert steps["ul", "li", None, "x" * 5000] == f"ul>li.{'x' * 40}"
    assert len(steps) == 1
