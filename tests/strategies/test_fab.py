from __future__ import annotations

from typing import Any

import pytest

from clew.base import codec
from clew.errors import StrategyError
from clew.learning.profile import TERMS, faded, likeness, rated, unit
from clew.strategies._optional import take_over
from clew.strategies.fab import Collector, Fab
from clew.testing.tiny_web import explore, order, url_of
from clew.types import Candidate, Link, Page


def test_t17_a_night_and_a_good_rating() -> None:
    profile = rated(faded({"x": 0.5, "y": 0.0}), {"x": 0.6, "y": 0.8}, rating=2, rate=0.1)
    assert profile == pytest.approx({"x": 0.605, "y": 0.160})


def test_profiles_are_cut_to_their_strongest_terms() -> None:
    many = {f"t{n}": float(n) for n in range(300)}
    assert len(unit(many)) == TERMS
    assert min(rated(many, {"t0": 1.0}, 3), key=many.__getitem__) == "t200"


def test_likeness_of_nothing_is_nothing() -> None:
    assert likeness({}, {"x": 1.0}) == 0.0


def made(desk: Any, *profiles: dict[str, float]) -> Fab:
    strategy = Fab()
    strategy.start(desk)
    strategy.profiles = [dict(profile) for profile in profiles]
    strategy.agents = [Collector(profile=dict(profile), pages=0, rating=0.0) for profile in profiles]
    return strategy


def test_pages_go_to_the_users_they_suit(desk: Any) -> None:
    strategy = made(desk, {"boat": 1.0}, {"car": 1.0}, {"boat": 1.0, "car": 1.0})
    assert strategy.readers({"boat": 1.0}) == [0, 2]
    assert strategy.readers({"golf": 1.0}) == [0]


def test_a_high_rating_passes_a_page_on_to_similar_users(desk: Any) -> None:
    users = {"boat": 1.0}, {"boat": 0.1, "sail": 1.0}, {"boat": 1.0, "sail": 1.0}, {"car": 1.0}
    for rating, changed in ((1.0, [0, 2]), (3.0, [0, 1, 2])):
        strategy = made(desk, *users)
        strategy._rate({"boat": 0.9, "harbour": 0.1}, rating, 0)
        assert [user for user, profile in enumerate(strategy.profiles) if profile != users[user]] == changed


def test_the_critic_rates_when_no_user_does(desk: Any) -> None:
    strategy = made(desk, {"boat": 1.0})
    desk.seen["a"] = page = Page("a", relevance=1.0, terms={"boat": 1})
    strategy.learn(page)
    assert strategy.profiles[0] == pytest.approx({"boat": 1.3})
    desk.seen["b"] = page = Page("b", relevance=0.0, terms={"boat": 1})
    strategy.learn(page)
    assert strategy.profiles[0] == pytest.approx({"boat": 1.0})


def test_users_are_heard(desk: Any) -> None:
    strategy = made(desk, {"boat": 1.0}, {"car": 1.0})
    strategy.learn_label(Page("x", terms={"car": 1}), relevant=False)
    assert strategy.profiles[1] == pytest.approx({"car": 0.7})
    assert strategy.agents[1]["rating"] == -3.0


def test_at_night_the_worst_collectors_go_and_the_best_are_doubled(desk: Any) -> None:
    strategy = made(desk, *({f"t{n}": 1.0} for n in range(5)))
    for number, agent in enumerate(strategy.agents):
        agent["rating"] = float(number)
    desk.search_source = None
    strategy._end_day()
    assert sorted("".join(agent["profile"]) for agent in strategy.agents) == ["t1", "t2", "t3", "t4", "t4"]
    assert strategy.agents[0]["profile"]["t4"] == pytest.approx(0.97)


def test_follows_the_links_of_pages_that_suit_a_collector() -> None:
    web = "s .9 {sails boats} -> a b; a {cars roads} -> c; b .9 {boats sails} -> d; c -> e; d .9 {boats} -> f"
    assert order("fab", web) == ["s", "a", "b", "d", "f", "c", "e"]


def test_every_start_page_brings_a_user_and_a_collector() -> None:
    strategy = Fab(users=2)
    explore(strategy, "a {boats} -> x; b {cars} -> y; c {golf} -> z", start="a b c")
    assert len(strategy.profiles) == 2
    assert len(strategy.agents) == 3
    assert "search" in strategy.missing_input


def test_explains_the_match(desk: Any) -> None:
    strategy = made(desk, {"boat": 1.0})
    strategy.match = {"p": 0.75}
    parts = strategy.explain(Candidate("c", links=(Link("p", "c"),)))
    assert parts == {"profile match": 0.75, "collectors": 1, "users": 1}


def test_another_crawl_goes_on_with_the_same_users(desk: Any) -> None:
    earlier, later = made(desk, {"boat": 1.0}), Fab()
    take_over(later, {"profiles": earlier.profiles, "agents": earlier.agents, "match": {"p": 1.0}})
    assert later.profiles == [{"boat": 1.0}]
    assert later.match == {}


