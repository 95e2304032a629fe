from __future__ import annotations

from clew.strategies.breadth_first import BreadthFirst
from clew.testing.tiny_web import order
from clew.types import Candidate


def test_level_by_level_in_the_order_of_links() -> None:
    web = "s .1 -> c a b; a .9 -> d e; b -> f; c -> g a; d -> h; g -> i"
    assert order("breadth_first", web) == ["s", "c", "a", "b", "g", "d", "e", "f", "i", "h"]


def test_start_pages_are_the_first_level() -> None:
    assert order("breadth_first", "s -> a; t -> b", start="s t") == ["s", "t", "a", "b"]


def test_explains_the_level() -> None:
    assert BreadthFirst().explain(Candidate("a", depth=3)) == {"depth": 3}
