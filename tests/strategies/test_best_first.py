from __future__ import annotations

from typing import Any

import pytest

from clew.errors import StrategyError
from clew.strategies.best_first import BestFirst
from clew.testing.tiny_web import order
from clew.types import Candidate, Link

T7 = "s .9 -> a; t .8 -> b; u .7 -> c; a .95 -> d"


def names(strategy: BestFirst, web: str, start: str = "") -> str:
    return "".join(order(strategy, web, start))


def test_t7_the_links_of_the_best_page_first() -> None:
    assert names(BestFirst(), T7, "s t u") == "stu" + "adbc"


def test_t7_two_at_a_time() -> None:
    assert names(BestFirst(n=2), T7, "s t u") == "stu" + "abdc"


def test_the_best_parent_counts() -> None:
    web = "s .6 -> a b c; a .1 -> d e; b .8 -> e; c .2"
    assert names(BestFirst(), web) == "sabecd"


def test_equals_are_first_come_first_served() -> None:
    assert names(BestFirst(), "s .5 -> c a b; a .5 -> d; c .5 -> e") == "scabed"


def test_a_batch_takes_no_more_than_there_is() -> None:
    """One page waits after the start page, two after that: no batch waits for members that do not exist."""
    web = "s .9 -> a; a .9 -> b c; b .1 -> d; c .8 -> e; d .9 -> f"
    assert names(BestFirst(n=256), web) == "sabcedf"


def test_failures_are_members_of_a_batch() -> None:
    web = "s .9 -> a b c d; a .95 -> x; b 500; c .2 -> y; d .1"
    assert names(BestFirst(n=2), web) == "sabxcdy"


def test_a_member_that_turns_out_to_be_known_does_not_stall_the_crawl() -> None:
    web = "s .9 -> a b; a => s; b .8 -> c; c .7 -> d"
    assert names(BestFirst(n=2), web) == "sbcd"


def test_a_waiting_candidate_rises_only_after_the_batch() -> None:
    web = "s .5 -> a b c; t .9 -> x y; x .95 -> c"
    assert names(BestFirst(n=1), web, "s t") == "st" + "xcyab"
    assert names(BestFirst(n=2), web, "s t") == "st" + "xycab"


def test_explains_the_parent_and_the_wait(desk: Any) -> None:
    best = BestFirst(n=2)
    best.start(desk)
    best.learn(desk.lay("s", 0.75, "a"))
    assert best.explain(Candidate("a", links=(Link("s", "a"),))) == {"parent": 0.75}
    best.left = 2
    best.learn(desk.lay("t", 0.5, "b"))
    assert best.explain(Candidate("b", links=(Link("t", "b"),))) == {"parent": 0.5, "next batch": 1.0}
    assert best.explain(Candidate("s")) == {"parent": 1.0}


def test_a_batch_of_none_is_refused() -> None:
    with pytest.raises(StrategyError, match="n must be at least 1"):
        BestFirst(n=0)
