from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable

import pytest

from clew.labyrinth import Labyrinth


def reached(web: Labyrinth, starts: Iterable[int], closed: Callable[[int], bool] = lambda _: False) -> dict[int, int]:
    """Every page that can be reached, with its distance; closed pages are not entered."""
    depth = dict.fromkeys(starts, 0)
    queue = deque(depth)
    while queue:
        number = queue.popleft()
        for target in web.links(number):
            if target not in depth and not closed(target):
                depth[target] = depth[number] + 1
                queue.append(target)
    return depth


def test_kinds_have_their_shares(web: Labyrinth):
    kinds = Counter(web.truth(number).kind for number in range(web.pages))
    assert kinds["hub"] / web.pages == pytest.approx(web.hubs, abs=0.01)
    assert kinds["tunnel"] / web.pages == pytest.approx(web.tunnels, abs=0.02)
    assert kinds["home"] + sum(site.kind == "noise" for site in web.graph.sites) == len(web.hosts)
    assert kinds["content"] > 0.65 * web.pages


def test_leaf_topics_are_rare():
    web = Labyrinth(pages=20_000)
    shares = [sum(1 for _ in web.pages_on(topic)) / web.pages for topic in web.topics]
    assert len(shares) == 30
    assert min(shares) > 0.012
    assert max(shares) < 0.05


@pytest.mark.parametrize(("pages", "seed"), [(1000, 5), (2000, 1)])
def test_content_is_reached_from_homes_and_topics_from_their_seeds(pages: int, seed: int):
    web = Labyrinth(pages=pages, seed=seed)
    from_homes = reached(web, [site.start for site in web.graph.sites])
    assert all(n in from_homes for n in range(pages) if web.truth(n).kind == "content")
    for topic in web.topics[::6]:
        found = reached(web, [web.number(url) for url in web.seeds(topic, 3)])
        relevant = list(web.pages_on(topic))
        assert sum(n in found for n in relevant) >= 0.95 * len(relevant)


@pytest.mark.parametrize("regime", ["poor", "deep"])
def test_hard_regimes_are_connected_too(regime: str):
    web = Labyrinth.regime(regime, pages=1500, seed=9)
    found = reached(web, [web.number(url) for url in web.seeds("sailing", 5)])
    assert all(number in found for number in web.pages_on("sailing"))


def test_islands_lie_behind_two_to_four_irrelevant_pages(web: Labyrinth):
    islands = {site.index for site in web.graph.sites if site.kind == "island"}
    mainland = [n for n in range(web.pages) if web.graph.spot(n).site.index not in islands]
    starts = [n for n in mainland if web.truth(n).kind not in ("tunnel", "noise")]
    without = reached(web, starts, closed=lambda n: web.truth(n).kind == "tunnel")
    ashore = [n for n in range(web.pages) if web.graph.spot(n).site.index in islands]
    assert len(ashore) > 100
    assert not set(ashore) & set(without)
    depth = reached(web, starts)
    first = {index: min(depth[n] for n in ashore if web.graph.spot(n).site.index == index) for index in islands}
    assert {3, 4, 5} >= set(first.values())
    assert len(set(first.values())) > 1


def test_noise_leads_nowhere(web: Labyrinth):
    noise = [n for n in range(web.pages) if web.truth(n).kind == "noise"]
    assert len(noise) > 50
    assert {web.truth(target).kind for n in noise for target in web.links(n)} == {"noise"}


def test_topical_neighbours_are_far_more_likely(web: Labyrinth):
    sailing = web.relevant("sailing")
    pages = list(web.pages_on("sailing"))
    targets = [target for n in pages for target in web.links(n)]
    assert sum(map(sailing, targets)) / len(targets) > 8 * len(pages) / web.pages


def test_hubs_list_pages_of_their_topic_across_hosts(web: Labyrinth):
    hubs = [n for n in range(web.pages) if web.truth(n).kind == "hub"]
    for hub in hubs[::10]:
        topic = web.truth(hub).topic
        listed = [n for n in web.links(hub) if web.truth(n) == (topic, "content")]
        assert not web.relevant(topic)(hub)
        assert len(listed) >= 8
    assert any(len({web.graph.spot(n).site.index for n in web.links(hub)}) > 10 for hub in hubs)


def test_links_are_distinct_and_inside(web: Labyrinth):
    for number in range(0, web.pages, 37):
        links = web.links(number)
        assert len(links) == len(set(links))
        assert number not in links
        assert all(0 <= target < web.pages for target in links)
