from __future__ import annotations

from typing import Any

import pytest

from clew.base import codec
from clew.learning.hubs import HubPage, best_hubs
from clew.strategies._optional import inherit
from clew.strategies.learnable import Learnable
from clew.testing.tiny_web import explore, name_of, order, url_of
from clew.types import Candidate, Link, Page

WEB = """
s {start} -> golf [golf clubs] boat [boats here] hub [a list]
golf {golf} -> g1 [golf] g2 [golf]
boat .9 {boat} -> b1 [boats]
hub {list} -> b1 [boats] b2 [more boats] b3 [boats]
b1 .9 {boats}; b2 .9 {boats}; b3 .9 {boats}; g1 {golf}; g2 {golf}
"""


def studied(*pages: Page) -> Learnable:
    strategy = Learnable()
    strategy.study(pages)
    return strategy


def candidate(url: str, anchor: str = "", source: str = "p") -> Candidate:
    return Candidate(url, 1, 1, (Link(source, url, anchor),), 1)


def test_a_url_that_an_earlier_crawl_visited_gets_its_relevance(desk: Any) -> None:
    strategy = studied(Page("http://a.example/x", relevance=0.8), Page("http://a.example/y", relevance=0.1))
    strategy.start(desk)
    assert strategy.explain(candidate("http://a.example/x")) == {"prediction": 0.8}
    assert strategy.value(candidate("http://a.example/y")) == 0.1


def test_a_url_is_predicted_by_its_folder_and_its_keywords(desk: Any) -> None:
    """Base rate .5; of two pages in the folder both were relevant: (2 + 2 * .5) / (2 + 2)."""
    links = [Link("p", "u", "boats"), Link("p", "u", "golf")]
    good = [Page(f"http://a.example/boats/{n}", relevance=1.0, inlinks=(links[0],)) for n in range(2)]
    bad = [Page(f"http://a.example/golf/{n}", relevance=0.0, inlinks=(links[1],)) for n in range(2)]
    strategy = studied(*good, *bad)
    desk.seen["p"] = Page("p", relevance=0.3)
    strategy.start(desk)
    parts = strategy.explain(candidate("http://a.example/boats/new", "old boats"))
    assert parts == pytest.approx({"parent": 0.3, "keywords": 0.75, "folder": 0.75})
    other = strategy.explain(candidate("http://b.example/new", "golf clubs"))
    assert other == pytest.approx({"parent": 0.3, "keywords": 0.25})


def test_hubs_link_to_relevant_pages_of_other_hosts() -> None:
    pages = [
        HubPage("nepotist", "b", 1.0, ["x"]),
        HubPage("hub", "a", 0.0, ["x", "y"]),
        HubPage("golf", "a", 0.0, ["z"]),
        HubPage("x", "b", 1.0, []),
        HubPage("y", "c", 1.0, []),
        HubPage("z", "c", 0.0, []),
    ]
    assert best_hubs(pages, 10) == ["hub"]
    one_host = [page._replace(host="a") for page in pages]
    assert best_hubs(one_host, 10) == ["hub", "nepotist"]
    assert best_hubs([], 10) == []


def test_the_second_crawl_begins_at_the_hub_and_leaves_out_what_did_not_pay() -> None:
    first = Learnable(every=3)
    explore(first, WEB)
    assert name_of(first.seeds[0]) == "hub"
    second = Learnable()
    inherit(second, codec.loads(first.save()))
    visited = order(second, WEB)
    # "boat" is a hub as well, of one page.
    assert set(visited[1:3]) == {"boat", "hub"}
    assert set(visited[3:6]) == {"b1", "b2", "b3"}
    fresh = order(Learnable(), WEB)
    assert max(fresh.index(name) for name in ("b1", "b2", "b3")) > 5


def test_any_crawl_can_be_studied_and_knowledge_grows() -> None:
    crawl = explore("breadth_first", WEB)
    pages = [Page(record.url, relevance=record.relevance) for record in crawl.records]
    strategy = studied(*pages)
    assert strategy.predictions[url_of("b3")] == 0.9
    inherited = Learnable()
    inherit(inherited, codec.loads(strategy.save()))
    explore(inherited, "new .7 {yachts} -> more; more .8 {yachts}")
    assert inherited.predictions[url_of("b3")] == 0.9
    assert inherited.predictions[url_of("new")] == 0.7
    assert url_of("new") not in strategy.predictions


def test_a_label_corrects_what_is_known_of_a_page(desk: Any) -> None:
    page = Page("http://a.example/x", relevance=1.0, title="boats")
    strategy = studied(page, Page("http://a.example/y", relevance=0.0, title="golf"))
    strategy.start(desk)
    before = (strategy.pages, dict(strategy.seen))
    strategy.learn_label(page, relevant=False)
    assert strategy.predictions[page.url] == 0.0
    assert (strategy.pages, strategy.seen) == before
    assert strategy.finds == 0.0
