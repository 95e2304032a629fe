"""Topical locality and the bow tie, on webs small enough to count by hand."""

from __future__ import annotations

import numpy as np
import pytest

from clew.lab.bow_tie import bow_tie
from clew.lab.change import Change, narrower_topic, react, two_topics
from clew.lab.link_graph import LinkGraph
from clew.lab.locality import PAGES_PER_TOPIC, Likelihood, _by_distance, _by_url, locality, some_topics
from clew.lab.siblings import targets
from clew.lab.worlds import find

WORLD = "labyrinth:300"


def test_the_parts_of_a_bow_tie() -> None:
    """0 leads into the core of 1 and 2, which leads to 3 and 4; 5 hangs on 0, and 6 is an island."""
    tie = bow_tie(LinkGraph.of([(0, 1), (1, 2), (2, 1), (2, 3), (3, 4), (0, 5)], 7))
    parts = (tie.core, tie.into, tie.out_of, tie.tendrils, tie.islands)
    assert parts == pytest.approx((2 / 7, 1 / 7, 2 / 7, 1 / 7, 1 / 7))
    assert sum(parts) == pytest.approx(1.0)
    assert tie.reach_from_core == pytest.approx(4 / 7)
    assert tie.reach_from_out == pytest.approx((2 + 1) / 2 / 7)


def test_pages_that_were_removed_do_not_count() -> None:
    present = np.array([True, True, True, False])
    assert bow_tie(LinkGraph.of([(0, 1), (1, 0), (1, 2)], 4), present).core == pytest.approx(2 / 3)


def test_likelihood_by_distance_is_counted_from_each_relevant_page() -> None:
    world = find(WORLD)
    truth = world.truth("sailing")
    counts = _by_distance(world, "sailing", truth, seed=0)
    relevant = np.flatnonzero(truth == 1).tolist()
    assert 0 < len(relevant) <= PAGES_PER_TOPIC
    out = [page for start in relevant for page in world.graph.out(start).tolist() if page != start]
    assert counts["1"] == [len(out), int((truth[out] == 1).sum())]
    assert all(0 <= hits <= pages for pages, hits in counts.values())


def test_relevant_pages_of_the_labyrinth_lie_near_each_other() -> None:
    found = locality(find(WORLD), some_topics(find(WORLD), 4))
    by_distance = {each.kind: each for each in found.by_distance}
    assert by_distance["1"].lift > 2 > by_distance["3"].lift
    by_url = {each.kind: each for each in found.by_url}
    assert by_url["2 parts"].share > by_url["elsewhere"].share
    anchors = [each for each in found.by_anchor if each.pairs]
    assert anchors[-1].share > anchors[0].share
    assert found.text["1"] > found.text["any"]
    assert locality(find(WORLD), some_topics(find(WORLD), 4)) == found


def test_siblings_are_the_more_alike_the_closer_their_links_are() -> None:
    found = locality(find("labyrinth:1000"), ["sailing"]).siblings
    near, *_, far = found.values()
    assert list(found) == ["next to each other", "2 to 4 links apart", "5 to 9 links apart", "10 links apart or more"]
    assert near > far


def test_siblings_are_what_a_page_links_to_each_once_and_in_order() -> None:
    world = find(WORLD)
    source = 7
    links = [world.id_of(link.url) for link in world.doc(source).links]
    siblings = targets(world, source)
    assert sorted(siblings) == sorted({page for page in links if page not in (None, source)})
    assert [links.index(page) for page in siblings] == sorted(links.index(page) for page in siblings)


def test_shared_parts_of_urls_are_counted_within_a_host() -> None:
    world = find(WORLD)
    topic = some_topics(world, 1)[0]
    truth = world.truth(topic)
    counts = _by_url(world, topic, truth, seed=0)
    starts = min(40, int((truth == 1).sum()))
    # Every other page is compared once with each of the start pages.
    assert sum(pages for pages, _ in counts.values()) == starts * (len(world) - 1)


def test_a_kind_that_was_not_seen_has_no_likelihood() -> None:
    found = locality(find(WORLD), ["sailing"])
    unseen = [each for each in found.by_anchor if not each.pairs]
    assert all(each == Likelihood(each.kind, 0.0, 0.0, 0) for each in unseen)


def test_topics_of_a_change_differ_or_are_parts() -> None:
    world = find("labyrinth:1000")
    before, after = two_topics(world)
    assert not ((world.truth(before) == 1) & (world.truth(after) == 1)).any()
    part = narrower_topic(world, before)
    assert part
    assert (world.truth(before)[world.truth(part) == 1] == 1).mean() >= 0.8


def test_strategies_react_to_every_kind_of_change() -> None:
    change = Change(WORLD, "sports", "science", "water sports", change=30, budget=100)
    found = react(change, "shark")
    assert found.drift[0.0] == 1.0 > found.drift[0.4]
    assert set(found.reactions) == {"refocus", "labels", "reuse"}
    assert len(found.reactions["refocus"].visits) == 70 == len(found.reactions["refocus"].fresh_visits)
    assert found.gain == pytest.approx(0.0, abs=0.2)
    only = react(change, "shark", ["refocus"])
    assert only.reactions["refocus"] == found.reactions["refocus"]
    assert (only.drift, only.gain) == ({}, None)


def test_the_learnable_crawler_gains_from_an_earlier_crawl() -> None:
    """Start pages, keywords and predictions of a crawl for the same topic, from other start pages."""
    change = Change("labyrinth:1000", "science", "science", change=100, budget=250)
    gain = react(change, "learnable", ["reuse"]).gain
    assert gain is not None
    assert gain > 0.1
