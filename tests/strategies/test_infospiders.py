from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from clew.base import codec
from clew.errors import StoreError
from clew.strategies._shared.spider import Spider, child_of, inputs, outputs, probabilities, taught
from clew.strategies.infospiders import InfoSpiders
from clew.testing.tiny_web import explore, order, url_of
from clew.types import Candidate, Link, Page


def spider(**fields: Any) -> Spider:
    return Spider(
        **{"at": 0, "trail": [], "energy": 1.0, "beta": 2.0, "keys": ["boat", "sail"], "weights": [0.6, 0.1, 0.1]}
        | {"wish": None, "seen": [], "rest": 0}
        | fields
    )


def test_t14_links_are_followed_by_softmax() -> None:
    assert probabilities(np.array([0.8, 0.2, -0.1]), 2.0).round(4).tolist() == [0.6819, 0.2054, 0.1127]


def test_t14_near_keywords_count_more() -> None:
    """Distances 1 and 4 make 1.25; the net makes tanh(.6 * 1.25 + .1) of it."""
    rows = inputs([Link("p", "q", "click", "boats island harbour boat\t")], ["boat"])
    assert rows.tolist() == [[1.25]]
    assert outputs(rows, [0.6, 0.1]).round(4).tolist() == [0.6911]


def test_words_in_the_anchor_are_at_distance_one_and_far_ones_do_not_count() -> None:
    words = " ".join(f"word{n}" for n in range(10))
    far, near = Link("p", "q", "boats", f"boat {words}\t{words} boat"), Link("p", "q", "boat sails", "\tsail")
    assert inputs([far, near], ["boat", "sail"]).tolist() == [[1.0, 0.0], [1.0, 2.0]]


def test_t14_energy_is_halved_between_parent_and_child() -> None:
    parent = spider(energy=1.0 + 1.3 - 0.2)
    child = child_of(parent, None, {"harbour": 3}, lambda *key: 0.5)
    assert parent["energy"] == child["energy"] == pytest.approx(1.05)
    assert child["keys"] == ["boat", "harbour"]
    assert child["weights"] == pytest.approx(parent["weights"])


def test_t14_the_net_learns_towards_benefit_and_promise() -> None:
    target = 1.3 + 0.5 * 0.8
    assert target == pytest.approx(1.7)
    weights = taught([math.atanh(0.8), 0.0], [1.0], target, rate=0.1)
    step = 0.1 * 0.9 * (1 - 0.8 * 0.8)
    assert weights == pytest.approx([math.atanh(0.8) + step, step])


def test_crossover_swaps_the_second_halves_of_the_keywords() -> None:
    parent = spider(keys=["a", "b", "c", "d"], weights=[1.0, 1.0, 1.0, 1.0, 0.0])
    mate = spider(keys=["w", "x", "y", "z"], weights=[1.0] * 5)
    assert child_of(parent, mate, {}, lambda *key: 0.5)["keys"] == ["a", "b", "y", "z"]


def test_the_mutations_of_a_child_leave_the_parent_alone() -> None:
    parent = spider()
    before = {**parent, "keys": list(parent["keys"]), "weights": list(parent["weights"])}
    child = child_of(parent, None, {"harbour": 1}, lambda *key: 0.9)
    assert child["beta"] == pytest.approx(2.4)
    assert {**parent, "energy": 1.0} == before


def test_agents_follow_their_keywords() -> None:
    crowd = " ".join(f"b{n} [cars]" for n in range(10))
    good = "; ".join(f"g{n} .9 {{boats}} -> g{n + 1} [boats]" for n in range(9))
    web = f"s .9 {{{'boats ' * 20}}} -> {crowd} g0 [boats]; {good}"
    found = order("infospiders(keywords=1, beta=9.0, back=0.0)", web, pages=12)
    assert sum(name.startswith("g") for name in found) >= 5


def test_agents_die_of_barren_pages_and_others_take_their_place() -> None:
    strategy = InfoSpiders(agents=1)
    chain = "; ".join(f"p{n} -> p{n + 1}" for n in range(20))
    found = explore(strategy, f"s .9 {{boats}} -> p0; {chain}")
    assert strategy.reseeded > 0
    assert len(found.order) == 22


