from __future__ import annotations

import asyncio

import pytest

from clew.errors import ConfigError
from clew.parse import parse
from clew.testing.random_web import random_web
from clew.testing.tiny_web import (
    TinyLink,
    TinyPage,
    TinyWeb,
    TinyWebFetcher,
    TinyWebInterest,
    explore,
    name_of,
    order,
    url_of,
)
from clew.types import Doc


def test_the_whole_notation() -> None:
    web = TinyWeb.read("""
        a .9 {boats and sails} -> b [.3 sails] (in the harbour) c d (.4)
        b 404; c => d
        e 1
    """)
    assert web.pages["a"] == TinyPage(
        0.9,
        200,
        "boats and sails",
        (TinyLink("b", ".3 sails", "in the harbour"), TinyLink("c"), TinyLink("d", "", ".4")),
    )
    assert (web.pages["b"].status, web.pages["c"].location, web.pages["e"].relevance) == (404, "d", 1.0)
    assert web.pages["d"] == TinyPage()
    assert web.first == "a"


@pytest.mark.parametrize("text", ["a b", "a .9 .x", "a =>", "a => b c", "a 1.5"])
def test_mistakes_in_the_notation_are_reported(text: str) -> None:
    with pytest.raises(ConfigError, match="cannot read"):
        TinyWeb.read(text)


@pytest.mark.parametrize("name", ["a", "other.example/a", "other.example/"])
def test_names_and_urls(name: str) -> None:
    assert name_of(url_of(name)) == name


def test_a_page_is_real_html() -> None:
    fetched = asyncio.run(TinyWebFetcher(TinyWeb.read("a {x < y} -> b [R & D]")).get(url_of("a")))
    assert fetched.ok
    assert b"x &lt; y" in fetched.body
    assert b'<a href="http://sketch.example/b">R &amp; D</a>' in fetched.body


def test_a_link_has_only_its_own_text() -> None:
    html = TinyWeb.read("a {text} -> b [one] (near one) c [two] d (near three)").html("a")
    links = parse(html.encode(), url_of("a"), "text/html").links
    assert [(name_of(link.url), link.anchor, link.around) for link in links] == [
        ("b", "one", "\tnear one"),
        ("c", "two", ""),
        ("d", "", "\tnear three"),
    ]


@pytest.mark.parametrize(("name", "status"), [("b", 500), ("nowhere", 404)])
def test_failures_are_responses(name: str, status: int) -> None:
    fetched = asyncio.run(TinyWebFetcher(TinyWeb.read("a -> b; b 500")).get(url_of(name)))
    assert (fetched.ok, fetched.status) == (False, status)


@pytest.mark.parametrize(
    ("text", "rate"), [(".3", 0.3), ("0.25 of 1", 1.0), ("page 12", 0.0), ("v1.5", 0.0), ("", 0.0), ("a .1 .2", 0.2)]
)
def test_a_text_is_rated_by_its_largest_number(text: str, rate: float) -> None:
    assert TinyWebInterest(TinyWeb()).rate(text) == rate


def test_a_page_has_the_relevance_in_the_notation() -> None:
    interest = TinyWebInterest(TinyWeb.read("a .6; b .4"))
    assert [interest.judge(Doc(url_of(name))).relevant for name in "ab"] == [True, False]


def test_the_crawl_is_the_ordinary_one() -> None:
    crawl = explore("breadth_first", "a .9 -> b c [to] (x); b 404 -> d; c => e; e .6 -> other.example/f", pages=None)
    assert [name_of(url) for url in crawl.order] == ["a", "b", "e", "other.example/f"]
    assert (crawl.stats.failed, crawl.stats.redirects, crawl.stats.relevant, crawl.stats.hosts) == (1, 1, 2, 2)


def test_settings_reach_the_crawl() -> None:
    assert order("breadth_first", "a -> b c d", pages=2) == ["a", "b"]
    assert explore("breadth_first", "a .3 -> b", threshold=0.2).stats.relevant == 1


def test_a_random_web_is_reproducible_and_has_every_kind_of_page() -> None:
    assert random_web(50) == random_web(50)
    assert random_web(50) != random_web(50, seed=1)
    pages = random_web(60).pages.values()
    assert any(spot.location for spot in pages)
    assert any(spot == TinyPage() for spot in pages)
    assert any(spot.relevance > 0.5 for spot in pages)
    assert order("breadth_first", random_web(60)).__len__() > 30
