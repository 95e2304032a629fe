from __future__ import annotations

import pytest

from clew.strategies.pagerank import PageRank
from clew.testing.tiny_web import explore, order
from clew.types import Candidate

T8 = "A -> B C; B -> C D; C -> A E D"


def test_t8_what_important_pages_link_to_comes_first() -> None:
    assert order("pagerank", T8) == ["A", "B", "C", "D", "E"]


def test_t8_ranks_of_all_pages() -> None:
    strategy = PageRank(every=1)
    explore(strategy, T8)
    strategy._rank_all()
    assert [round(strategy._rank(page), 4) for page in range(5)] == [0.1784, 0.1803, 0.2614, 0.2596, 0.1784]


def test_a_link_from_an_important_page_is_worth_more() -> None:
    """y has one link from a page that many link to, x one from a page that nobody else knows."""
    web = "s -> a b c; a -> b; c -> b; b -> y; t -> u v w; u -> x"
    assert order("pagerank(every=1)", web, start="s t u a b c")[6:] == ["y", "x", "v", "w"]


def test_links_of_a_page_share_its_rank() -> None:
    web = "s -> a b; a -> p q r t; b -> x"
    assert order("pagerank", web)[:4] == ["s", "a", "b", "x"]


def test_ranks_worked_out_seldom_or_always_agree_on_a_tree() -> None:
    web = "s -> a b; a -> c d; b -> e; e -> f"
    assert order("pagerank(every=1)", web) == order("pagerank(every=1000)", web)


def test_hot_candidates_come_first() -> None:
    web = "s -> a b; a -> x y [.9 boats]; b -> x; x -> z"
    assert order("pagerank", web) == ["s", "a", "x", "z", "y", "b"]
    assert order("pagerank(hot=True, near=0)", web) == ["s", "a", "y", "x", "z", "b"]


def test_hot_reaches_some_links_behind_a_relevant_page() -> None:
    web = "s .9 -> a x; a -> b c; t -> u"
    assert order("pagerank", web, start="s t") == ["s", "t", "u", "a", "b", "c", "x"]
    assert order("pagerank(hot=True, near=1)", web, start="s t") == ["s", "t", "a", "x", "u", "b", "c"]
    assert order("pagerank(hot=True, near=2)", web, start="s t") == ["s", "t", "a", "b", "c", "x", "u"]


def test_explains_with_the_names_of_the_paper() -> None:
    strategy = PageRank(hot=True)
    explore(strategy, "s .9 -> a b", pages=1)
    parts = strategy.explain(Candidate("http://sketch.example/a", found=1))
    assert parts == {"IR'": pytest.approx(0.1 + 0.9 * 0.1 / 2), "hot": 1.0}
