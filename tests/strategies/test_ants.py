from __future__ import annotations

from typing import Any

import pytest

from clew.strategies import HOLD
from clew.strategies._shared.walker import MAX_WAIT_VISITS, NOWHERE, drawn
from clew.strategies.ants import Ant, Ants
from clew.strategies.backlink import Backlink
from clew.testing.random_web import random_web
from clew.testing.tiny_web import explore, order, url_of
from clew.types import Candidate, Link


class BacklinkWithGraph(Backlink):
    """Visits all pages, and makes the crawl keep its links."""

    needs_graph = True


def ant(*path: int) -> Ant:
    return Ant(path=list(path), wish=None, home=True)


def colony(web: str, start: str = "", **parameters: Any) -> Ants:
    """A colony on a web that is known already, before its first cycle."""
    strategy = Ants(**parameters)
    visited = BacklinkWithGraph()
    explore(visited, web, start)
    strategy.start(visited._crawl)
    for page in visited._crawl.pages():
        number = strategy._note(page)
        if number is not None:
            strategy.known[number] = 0
    return strategy


def rejudge(strategy: Ants, name: str, relevance: float) -> None:
    """A visited page has another relevance now, as after a label or a change of the interest."""
    crawl: Any = strategy._crawl
    crawl.frontier.change_relevance(crawl.number(url_of(name)), relevance)


def test_t18_links_are_followed_in_proportion_to_their_trails() -> None:
    weights = [0.1, 0.1, 0.3]
    shares = [sum(drawn(weights, (step + 0.5) / 1000) == place for step in range(1000)) for place in range(3)]
    assert shares == [200, 200, 600]


def test_ants_choose_among_the_links_of_a_page_in_proportion_to_their_trails() -> None:
    strategy = colony("s -> a b; a -> s; b -> s")
    strategy.trails = {0: {1: 0.9, 2: 0.1}}
    taken: list[int] = []
    for cycle in range(1, 401):
        strategy.cycle = cycle
        walker = Ant(path=[0], wish=None, home=False)
        strategy._move(0, walker)
        taken.append(walker["path"][1])
    # 360 are expected, with a standard deviation of 6.
    assert 340 <= taken.count(1) <= 380


def test_t18_pages_on_the_path_are_not_visited_again() -> None:
    strategy = colony("s -> a b c; a -> s; b -> s; c -> s b", ants=1)
    strategy.cycle = 5
    walker = Ant(path=[0, 3], wish=None, home=False)
    strategy._move(0, walker)
    assert walker["path"] == [0, 3, 2]
    strategy._move(0, walker)
    assert walker["home"]


def test_t18_trails_after_a_cycle() -> None:
    """Mean score .5; from tau_0 .1: used once .55, also by a second ant with .25 .80, unused .05."""
    strategy = colony("s .2 -> a b u; a .8 -> b; b .5 -> c")
    strategy.colony = [ant(0, 1, 2), ant(0, 1), ant(0)]
    strategy._next_cycle()
    assert strategy.tau(1, 2) == pytest.approx(0.55)
    assert strategy.tau(0, 1) == pytest.approx(0.05 + 0.5 + 0.5)
    assert strategy.tau(0, 3) == pytest.approx(0.05)
    strategy.trails, strategy.cycle = {}, 0
    rejudge(strategy, "a", 0.3)
    strategy.colony = [ant(0, 1), ant(0, 1, 2)]
    strategy._next_cycle()
    assert strategy.tau(0, 1) == pytest.approx(0.05 + 0.25 + 1 / 3)


def test_trails_that_nobody_walks_evaporate_cycle_by_cycle() -> None:
    """.55 after the first cycle; then nobody comes by: .275, .1375 with rho = .5, and with rho = .8 more is left."""
    for rho, remaining in ((0.5, [0.55, 0.275, 0.1375]), (0.8, [0.58, 0.464, 0.3712])):
        strategy = colony("s .2 -> a b; a .8 -> b", rho=rho)
        strategy.colony = [ant(0, 1)]
        found: list[float] = []
        for _ in remaining:
            strategy._next_cycle()
            found.append(strategy.tau(0, 1))
            strategy.colony = [ant(2)]
        assert found == pytest.approx(remaining)


def test_t18_fixed_point_of_one_ant_a_cycle() -> None:
    strategy = colony("s .5 -> a; a .5 -> s", ants=1)
    for _ in range(60):
        strategy.colony = [ant(0, 1)]
        strategy._next_cycle()
    assert strategy.tau(0, 1) == pytest.approx(1.0)


def test_untrodden_links_fade_to_the_least_but_not_below() -> None:
    strategy = colony("s -> a b; a -> s")
    strategy.colony = [ant(0)]
    faded = []
    for _ in range(6):
        strategy._next_cycle()
        strategy.colony = []
        faded.append(strategy.tau(0, 1))
    assert faded == pytest.approx([0.05, 0.025, 0.0125, 0.01, 0.01, 0.01])


