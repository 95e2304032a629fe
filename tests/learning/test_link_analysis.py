from __future__ import annotations

import numpy as np
import pytest

from clew.learning.link_analysis import between_hosts, distill, pagerank


def edges(text: str, names: str) -> tuple[np.ndarray, np.ndarray]:
    pairs = [pair.split(">") for pair in text.split()]
    return (
        np.array([names.split().index(source) for source, _ in pairs], np.int32),
        np.array([names.split().index(target) for _, target in pairs], np.int32),
    )


def test_t8_pagerank_without_renormalising() -> None:
    sources, targets = edges("A>B A>C B>C B>D C>A C>E C>D", "A B C D E")
    ranks = pagerank(sources, targets, 5, d=0.9)
    assert ranks.round(4).tolist() == [0.1784, 0.1803, 0.2614, 0.2596, 0.1784]


def test_pagerank_comes_to_the_same_from_any_start() -> None:
    sources, targets = edges("A>B A>C B>C B>D C>A C>E C>D", "A B C D E")
    cold, warm = pagerank(sources, targets, 5), pagerank(sources, targets, 5, start=np.full(5, 3.0))
    assert warm == pytest.approx(cold, abs=1e-7)


def test_pagerank_without_links() -> None:
    nothing = np.array([], np.int32)
    assert pagerank(nothing, nothing, 2).tolist() == pytest.approx([0.1, 0.1])
    assert pagerank(nothing, nothing, 0).tolist() == []


T10 = edges("h1>a1 h1>a2 h2>a1 h2>a3", "h1 h2 a1 a2 a3")
WORTH = np.array([0.8, 0.4, 0.9, 0.6, 0.05])


@pytest.mark.parametrize(
    ("rounds", "hubs", "authorities"),
    [(1, [0.7273, 0.2727], [0.75, 0.25, 0.0]), (50, [0.75, 0.25], [0.6667, 0.3333, 0.0])],
)
def test_t10_hubs_and_authorities(rounds: int, hubs: list[float], authorities: list[float]) -> None:
    found = distill(*T10, WORTH, rho=0.1, rounds=rounds)
    assert found[0].round(4).tolist() == [*hubs, 0.0, 0.0, 0.0]
    assert found[1].round(4).tolist() == [0.0, 0.0, *authorities]


def test_without_rho_the_irrelevant_page_is_an_authority_too() -> None:
    assert distill(*T10, WORTH, rho=0.0)[1][4] > 0


def test_nothing_worth_anything_gives_no_hubs() -> None:
    hubs, authorities = distill(*T10, np.zeros(5))
    assert not hubs.any()
    assert not authorities.any()


def test_many_links_from_host_to_host_share_one_vote() -> None:
    sources, targets = np.array([0, 0, 1, 2, 3]), np.array([3, 4, 3, 3, 0])
    hosts = np.array([1, 1, 2, 7, 7])
    assert between_hosts(sources, targets, hosts) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1.0, 1.0])


def test_links_within_a_host_have_no_vote() -> None:
    assert between_hosts(np.array([0]), np.array([1]), np.array([5, 5])).tolist() == [0.0]
    assert between_hosts(np.array([], int), np.array([], int), np.array([], int)).tolist() == []
