from __future__ import annotations

import pytest

from clew.config import Scope
from clew.parse import document
from clew.types import Doc, Fetched

URL = "http://a.example/p1"
PAGE = (
    b"<link rel=alternate type=application/rss+xml href=/rss title=News><a href=/1>1</a><a href=/2 rel=nofollow>2</a>"
)


def targets(*headers, body=PAGE, **settings):
    doc = document(Fetched(URL, 200, (("Content-Type", "text/html"), *headers), body), Scope(**settings))
    return [link.url.removeprefix("http://a.example") for link in doc.links]


@pytest.mark.parametrize(("rule", "left"), [("pages", []), ("links", []), ("ignore", ["/1", "/2"])])
def test_nofollow_of_a_page(rule, left):
    assert targets(("X-Robots-Tag", "nofollow"), nofollow=rule) == left
    assert targets(body=b"<meta name=robots content=nofollow>" + PAGE, nofollow=rule) == left


def test_nofollow_of_a_link_and_of_another_crawler():
    assert targets() == targets(("x-robots-tag", "otherbot: none")) == ["/1", "/2"]
    assert targets(nofollow="links") == ["/1"]


def test_noindex_by_header():
    assert document(Fetched(URL, 200, (("X-ROBOTS-TAG", "clew: noindex"),), PAGE)).noindex


def test_feeds_only_on_request():
    assert targets(feeds=True) == ["/1", "/2", "/rss"]
    assert targets(("X-Robots-Tag", "nofollow"), feeds=True) == []


def test_the_refresh_header_is_read_like_the_meta_element():
    assert targets(("Refresh", "5; url='/next' (please wait)")) == ["/1", "/2", "/next"]
    assert targets(("refresh", "5")) == targets(("Refresh", "url=/next")) == ["/1", "/2"]
    doc = document(Fetched(URL, 200, (("Refresh", "0;/b"),), b"text"))
    assert [(link.url, link.kind) for link in doc.links] == [("http://a.example/b", "refresh")]


def test_a_rendered_page_has_run_its_scripts():
    body = b"<noscript><a href=/n>n</a></noscript>"
    assert [link.url for link in document(Fetched(URL, 200, body=body)).links] == ["http://a.example/n"]
    assert document(Fetched(URL, 200, body=body, rendered=body)).links == ()


def test_link_headers():
    header = (
        "Link",
        '</p2>; rel=next, </p>; rel=canonical, </style>; rel=preload, </f>; rel=alternate; type="application/atom+xml"',
    )
    assert targets(header) == ["/1", "/2", "/p2"]
    assert targets(header, feeds=True) == ["/1", "/2", "/p2", "/rss", "/f"]
    assert document(Fetched(URL, 200, (header,), PAGE)).canonical == "http://a.example/p"


def test_what_is_parsed_already_stays_as_it_is():
    known = Doc(URL, nofollow=True)
    assert document(Fetched(URL, 200, doc=known)) is known


def test_a_feed_is_a_page_unless_feeds_are_wanted():
    body = b"<rss><channel><item><link>/1</link><title>One</title></item></channel></rss>"
    assert targets(body=body) == []
    assert targets(body=body, sitemaps=5) == []
    assert targets(body=body, feeds=True) == ["/1"]