def test_agents_breed_on_good_pages() -> None:
    strategy = InfoSpiders(agents=1, most=4)
    chain = "; ".join(f"p{n} .9 {{boats}} -> p{n + 1}" for n in range(20))
    explore(strategy, f"s .9 {{boats}} -> p0; {chain}")
    assert 2 <= len(strategy.population) <= 4
    assert strategy.born > 1


def test_only_the_first_agent_lives_on_a_page() -> None:
    strategy = InfoSpiders(agents=4, theta=9.0)
    explore(strategy, "s .9 -> a; a .9 -> b", pages=2)
    assert sorted(agent["energy"] for agent in strategy.population) == pytest.approx([1.0, 1.0, 1.0, 1.7])


def test_keywords_are_the_best_rated_words_of_the_start_page() -> None:
    strategy = InfoSpiders(agents=1, keywords=2)
    explore(strategy, "s {boats boats sails harbour} -> a", pages=1)
    assert strategy.population[0]["keys"][0] == "boat"
    assert len(strategy.population[0]["keys"]) == 2


def test_feedback_replaces_the_benefit() -> None:
    strategy = InfoSpiders()
    explore(strategy, "s .9 -> a", pages=1)
    strategy.learn_label(Page("x", terms={"boat": 3, "sail": 4}), relevant=True)
    strategy.learn_label(Page("y", terms={"car": 1}), relevant=False)
    assert strategy._benefit(spider(), Page("z", terms={"boat": 3, "sail": 4})) == pytest.approx(1 / math.sqrt(2))
    assert strategy._benefit(spider(), Page("z", terms={"car": 5})) < 0


def test_the_whole_web_is_found() -> None:
    web = "s .9 -> a b; a -> c; b -> d; d -> e; c 404; e => f; f -> g; g => s"
    assert sorted(order("infospiders", web)) == ["a", "b", "c", "d", "f", "s"]


def test_explains_who_waits() -> None:
    strategy = InfoSpiders(agents=3)
    explore(strategy, "s .9 -> a", pages=1)
    assert strategy.explain(Candidate(url_of("a"), found=1)) == {"agents waiting": 3, "energy": 1.0, "population": 3}


@pytest.mark.parametrize(
    ("network", "energy"),
    # Means of 2,000 bytes and 2 seconds: a page of 3,000 bytes costs 1.5 times .2, one of 1 second half of it.
    [("bytes", 1.0 - 0.3), ("seconds", 1.0 - 0.1), ("none", 1.0 - 0.2)],
)
def test_agents_pay_what_the_network_has_measured(desk: Any, network: Any, energy: float) -> None:
    strategy = InfoSpiders(network=network)
    strategy.start(desk)
    heavy = Page("heavy", bytes=3000, seconds=1.0)
    for page in (Page("light", bytes=1000, seconds=3.0), heavy):
        strategy._measure(page)
    agent = spider()
    strategy.population = [agent]
    strategy._feed(agent, heavy)
    assert agent["energy"] == pytest.approx(energy)


def test_a_huge_page_costs_five_times_the_mean_at_most(desk: Any) -> None:
    strategy = InfoSpiders(cost=0.1)
    strategy.start(desk)
    for n in range(99):
        strategy._measure(Page(f"p{n}", bytes=1))
    huge = Page("huge", bytes=10**9)
    strategy._measure(huge)
    assert strategy._cost(huge) == pytest.approx(0.5)
    assert strategy._cost(Page("not measured")) == 0.1


def test_pages_of_a_crawl_know_their_transfer() -> None:
    strategy = InfoSpiders()
    crawl = explore(strategy, "s .9 {boats} -> a b; a {cars}")
    assert strategy.loads == 3
    assert strategy.total_load == sum(record.bytes for record in crawl.records) > 0


def test_a_checkpoint_of_before_the_network_was_measured_still_loads(desk: Any) -> None:
    before = codec.loads(InfoSpiders().save())
    for name in InfoSpiders.added_later:
        del before[name]
    strategy = InfoSpiders()
    strategy.start(desk)
    strategy.load(codec.dumps(before))
    assert strategy.loads == 0
    with pytest.raises(StoreError, match="born"):
        strategy.load(codec.dumps({name: value for name, value in before.items() if name != "born"}))