def test_faded_trails_are_forgotten() -> None:
    strategy = colony("s .4 -> a b; a .4 -> s")
    strategy.colony = [ant(0, 1)]
    for _ in range(12):
        strategy._next_cycle()
        strategy.colony = []
    assert strategy.trails == {}
    assert strategy.tau(0, 1) == 0.01


def test_moves_of_a_cycle() -> None:
    """k * cycle: the first cycle stays next to the start page."""
    strategy = Ants(ants=1)
    found = explore(strategy, "s .9 -> a; a .9 -> b; b .9 -> c; c .9 -> d", pages=3)
    assert len(found.order) == 3
    assert strategy.cycle == 3
    assert strategy.colony[0]["path"] == [0, 1, 2]


def test_good_paths_attract_ants() -> None:
    good = "; ".join(f"g{n} .9 -> g{n + 1}" for n in range(30))
    bad = "; ".join(f"b{n} -> b{n + 1}" for n in range(30))
    found = order(Ants(), f"s .5 -> b0 g0; {good}; {bad}", pages=20)
    assert sum(name.startswith("g") for name in found) > sum(name.startswith("b") for name in found)


def test_start_pages_are_renewed() -> None:
    strategy = colony("s .1 -> a; a .9 -> b; b .8 -> s; t .5 -> s", start="s t", renew=2)
    numbers = [strategy._crawl.number(url_of(name)) or 0 for name in "stab"]
    strategy.best = [(-0.9, -numbers[2]), (-0.8, -numbers[3])]
    strategy._next_cycle()
    assert strategy.starts == [numbers[0], numbers[1]]
    strategy._next_cycle()
    assert strategy.starts == [numbers[1], numbers[2]]


def test_the_whole_web_is_found_although_trails_end() -> None:
    assert sorted(order("ants(ants=2)", "s -> a b; a -> c; b -> d; d -> e; c 404")) == ["a", "b", "c", "d", "e", "s"]


def test_walks_on_behind_redirects_and_circles() -> None:
    web = "s .9 -> r x; r => a; a .9 -> b; x => y; y => x"
    assert sorted(order("ants(ants=1)", web)) == ["a", "b", "s"]


def test_waits_for_one_link_at_a_time() -> None:
    strategy = Ants(ants=3)
    explore(strategy, random_web(), pages=5)
    assert len([*strategy.wishes()]) <= 3


def test_wishes_are_served_in_the_order_they_were_made(desk: Any) -> None:
    strategy = Ants()
    strategy.start(desk)
    wishes = {7: 2, 8: 1}
    later, sooner, other = [
        strategy._score(Candidate("x", number, links=(Link("p", "x"),)), wishes, None) for number in (7, 8, 9)
    ]
    assert sooner > later > 0
    assert other == HOLD


def test_explains_the_trail() -> None:
    strategy = Ants(ants=4)
    explore(strategy, "s .9 -> a b", pages=1)
    parts = [strategy.explain(Candidate(url_of(name), found=number)) for number, name in ((1, "a"), (2, "b"))]
    assert parts[0]["ants waiting"] + parts[1]["ants waiting"] == 4
    assert parts[0]["tau"] == 0.1
    assert parts[0]["cycle"] == 1


def test_what_users_say_counts_in_the_next_marks() -> None:
    strategy = colony("s .4 -> a; a -> s")
    page = strategy._crawl.page(url_of("a"))
    assert page
    rejudge(strategy, "a", 1.0)
    strategy.learn_label(page, relevant=True)
    strategy.colony = [ant(0, 1)]
    strategy._next_cycle()
    assert strategy.tau(0, 1) == pytest.approx(0.05 + 0.7)


def test_an_ant_does_not_wait_for_ever() -> None:
    strategy = colony("s .9 -> a b; a -> s")
    wish = strategy._wish(1, 2)
    del strategy.relevances[2]
    assert strategy._arrived(0, wish) is None
    wish["since"] -= MAX_WAIT_VISITS + 1
    assert strategy._arrived(0, wish) == NOWHERE


def test_if_nobody_waits_for_anything_the_links_of_good_pages_come_first(desk: Any) -> None:
    strategy = Ants()
    strategy.start(desk)
    desk.lay("p", 0.9)
    desk.lay("q", 0.3)
    candidates = [Candidate("x", 1, links=(Link("q", "x"),)), Candidate("y", 2, links=(Link("p", "y"),))]
    assert strategy.score(candidates) == pytest.approx([-0.7, -0.1])


def test_scores_are_read_each_cycle() -> None:
    """The judge has changed its mind about a page since the visit: the trail of this cycle follows."""
    strategy = colony("s .2 -> a; a .8 -> b", renew=100)
    strategy.colony = [ant(0, 1)]
    strategy.relevances[1] = 0.0  # as it was at the visit; now it is .8
    strategy._next_cycle()
    assert strategy.tau(0, 1) == pytest.approx(0.5 * 0.1 + (0.2 + 0.8) / 2)
