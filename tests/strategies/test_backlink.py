from __future__ import annotations

from clew.strategies.backlink import Backlink
from clew.testing.tiny_web import order
from clew.types import Candidate

T8 = "A -> B C; B -> C D; C -> A E D"


def test_t8_what_two_pages_link_to_comes_before_what_one_links_to() -> None:
    assert order("backlink", T8) == ["A", "B", "C", "D", "E"]


def test_counts_pages_not_links() -> None:
    assert order("backlink", "s -> a b; a -> c c c d; b -> d") == ["s", "a", "b", "d", "c"]


def test_a_count_that_grows_moves_a_waiting_candidate_up() -> None:
    web = "s -> a b z; a -> x y; b -> y z; z -> y"
    assert order("backlink", web) == ["s", "a", "b", "z", "y", "x"]


def test_explains_the_count() -> None:
    assert Backlink().explain(Candidate("a", n_links=7)) == {"backlinks": 7}
