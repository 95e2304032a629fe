from __future__ import annotations

from typing import Any

import pytest

from clew.strategies import HOLD
from clew.strategies.shark import Shark
from clew.testing.tiny_web import explore, order
from clew.types import Candidate, Link


def candidate(*links: Link) -> Candidate:
    return Candidate("c", links=links, n_links=len(links))


@pytest.mark.parametrize(("gamma", "potential"), [(0.8, 0.248), (0.1, 0.416)])
def test_t6_behind_a_relevant_page(desk: Any, gamma: float, potential: float) -> None:
    shark = Shark(gamma=gamma)
    shark.start(desk)
    shark.learn(desk.lay("p", 0.4, "c"))
    parts = shark.explain(candidate(Link("p", "c", anchor=".3", around=".2")))
    assert parts["inherited"] == pytest.approx(0.2)
    assert parts["neighbourhood"] == pytest.approx(0.44)
    assert parts["potential"] == pytest.approx(potential)


def test_t6_behind_an_irrelevant_page(desk: Any) -> None:
    shark = Shark(gamma=0.8)
    shark.start(desk)
    shark.learn(desk.lay("p", 0.4, "q"))
    shark.learn(desk.lay("q", 0.0, "c", inlinks=[Link("p", "q")]))
    parts = shark.explain(candidate(Link("q", "c", anchor="none", around=".15")))
    assert parts["inherited"] == pytest.approx(0.1)
    assert parts["neighbourhood"] == pytest.approx(0.03)
    assert parts["potential"] == pytest.approx(0.086)


def test_the_larger_potential_counts(desk: Any) -> None:
    shark = Shark()
    shark.start(desk)
    shark.learn(desk.lay("p", 0.9, "c"))
    weak, strong = Link("q", "c", anchor="more"), Link("p", "c", anchor=".9")
    [only, both] = shark.score([candidate(weak), candidate(weak, strong)])
    assert only == 0.0
    assert both == shark.score([candidate(strong)])[0] > 0


def test_a_weak_anchor_is_no_hit(desk: Any) -> None:
    """Dense similarities are above 0 nearly always: the threshold decides."""
    shark = Shark()
    shark.start(desk)
    assert shark.explain(candidate(Link("p", "c", anchor=".1", around=".05")))["context"] == 0.05
    assert shark.explain(candidate(Link("p", "c", anchor=".2", around=".05")))["context"] == 1.0


def test_start_pages_come_first(desk: Any) -> None:
    shark = Shark()
    shark.start(desk)
    assert shark.score([Candidate("s")]) == [1.0]
    assert shark.explain(Candidate("s")) == {"potential": 1.0}


def test_follows_the_promise_of_anchors_and_the_inheritance() -> None:
    web = """
        s .8 -> a [about] b [.9 boats] c [news] (.4 of sails)
        a -> d
        b .9 -> e
        c -> f
    """
    # b .2 + .46, c .2 + .04, a .2; behind b: e .225, behind c and a: f and d .1
    assert order("shark", web) == ["s", "b", "c", "e", "a", "f", "d"]


def test_inheritance_fades_behind_irrelevant_pages() -> None:
    web = "s .8 -> a; a -> b; b -> c; t .5 -> x; x -> y; y -> z"
    assert order("shark", web, start="s t") == ["s", "t", "a", "x", "b", "y", "c", "z"]
    shark = Shark()
    explore(shark, web, start="s t")
    assert list(shark.handed.values()) == pytest.approx([0.4, 0.25, 0.2, 0.125, 0.1, 0.0625])


def test_depth_ends_a_direction_as_in_fish_search() -> None:
    chain = "s .9 -> a; a -> b; b -> c; c -> d; d -> e; e -> f"
    assert order(Shark(depth=3), chain) == ["s", "a", "b", "c", "d"]
    assert order(Shark(), chain) == ["s", "a", "b", "c", "d", "e", "f"]
    found_again = "s .9 -> a; a -> b; b .9 -> c; c -> d; d -> e; e -> f; f -> g"
    assert order(Shark(depth=2), found_again) == ["s", "a", "b", "c", "d", "e"]


def test_what_is_too_deep_is_held(desk: Any) -> None:
    shark = Shark(depth=0)
    shark.start(desk)
    shark.learn(desk.lay("p", 0.0, "c"))
    assert shark.score([candidate(Link("p", "c"))]) == [HOLD]


def test_pages_without_links_are_not_remembered(desk: Any) -> None:
    shark = Shark()
    shark.start(desk)
    shark.learn(desk.lay("p", 0.9))
    assert shark.handed == {}
