from __future__ import annotations

import pytest

from clew.strategies.opic import UNIT, Opic
from clew.testing.tiny_web import explore, order, url_of
from clew.types import Candidate


def cash(strategy: Opic) -> dict[int, float]:
    return {page: spent / UNIT for page, spent in strategy.spent.items()}


def test_a_page_divides_its_cash_among_its_links() -> None:
    strategy = Opic(topic=False)
    explore(strategy, "s -> a b; a -> b c; b -> d")
    # s gives 1/2 each; a then 1/4 each; b has 1/2 + 1/4
    assert cash(strategy) == pytest.approx({0: 0.5, 1: 0.25, 2: 0.75})


def test_the_topic_decides_how_much_is_handed_on() -> None:
    strategy = Opic()
    explore(strategy, "s .8 -> a b; a .5 -> c; b -> d")
    # s keeps back .2; four URLs are known when a is visited, so that it gets a quarter of that
    assert cash(strategy) == pytest.approx({0: 0.4, 1: 0.5 * (0.4 + 0.2 / 4)})


def test_relevant_pages_behind_irrelevant_ones_have_something_to_hand_on() -> None:
    web = "s -> a b c; a -> d e; b .9 -> x; c -> f; x .9 -> y"
    assert order("opic", web) == ["s", "a", "b", "x", "y", "c", "d", "e", "f"]


def test_no_cash_is_made_or_lost() -> None:
    strategy = Opic()
    explore(strategy, "s .8 -> a b; a .5 -> c; b .3 -> a c d; d .4 -> s")
    handed = sum(each * len(strategy._crawl.graph.out(page)) for page, each in strategy.spent.items())
    kept = sum(strategy._cash(page) for page in range(5))
    assert handed == kept
    assert 0 < strategy.virtual < UNIT


def test_the_richest_candidate_comes_first() -> None:
    web = "s .9 -> a b c; a .9 -> x y; b .9 -> y; c .9 -> z"
    assert order("opic", web) == ["s", "a", "b", "y", "c", "z", "x"]


def test_start_pages_have_cash_of_their_own() -> None:
    strategy = Opic(topic=False)
    explore(strategy, "s -> t; t -> x", start="s t")
    assert cash(strategy) == pytest.approx({0: 1.0, 1: 2.0})


def test_links_to_a_redirect_pay_its_target() -> None:
    strategy = Opic(topic=False)
    explore(strategy, "s -> r a; r => b; a -> b c; b -> d")
    assert cash(strategy)[strategy._crawl.number(url_of("b")) or 0] == pytest.approx(0.75)


def test_what_many_link_to_is_remembered_and_stays_exact() -> None:
    fans = "; ".join(f"f{n} .9 -> x y{n}" for n in range(40))
    web = f"s .9 -> {' '.join(f'f{n}' for n in range(40))}; {fans}; x 0"
    watched = Opic()
    explore(watched, web, pages=41)
    number = watched._crawl.number(url_of("x")) or 0
    assert watched._cash(number) == sum(watched.spent[giver] for giver in watched._crawl.graph.into(number))


def test_explains_the_cash() -> None:
    strategy = Opic()
    explore(strategy, "s .5 -> a b", pages=1)
    assert strategy.explain(Candidate(url_of("a"), found=1, depth=1)) == {"cash": pytest.approx(0.25)}