def test_only_their_own_labels_change_the_profiles_of_real_users(desk: Any) -> None:
    strategy = Fab()
    strategy.know_users({"anna": {"boat": 1.0}, "bob": {"car": 1.0}})
    strategy.start(desk)
    desk.seen["a"] = page = Page("a", relevance=1.0, terms={"boat": 1})
    strategy.learn(page)
    assert strategy.profiles == [{"boat": 1.0}, {"car": 1.0}]
    # The judge decides which collectors stay, but does not teach them, and start pages make none.
    assert [agent["profile"] for agent in strategy.agents] == [{"boat": 1.0}, {"car": 1.0}]
    assert [agent["rating"] for agent in strategy.agents] == [3.0, 0.0]
    strategy.learn_label(page, relevant=True)
    assert strategy.agents[0]["profile"] == pytest.approx({"boat": 1.3})
    strategy.learn_user_label(page, relevant=True, user="bob")
    assert strategy.profiles == [{"boat": 1.0}, pytest.approx({"car": 1.0, "boat": 0.3})]
    assert strategy.names == ["anna", "bob"]


def test_a_page_that_one_user_likes_is_recommended_to_users_of_like_taste(desk: Any) -> None:
    strategy = Fab()
    strategy.know_users({"anna": {"boat": 1.0}, "bob": {"boat": 1.0, "sail": 0.5}, "carl": {"car": 1.0}})
    strategy.start(desk)
    liked = Page("a", terms={"boat": 1})
    assert strategy.learn_user_label(liked, relevant=True, user="anna") == []
    assert strategy.recommended == {"bob": ["a"]}
    strategy.learn_user_label(Page("b", terms={"boat": 1}), relevant=False, user="anna")
    assert strategy.recommended == {"bob": ["a"]}
    # The collector that brought it is praised once for each reader: anna and bob; then blamed by anna alone.
    assert sum(agent["rating"] for agent in strategy.agents) == 3.0 * 2 - 3.0


WEB = "s {start} -> a b; a {boats and sails} -> c; b {cars and engines} -> d"


def test_the_crawl_goes_where_the_profiles_of_its_users_are() -> None:
    for terms, expected in (({"boat": 1.0}, ["c", "d"]), ({"engin": 1.0}, ["d", "c"])):
        strategy = Fab()
        strategy.know_users({"anna": terms})
        assert [name for name in order(strategy, WEB) if name in expected] == expected


def test_links_of_a_page_that_a_user_likes_come_first() -> None:
    strategy = Fab()
    explore(strategy, WEB, pages=3)
    page = strategy._crawl.page(url_of("b"))
    waiting = strategy._crawl.candidate(url_of("d"))
    assert page
    assert waiting
    before = strategy.value(waiting)
    assert list(strategy.learn_user_label(page, relevant=True, user="bob")) == [url_of("d")]
    assert strategy.value(waiting) == 1.0 > before
    strategy.learn_user_label(page, relevant=False, user="bob")
    assert strategy.value(waiting) == 0.0


def test_users_survive_a_change_of_interest_and_a_checkpoint(desk: Any) -> None:
    strategy = Fab()
    strategy.know_users({"anna": {"boat": 1.0}})
    strategy.start(desk)
    strategy.learn_user_label(Page("a", terms={"car": 1}), relevant=True, user="anna")
    again = Fab()
    again.start(desk)
    again.load(strategy.save())
    assert again == strategy
    assert strategy.interest_changed()
    assert (strategy.names, strategy.profiles) == (["anna"], [{"boat": 1.0}])


def test_a_checkpoint_of_before_there_were_users_still_loads(desk: Any) -> None:
    before = codec.loads(Fab().save())
    for name in Fab.added_later:
        del before[name]
    strategy = Fab()
    strategy.start(desk)
    strategy.load(codec.dumps(before))
    assert strategy.names == []


def test_the_links_of_a_page_that_has_changed_follow_its_new_match(desk: Any) -> None:
    strategy = made(desk, {"boat": 1.0})
    before, after = Page("a", depth=1, terms={"car": 1}), Page("a", terms={"boat": 1}, links=(Link("a", "b"),))
    strategy.learn(before)
    assert strategy.match["a"] == 0.0
    assert list(strategy.learn_change(after, ["b"])) == ["b"]
    assert strategy.match["a"] > 0.9


def test_links_that_editors_have_chosen_come_before_all_others() -> None:
    web = "s .9 {sails and boats} -> a b; a .9 {sails and boats} -> c; e {recipes} -> x y"
    assert order("fab", web) == ["s", "a", "c", "b"]
    assert order(Fab(editors=(url_of("e"),)), web) == ["s", "e", "x", "y", "a", "c", "b"]


def test_editors_are_urls() -> None:
    with pytest.raises(StrategyError, match="must be URLs"):
        Fab(editors=("my favourite links",))
