"""The labyrinth of activities and regions: its words, its pages, its islands and the gaps before them."""

from __future__ import annotations

import urllib.request
from collections import deque

import pytest

from clew.errors import ConfigError
from clew.interests import build
from clew.labyrinth import Regional, made, serving
from clew.labyrinth.prose import ENGLISH
from clew.labyrinth.region_plan import GAP_PAGES, ISLANDS, WAYS
from clew.labyrinth.region_words import ACTIVITIES, REGIONS, WORDS
from clew.parse import parse


@pytest.fixture(scope="module")
def web() -> Regional:
    return Regional(pages=2400, seed=3)


def both(web: Regional, interest: str) -> set[int]:
    activity, region = interest.split(" AND ")
    return set(web.pages_on(activity)) & set(web.pages_on(region))


def test_no_word_has_two_topics() -> None:
    small_talk = " ".join(ENGLISH.values()).split()
    words = [word for topic in WORDS.values() for word in topic] + small_talk
    assert sorted({word for word in words if words.count(word) > 1} - {word for word in small_talk}) == []
    assert len(ACTIVITIES) == 24 == len(REGIONS)


def test_the_same_seed_makes_the_same_web(web: Regional) -> None:
    again = Regional(pages=2400, seed=3)
    assert all(web.page(web.url(n)) == again.page(again.url(n)) for n in range(0, 2400, 97))
    other = Regional(pages=2400, seed=4)
    assert [other.links(n) for n in range(50)] != [web.links(n) for n in range(50)]


def test_every_page_has_one_url(web: Regional) -> None:
    urls = [web.url(number) for number in range(web.pages)]
    assert len(set(urls)) == web.pages
    assert all(web.number(url) == number for number, url in enumerate(urls))
    assert web.number(urls[7].replace("/7.html", "/007.html")) is None
    assert web.page("http://nowhere.labyrinth/").status == web.page(urls[3] + "x").status == 404


def test_pages_have_links_as_planned_and_some_have_several_topics(web: Regional) -> None:
    for number in range(5, 2400, 211):
        doc = parse(web.page(web.url(number)).body, web.url(number), "text/html; charset=utf-8")
        assert {web.number(link.url) for link in doc.links} == set(web.links(number))
    several = [spot for spot in web.plan.spots if len(spot.activities) > 1 or len(spot.regions) > 1]
    assert 0.03 < len(several) / web.pages < 0.2


def test_the_keywords_of_the_taxonomy_tell_the_pages_apart(web: Regional) -> None:
    from clew.config import Topic

    topics = {name: Topic(parent, web.keywords(name)) for name, parent in web.taxonomy.items()}
    judge = build(web.interests[0], topics, threshold=0.5)
    relevant = both(web, web.interests[0])

    def accepted(numbers: list[int]) -> float:
        docs = [parse(web.page(web.url(n)).body, web.url(n), "text/html; charset=utf-8") for n in numbers]
        return sum(judge.judge(doc).relevant for doc in docs) / len(docs)

    assert accepted(sorted(relevant)[:40]) > 0.9
    assert accepted([n for n in range(0, 2400, 29) if n not in relevant]) < 0.05


def test_islands_are_reached_only_through_gaps_of_irrelevant_pages(web: Regional) -> None:
    for interest in web.interests:
        relevant = both(web, interest)
        mainland = {n for n in relevant if web.plan.spots[n].kind == "content"}
        islands = {n for n in relevant if web.plan.spots[n].kind == "island"}
        assert len(islands) > len(mainland) > 5
        homes = {web.plan.hosts[web.plan.spots[n].host].start for n in islands}
        # The number of irrelevant pages in a row before each page, at the least, from everywhere on the mainland.
        gap = dict.fromkeys(mainland, 0)
        queue = deque(mainland)
        while queue:
            here = queue.popleft()
            for target in web.links(here):
                steps = 0 if target in relevant else gap[here] + 1
                if target in islands and here not in islands and here not in homes:
                    assert gap[here] >= GAP_PAGES[0]
                if target not in gap:
                    gap[target] = steps
                    queue.append(target)
        assert islands <= gap.keys()
        assert all(
            target in relevant or web.plan.spots[target].kind == "home" for n in islands for target in web.links(n)
        )
    lengths = {len(pages) for pages, _, _ in web.plan.gaps}
    assert (min(lengths), max(lengths)) == GAP_PAGES
    assert len(web.plan.gaps) == len(web.interests) * ISLANDS * WAYS


def test_start_pages_lie_on_the_mainland(web: Regional) -> None:
    seeds = web.seeds("sailing", 20)
    assert len(seeds) == 20
    assert all(web.plan.spots[web.number(url) or 0].kind == "content" for url in seeds)


def test_settings_that_cannot_be() -> None:
    with pytest.raises(ConfigError, match="2,000 to 200,000 pages"):
        Regional(pages=100)
    with pytest.raises(ConfigError, match="only the settings pages and seed"):
        made("regions", islands=0.5)
    with pytest.raises(ConfigError, match="no special hosts"):
        made("regions", "hostile")
    with pytest.raises(ConfigError, match="did you mean 'regions'"):
        made("region")


def test_it_is_served_like_the_other_labyrinths(web: Regional) -> None:
    url = web.url(9)
    with serving(web) as served:
        proxy = urllib.request.build_opener(urllib.request.ProxyHandler({"http": f"http://127.0.0.1:{served.port}"}))
        assert proxy.open(url).read() == web.page(url).body
