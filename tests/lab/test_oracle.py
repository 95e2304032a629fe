from __future__ import annotations

from random import Random

import numpy as np
import pytest

from clew.lab.link_graph import LinkGraph
from clew.lab.metrics import oracle_area, oracle_share
from clew.lab.oracle import Oracle, oracle

NAMES = ["a", "b", "c", "d", "e", "r1", "r2", "r3", "r4", "r5", "s"]
LINKS = ["s-a", "s-b", "a-c", "b-d", "b-e", "c-r1", "d-r2", "e-r3", "e-r4", "r2-r5"]
EXAMPLE = LinkGraph.of([tuple(map(NAMES.index, link.split("-"))) for link in LINKS], 11)
RELEVANT = [name.startswith("r") for name in NAMES]


def names(order: np.ndarray) -> str:
    return " ".join(NAMES[page] for page in order)


def test_the_worked_example() -> None:
    best = oracle(EXAMPLE, RELEVANT, [NAMES.index("s")], 11)
    assert names(best.near) == "s b d r2 r5 e r3 r4 a c r1"
    assert best.found.tolist() == [0, 0, 0, 1, 2, 2, 3, 4, 4, 4, 5]
    breadth_first = [False] * 6 + [True] * 5  # s a b c d e r1 r2 r3 r4 r5
    assert oracle_share(breadth_first, best.found)[6] == pytest.approx(0.3333, abs=1e-4)
    assert oracle_area(breadth_first, best.found) == pytest.approx(0.60)


def test_a_short_budget_is_respected() -> None:
    best = oracle(EXAMPLE, RELEVANT, [NAMES.index("s")], 4)
    assert len(best.near) == len(best.dense) == len(best.found) == 4
    assert best.found[-1] == 1


def test_dense_takes_the_longer_path_to_more_pages() -> None:
    # 0 leads to a single relevant page behind 1, and to five of them behind 3 and 4.
    links = [(0, 1), (1, 2), (0, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 9)]
    best = oracle(LinkGraph.of(links, 10), [n == 2 or n > 4 for n in range(10)], [0], 10)
    assert best.near.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert best.dense.tolist() == [0, 3, 4, 5, 6, 7, 8, 9, 1, 2]
    assert best.found.tolist() == [0, 0, 1, 1, 2, 3, 4, 5, 5, 6]


def test_start_pages_come_first_by_default() -> None:
    web = LinkGraph.of([(1, 2), (2, 3)], 4)
    relevant = [False, True, True, True]
    assert oracle(web, relevant, [0, 1], 4).near.tolist() == [1, 0, 2, 3]
    assert oracle(web, relevant, [0, 1], 4, starts_first=False).near.tolist() == [1, 2, 3, 0]


def test_relevant_pages_beyond_the_longest_walk_are_found_later() -> None:
    size = 20
    chain = LinkGraph.of(((n, n + 1) for n in range(size - 1)), size)
    best = oracle(chain, [n == size - 1 for n in range(size)], [0], 100)
    assert best.near.tolist() == best.dense.tolist() == list(range(size))
    assert best.found[-2:].tolist() == [0, 1]


def test_nothing_to_find_and_nowhere_to_start() -> None:
    assert oracle(EXAMPLE, [False] * 11, [NAMES.index("s")], 11).found.tolist() == [0] * 11
    assert oracle(EXAMPLE, RELEVANT, [], 11).found.tolist() == []
    assert oracle(EXAMPLE, RELEVANT, [0], 0).found.tolist() == []


@pytest.mark.parametrize(("relevant", "starts"), [([True], [0]), ([True, False], [2]), ([True, False], [-1])])
def test_labels_and_starts_must_fit_the_web(relevant: list[bool], starts: list[int]) -> None:
    with pytest.raises(ValueError, match="each of the 2 pages"):
        oracle(LinkGraph.of([(0, 1)], 2), relevant, starts, 2)


def test_near_the_optimum_and_never_above_it() -> None:
    shares = []
    for seed in range(60):
        web, relevant = chance_web(seed)
        best, optimum = oracle(web, relevant, [0], web.pages), optimal(web, relevant)
        assert (best.found <= optimum).all()
        check(web, best)
        shares.append(best.found.sum() / optimum.sum() if optimum.any() else 1.0)
    assert np.mean(shares) >= 0.99


@pytest.mark.parametrize("seed", range(5))
def test_the_order_is_valid_on_larger_webs(seed: int) -> None:
    web, relevant = chance_web(seed, pages=300, links=700, share=0.1)
    best = oracle(web, relevant, [0], 200)
    check(web, best)
    possible = np.array(relevant) & web.reach([0])
    assert best.found[-1] <= possible.sum()
    assert best.found[-1] >= 0.9 * min(possible.sum(), 200) or len(best.found) == 200


def chance_web(seed: int, pages: int = 14, links: int = 28, share: float = 0.35) -> tuple[LinkGraph, list[bool]]:
    chance = Random(seed)
    edges = [(chance.randrange(pages), chance.randrange(pages)) for _ in range(links)]
    return LinkGraph.of(edges, pages), [n > 0 and chance.random() < share for n in range(pages)]


def check(web: LinkGraph, best: Oracle) -> None:
    """Every page is visited once, and only after a page that links to it."""
    for order in (best.near, best.dense):
        assert len(set(order.tolist())) == len(order) == len(best.found)
        place = {page: at for at, page in enumerate(order.tolist())}
        assert all(min(place.get(n, 10**9) for n in web.reverse().out(page)) < place[page] for page in order[1:])


def optimal(web: LinkGraph, relevant: list[bool]) -> np.ndarray:
    """The most that can be found with each number of pages: every set of pages that can be crawled from page 0."""
    outs = [sum(1 << target for target in out) for out in web.lists()]
    wanted = sum(1 << page for page, good in enumerate(relevant) if good)
    layer, most = {1: outs[0]}, []
    while layer:
        most.append(max((taken & wanted).bit_count() for taken in layer))
        following = {}
        for taken, known in layer.items():
            for page in range(web.pages):
                if known & ~taken & 1 << page:
                    following[taken | 1 << page] = known | outs[page]
        layer = following
    return np.array(most)
