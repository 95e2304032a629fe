from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.parse import header_links
from clew.parse.headers import MAX_LINKS_PER_HEADER, HeaderLink

BASE = "http://a.org/dir/page"


@pytest.mark.parametrize(
    ("value", "links"),
    [
        ("<x>; rel=next", [("http://a.org/dir/x", ("next",))]),
        ('<http://b.org/>; rel="Prev Up"', [("http://b.org/", ("prev", "up"))]),
        ("<a>;rel=a,<b>;rel=b", [("http://a.org/dir/a", ("a",)), ("http://a.org/dir/b", ("b",))]),
        ("<a,b;c>; rel=a", [("http://a.org/dir/a,b;c", ("a",))]),
        ('<a>; title="x, <y>; \\"z"; rel=a', [("http://a.org/dir/a", ("a",))]),
        ("<a>; rel=a; rel=b", [("http://a.org/dir/a", ("a",))]),
        ("<a>; REL = next ; crossorigin", [("http://a.org/dir/a", ("next",))]),
        ("<a>", [("http://a.org/dir/a", ())]),
        ('<a>; rel="next', [("http://a.org/dir/a", ())]),
        ("<a>; rel=next; anchor=#part", []),
        ("<mailto:x@y>; rel=author, <javascript:x>", []),
        ("<", []),
        ("a; rel=next", []),
        ("<a", []),
        ("", []),
    ],
)
def test_link_headers(value: str, links: list[tuple[str, tuple[str, ...]]]):
    assert [(link.url, link.rel) for link in header_links(value, BASE)] == links


def test_type_and_title():
    value = '</feed>; rel=alternate; type="Application/RSS+xml"; title="The \\"feed\\""'
    assert header_links(value, BASE) == [
        HeaderLink("http://a.org/feed", ("alternate",), "application/rss+xml", 'The "feed"')
    ]


@pytest.mark.parametrize(
    "value", ["<a>;" * 10_000, "<a>,<" * 10_000, '<a>;x="' * 10_000, "<a>; ; ;=" * 10_000, "<" * 99_999]
)
def test_hostile_headers_are_bounded(value: str):
    assert len(header_links(value, BASE)) <= MAX_LINKS_PER_HEADER


@given(st.text(alphabet='<>;,="\\ arel', max_size=60))
def test_nothing_raises(value: str):
    header_links(value, BASE)
