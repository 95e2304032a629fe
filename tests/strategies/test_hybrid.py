from __future__ import annotations

import pytest

from clew.errors import StrategyError
from clew.strategies.hybrid import Hybrid
from clew.testing.random_web import random_web
from clew.testing.tiny_web import explore, order, url_of
from clew.types import Candidate, Page


def test_t4_rank() -> None:
    hybrid = Hybrid()
    hybrid.ties, hybrid.similar = {1: 5, 2: 10, 3: 1, 4: 1}, {1: 0.625, 2: 0.0, 3: 1.0, 4: 0.0}
    assert hybrid.rank(1) == pytest.approx(3.625)
    assert hybrid.rank(2) == pytest.approx(1.0)
    assert hybrid.rank(3) / hybrid.rank(4) == pytest.approx(11.0)


def test_fetches_all_around_a_page_before_it_accepts_the_next() -> None:
    web = "s .9 -> a b c; a .1 -> x; b .8 -> y z; c .5 -> w; y .1; z .1"
    # b is accepted first: y and z; then c: w; then of y, z, w, a the best
    assert order("hybrid", web) == ["s", "a", "b", "c", "y", "z", "w", "x"]


def test_links_in_both_directions_count_each_page_once() -> None:
    web = "s .9 -> a b c; a .3 -> s s x; b .5 -> y; c"
    hybrid = Hybrid()
    explore(hybrid, web, pages=4)
    # After four pages the next is accepted: a has (1 + 1) * .4 = .8 against b's 1 * .6.
    assert list(hybrid.accepted) == [0, 1]
    assert order("hybrid", web)[4:] == ["x", "y"]


def test_acceptance_raises_the_neighbours() -> None:
    # b leads to c, and c gets a second link from the collection when b is accepted.
    web = "s .9 -> b c d; b .9 -> c; c .3 -> x; d .6 -> y"
    # after b: c has 2 * .4 = .8, d .7
    assert order("hybrid", web) == ["s", "b", "c", "d", "x", "y"]


def test_pages_without_similarity_stay_in_the_race() -> None:
    assert order("hybrid", "s .9 -> a; a -> b; b -> c") == ["s", "a", "b", "c"]


def test_a_redirect_does_not_stop_the_crawl() -> None:
    web = "s .9 -> a r; a .5 -> b; r => a; b .5 -> c"
    assert order("hybrid", web) == ["s", "a", "r", "b", "c"] or order("hybrid", web) == ["s", "a", "b", "c"]


def test_nothing_is_left_behind() -> None:
    web = random_web(120)
    assert sorted(order("hybrid", web)) == sorted(order("breadth_first", web))


def test_state_survives_a_restart_in_the_middle() -> None:
    class Forgetful(Hybrid):
        """Hybrid with a restart after every page."""

        def learn(self, page: Page):
            found = super().learn(page)
            saved, crawl = self.save(), self._crawl
            self.__dict__ = Hybrid().__dict__
            self.start(crawl)
            self.load(saved)
            return found

    assert order(Forgetful(), random_web(150)) == order(Hybrid(), random_web(150))


def test_lazy_fetches_what_it_accepts() -> None:
    web = "s .9 -> a [more] b [.8 boats] c; b .1 -> c; c -> d; a -> e"
    # b 1 * .9; then c has 2 * .1, a 1 * .1
    assert order("hybrid(lazy=True)", web)[:4] == ["s", "b", "c", "a"]


def test_users_can_say_what_is_similar() -> None:
    hybrid = Hybrid()
    explore(hybrid, "s .9 -> a b; a .8 -> c d; b .1 -> e; c", pages=4)
    number = hybrid._crawl.number(url_of("b"))
    assert number is not None
    hybrid.learn_label(Page(url_of("b")), relevant=True)
    assert hybrid.similar[number] == 1.0


def test_explain_names_the_links() -> None:
    hybrid = Hybrid()
    crawl = explore(hybrid, "s .9 -> a b; a .8 -> c; b .1 -> e", pages=3)
    assert crawl.stats.visited == 3
    found = hybrid._crawl.candidate(url_of("c"))
    assert isinstance(found, Candidate)
    assert hybrid.explain(found) == {"score": -1.0, "links from accepted pages": 1.0}


def test_the_floor_decides_whether_pages_without_similarity_stay_in_the_race() -> None:
    web = "s .9 -> a b; a 0 -> s d; b .3 -> e"
    # a has a link to s and one from it: its rank is twice the floor, that of b the floor and .3.
    assert order("hybrid(floor=0.1)", web)[-2:] == ["e", "d"]
    assert order("hybrid(floor=0.5)", web)[-2:] == ["d", "e"]


def test_an_image_that_many_accepted_pages_show_is_accepted() -> None:
    web = "s .9 -> a b c p.png; a .9 -> p.png; b .05 -> y; c .02 -> p.png x; p.png 0"
    # The image has two links and no similarity: .2, more than b with .15. Then c, which shows it, has 2 * .12.
    assert order("hybrid", web, media=True) == ["s", "a", "b", "c", "p.png", "x", "y"]
    assert order("hybrid(floor=0.0)", web, media=True) == ["s", "a", "b", "c", "p.png", "y", "x"]
    assert order("hybrid", web, media=False) == ["s", "a", "b", "c", "y", "x"]


def test_a_floor_below_nothing_is_refused() -> None:
    with pytest.raises(StrategyError, match="floor"):
        Hybrid(floor=-0.1)
