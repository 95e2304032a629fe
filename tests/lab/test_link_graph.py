from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.lab.link_graph import LinkGraph, components

PAGES = 12
page = st.integers(0, PAGES - 1)
webs = st.lists(st.tuples(page, page), max_size=40).map(lambda edges: LinkGraph.of(edges, PAGES))


def closure(web: LinkGraph) -> np.ndarray:
    """Which page reaches which, by Warshall's algorithm: slow and simple."""
    reached = np.eye(web.pages, dtype=bool)
    reached[web.sources(), web.targets] = True
    for middle in range(web.pages):
        reached |= np.outer(reached[:, middle], reached[middle])
    return reached


def test_links_are_sorted_and_unique() -> None:
    web = LinkGraph.of(np.array([[2, 1], [0, 2], [2, 1], [2, 0], [1, 1]]), 3)
    assert web.lists() == [[2], [1], [0, 1]]
    assert (web.pages, web.links) == (3, 4)
    assert web.offsets.dtype == np.int64
    assert web.targets.dtype == np.int32


@pytest.mark.parametrize("edges", [[(0, 3)], [(-1, 0)], [(3, 0)]])
def test_links_out_of_the_web_are_refused(edges: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="between 0 and 2"):
        LinkGraph.of(edges, 3)


def test_a_web_without_links_and_one_without_pages() -> None:
    assert LinkGraph.of([], 2).distances([1]).tolist() == [-1, 0]
    assert LinkGraph.of([], 0).lists() == []
    assert components(LinkGraph.of([], 0)) == []
    assert LinkGraph.of([(0, 1)], 2).reach([]).tolist() == [False, False]


@given(webs)
def test_twice_reversed_is_the_same(web: LinkGraph) -> None:
    back = web.reverse()
    assert {(t, s) for s, out in enumerate(web.lists()) for t in out} == {
        (s, t) for s, out in enumerate(back.lists()) for t in out
    }
    assert back.reverse().lists() == web.lists()


@given(webs, st.lists(page, max_size=3))
def test_distances_are_the_fewest_links(web: LinkGraph, starts: list[int]) -> None:
    distance = web.distances(starts)
    assert (distance >= 0).tolist() == closure(web)[starts].any(axis=0).tolist() == web.reach(starts).tolist()
    assert {n for n in range(PAGES) if distance[n] == 0} == set(starts)
    for source, out in enumerate(web.lists()):
        assert all(distance[source] < 0 or 0 <= distance[target] <= distance[source] + 1 for target in out)


@given(webs, st.lists(page, min_size=1, max_size=3), st.lists(st.booleans(), min_size=PAGES, max_size=PAGES))
def test_costs_are_the_fewest_pages_that_are_not_free(web: LinkGraph, starts: list[int], free: list[bool]) -> None:
    cost = {start: int(not free[start]) for start in starts}
    for _ in range(PAGES):  # the Bellman-Ford algorithm: slow and simple
        for source, out in enumerate(web.lists()):
            for target in out if source in cost else ():
                cost[target] = min(cost.get(target, PAGES), cost[source] + (not free[target]))
    assert web.costs(starts, free).tolist() == [cost.get(n, -1) for n in range(PAGES)]


@given(webs)
@settings(max_examples=200)
def test_components_reach_each_other_and_links_lead_down(web: LinkGraph) -> None:
    part, reached = np.array(components(web)), closure(web)
    assert ((part[:, None] == part) == (reached & reached.T)).all()
    assert (part[web.sources()] >= part[web.targets]).all()
    assert set(part.tolist()) == set(range(part.max() + 1))


def test_a_long_chain_needs_no_recursion() -> None:
    size = 5000
    chain = LinkGraph.of(((n, n + 1) for n in range(size - 1)), size)
    assert components(chain) == list(range(size))[::-1]


def test_subgraphs() -> None:
    inner, old = LinkGraph.of([(0, 2), (2, 3), (3, 0), (1, 3)], 4).within([True, False, True, True])
    assert old.tolist() == [0, 2, 3]
    assert inner.lists() == [[1], [2], [0]]
