from __future__ import annotations

from dataclasses import replace

import pytest

from clew.core.simulation import Simulation, run_simulation
from clew.core.standstill import HELD
from clew.core.stop import EXHAUSTED
from clew.errors import StrategyError
from clew.strategies.fish import Fish
from clew.testing.tiny_web import TinyWeb, TinyWebFetcher, TinyWebInterest, explore, name_of, order, url_of
from clew.types import Candidate, Fetched


def waiting(fish: Fish, name: str) -> Candidate:
    found = fish._crawl.candidate(url_of(name))
    assert found
    return found


def chain(relevances: str) -> str:
    """A chain of pages behind a relevant one: "001" is two that are not relevant and one that is."""
    names = ["s", *(f"p{i}" for i in range(len(relevances)))]
    relevances = [".9", *(".9" if mark == "1" else "0" for mark in relevances)]
    return "; ".join(f"{name} {worth} -> p{i}" for i, (name, worth) in enumerate(zip(names, relevances, strict=True)))


@pytest.mark.parametrize(("relevances", "fetched"), [("0" * 9, 4), ("001" + "0" * 9, 7), ("1" * 5, 6)])
def test_t5_how_deep_a_direction_is_followed(relevances: str, fetched: int) -> None:
    assert len(order(Fish(depth=3), chain(relevances))) == 1 + fetched


def test_dead_directions_are_dropped_or_kept_for_the_end() -> None:
    web = chain("0" * 9)
    dropped: Simulation = explore(Fish(), web)
    kept = explore(Fish(dead="tail"), web)
    assert (dropped.reason, len(dropped.order)) == (HELD, 5)
    assert (kept.reason, len(kept.order)) == (EXHAUSTED, 11)


def test_what_is_dead_comes_after_everything_else() -> None:
    web = "s .9 -> a b; a -> c; c -> d; b .9 -> e; e .9 -> f; f .9 -> g"
    assert "".join(order(Fish(depth=1, dead="tail"), web)) == "sabefgcd"
    assert "".join(order(Fish(depth=0, dead="tail"), web)) == "sabefgcd"


def test_links_of_relevant_pages_go_to_the_front_those_of_others_to_the_middle() -> None:
    web = "s .9 -> a b c; a 0 -> d e; b .9 -> f g; f .9 -> h"
    # behind a: d and e in the middle; behind b: f and g at the front, before c; behind f: h
    assert "".join(order(Fish(), web)) == "sabfhgcde"


def test_the_latest_page_is_at_the_front() -> None:
    web = "s .9 -> a b; a .9 -> c d; b .9 -> e; c .9 -> f"
    assert "".join(order(Fish(), web)) == "sacfdbe"


def test_only_so_many_links_of_a_page_come_first() -> None:
    web = "s .9 -> a b c d e; a 0 -> v w x; b 0 -> y"
    # width 2: three of s at the front, d and e at the end; of a, v and w in the middle and x at the end
    assert "".join(order(Fish(width=2), web)) == "sabcyvwdex"


def test_links_to_other_hosts_first_on_request() -> None:
    web = "h/s .9 -> h/a h/b h/c g/d g/e; g/d .9"
    assert order(Fish(width=2), web, start="h/s") == ["h/s", "h/a", "h/b", "h/c", "g/d", "g/e"]
    assert order(Fish(width=2, abroad=True), web, start="h/s") == ["h/s", "h/a", "g/d", "g/e", "h/b", "h/c"]


def test_a_better_parent_found_later_feeds_a_starving_candidate() -> None:
    fish, web = Fish(depth=0), "s .9 -> a t; a -> c; t .9 -> u; u .9 -> c"
    explore(fish, web, pages=2)
    assert fish.explain(waiting(fish, "c"))["depth"] == -1
    assert "".join(order(Fish(depth=0), web)) == "satuc"


def test_a_parent_that_is_no_evidence_feeds_too() -> None:
    """The fourth irrelevant parent of x is not among its evidence, but stands nearer to a relevant page."""
    dying = "a -> d e f; d -> x; e -> x; f -> x"
    assert "x" not in order(Fish(depth=1), f"s .9 -> a; {dying}")
    assert "x" in order(Fish(depth=1, width=4), f"s .9 -> a b; {dying}; b .9 -> g; g -> x")


def test_explains_depth_and_part() -> None:
    fish = Fish(depth=2)
    crawl = explore(fish, "s .9 -> a b; a 0 -> c d", pages=2)
    assert crawl.stats.visited == 2
    b, c = fish.explain(waiting(fish, "b")), fish.explain(waiting(fish, "c"))
    assert (b["depth"], b["part"]) == (2, 2)
    assert (c["depth"], c["part"]) == (1, 1)
    assert fish.explain(Candidate("http://sketch.example/")) == {"score": 3, "depth": 2}


@pytest.mark.parametrize("wrong", [{"depth": -1}, {"width": 0}])
def test_parameters_that_cannot_be(wrong: dict[str, int]) -> None:
    with pytest.raises(StrategyError, match="fish"):
        Fish(**wrong)


class SlowServer(TinyWebFetcher):
    """A web in which one server takes its time."""

    async def get(self, url: str) -> Fetched:
        return replace(await super().get(url), seconds=2.0 if "slow" in url else 0.1)


@pytest.mark.parametrize(
    ("slow", "expected"),
    [(0.0, "s slow/a slow/b quick/c"), (1.0, "s slow/a quick/c slow/b"), (3.0, "s slow/a slow/b quick/c")],
)
def test_links_to_slow_servers_go_one_part_further_back(slow: float, expected: str) -> None:
    web = TinyWeb.read("s .9 -> slow/a slow/b quick/c")
    interest = TinyWebInterest(web).at(0.5)
    crawl = run_simulation(SlowServer(web), interest, [url_of("s")], strategy=Fish(slow=slow), strict=True)
    assert [name_of(url) for url in crawl.order] == expected.split()


def test_a_penalty_keeps_dead_links_behind_all_others() -> None:
    web = TinyWeb.read("s .9 -> slow/a; slow/a -> slow/b; slow/b -> c")
    fish = Fish(depth=0, dead="tail", slow=1.0)
    crawl = run_simulation(SlowServer(web), TinyWebInterest(web).at(0.5), [url_of("s")], strategy=fish, strict=True)
    assert [name_of(url) for url in crawl.order] == ["s", "slow/a", "slow/b", "c"]
