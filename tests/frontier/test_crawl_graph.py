"""The graph of links: both directions agree, redirects are followed, nothing is lost when it is saved."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clew.frontier import CrawlGraph

PAGES = st.dictionaries(st.integers(0, 9), st.lists(st.integers(0, 9), unique=True, max_size=6), max_size=8)


def web_of(pages: dict[int, list[int]]) -> CrawlGraph:
    web = CrawlGraph()
    for source, targets in pages.items():
        web.add(source, targets)
    return web


@given(PAGES)
def test_both_directions_tell_the_same(pages: dict[int, list[int]]) -> None:
    web = web_of(pages)
    forwards = {(source, target) for source in pages for target in web.out(source)}
    assert forwards == {(source, target) for target in range(10) for source in web.into(target)}
    assert forwards == set(zip(*map(np.ndarray.tolist, web.edges()), strict=True))


@given(PAGES, st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=4))
def test_a_saved_web_is_the_same_web(pages: dict[int, list[int]], moves: list[tuple[int, int]]) -> None:
    web = web_of(pages)
    for redirect, target in moves:
        web.move(redirect, target)
    again = CrawlGraph.load(web.save())
    assert [again.out(n) for n in range(10)] == [web.out(n) for n in range(10)]
    assert [again.into(n) for n in range(10)] == [web.into(n) for n in range(10)]


def test_links_to_a_redirect_are_links_to_where_it_leads() -> None:
    web = web_of({0: [1, 2], 3: [2]})
    web.move(1, 2)
    assert web.out(0) == [2, 2]
    assert web.into(2) == [0, 3, 0]
    assert web.edges()[1].tolist() == [2, 2, 2]


def test_redirects_in_a_circle_lead_nowhere_new() -> None:
    web = web_of({0: [1]})
    web.move(1, 2)
    web.move(2, 1)
    assert web.out(0) == [2]
