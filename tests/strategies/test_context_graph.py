from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

import pytest

from clew.errors import StrategyError
from clew.strategies._optional import take_over
from clew.strategies.context_graph import OTHER, ContextGraph
from clew.testing.tiny_web import TinyWeb, explore, name_of, order, url_of
from clew.types import Candidate

WORDS = {0: "paper abstract theorem", 1: "department group people", 2: "university campus faculty"}


def site(name: str, after: str) -> str:
    """A university whose department lists papers: layers 2, 1 and 0; its news lead nowhere."""
    numbers = range(3)
    news, papers = (" ".join(f"{name}{kind}{i}" for i in numbers) for kind in "np")
    lines = [f"{name}u {{{WORDS[2]}}} -> {news} {name}d {after}", f"{name}d {{{WORDS[1]}}} -> {papers}"]
    lines += [f"{name}n{i} {{weather football}} -> {name}m{i}; {name}m{i} {{weather}}" for i in numbers]
    return "\n".join([*lines, *(f"{name}p{i} .9 {{{WORDS[0]}}}" for i in numbers)])


def web(sites: str = "abcdefgh") -> str:
    return "\n".join(site(name, f"{after}u" if after else "") for name, after in zip_longest(sites, sites[1:]))


def places(visits: list[str], kind: str) -> list[int]:
    return [place for place, name in enumerate(visits) if name[1] == kind]


def waiting(graph: ContextGraph, name: str) -> Candidate:
    found = graph._crawl.candidate(url_of(name))
    assert found
    return found


class Shelf:
    """Back-links and texts from a drawing."""

    def __init__(self, drawn: str) -> None:
        self.web = TinyWeb.read(drawn)

    def backlinks(self, url: str, most: int = 20) -> list[str]:
        spots = self.web.pages.items()
        return [url_of(n) for n, spot in spots if name_of(url) in [a.target for a in spot.links]][:most]

    def search(self, words: str, most: int = 20) -> list[str]:
        return []

    def listed(self, host: str, most: int = 100) -> list[str]:
        return []

    def terms(self, url: str) -> Mapping[str, int]:
        return dict.fromkeys(self.web.pages[name_of(url)].text.split(), 1)


def test_levels_are_links_to_the_nearest_relevant_page() -> None:
    graph = ContextGraph(layers=2)
    explore(graph, "s -> a; a -> b x; b -> c; c .9 -> s; x -> y; y -> c")
    levels = {name_of(graph._crawl.url(number)): level for number, level in graph.level.items()}
    assert levels == {"c": 0, "b": 1, "y": 1, "a": 2, "x": 2}
    assert [sorted(map(name_of, sample)) for sample in graph.samples] == [["c"], ["b", "y"], ["a", "x"]]


def test_a_page_that_links_to_a_known_relevant_one_gets_its_level_too() -> None:
    graph = ContextGraph()
    explore(graph, "s .1 -> r a; r .9; a -> r")
    assert {name_of(graph._crawl.url(number)): level for number, level in graph.level.items()} == {
        "s": 1,
        "r": 0,
        "a": 1,
    }


def test_learns_the_layers_on_its_own_links() -> None:
    graph = ContextGraph(least=2, every=10, other=1000)
    visits, plain = order(graph, web()), order("best_first", web())
    assert len(graph.model["counts"]) >= 3
    assert sorted(visits) == sorted(plain)
    assert places(visits, "p")[-1] < places(plain, "p")[-1] - 10
    assert visits[-12:] == [name for name in visits if name[1] == "m"][-12:]  # what news lead to comes last


def test_until_then_the_order_is_best_first() -> None:
    assert order(ContextGraph(least=10**6), web()) == order("best_first", web())


def test_layers_from_a_source_of_back_links() -> None:
    graph, start = ContextGraph(least=1, layers=2), f"t .9 {{{WORDS[0]}}} -> au"
    shelf = Shelf(f"x {{{WORDS[1]}}} -> t; y {{{WORDS[1]}}} -> t; z {{{WORDS[2]}}} -> x y; far -> z; {start}")
    explore(
        graph,
        f"{start}\n{web('a')}",
        pages=4,
        prepare=lambda engine: setattr(engine.state.view, "search_source", shelf),
    )
    assert [sorted(map(name_of, sample)) for sample in graph.samples] == [["t"], ["x", "y"], ["z"]]
    assert graph.missing_input == ""
    assert graph.explain(waiting(graph, "ad")) | {"score": 0, "posterior": 0} == {
        "score": 0,
        "layer": 2,
        "posterior": 0,
    }


def test_what_an_earlier_crawl_has_learnt_serves_from_the_start() -> None:
    taught, heir = ContextGraph(least=2, every=10, other=1000), ContextGraph(least=10**6)
    plain = order(taught, web())
    take_over(heir, {"model": taught.model, "queue": {1: (0, 1.0)}})
    assert heir.queue == {}
    assert places(order(heir, web()), "p")[-1] < places(plain, "p")[-1]


def test_says_what_it_lacks() -> None:
    graph = ContextGraph()
    explore(graph, "s -> a")
    assert "back-links" in graph.missing_input


def test_a_full_layer_takes_others_by_chance(desk: Any) -> None:
    graph = ContextGraph(most=3)
    graph.start(desk)
    for number in range(20):
        graph._sample(f"p{number}", 1)
    assert (len(graph.samples[1]), graph.drawn[1]) == (3, 20)
    graph._sample("q", 2)
    graph._sample("q", 0)
    graph._sample("q", 1)
    assert [list(sample) for sample in (graph.samples[0], graph.samples[2])] == [["q"], []]


def test_now_and_then_a_link_from_a_page_of_no_layer() -> None:
    visits = order(ContextGraph(least=2, every=10, other=10), web())
    assert [place for place in places(visits, "m") if 35 < place < 65] == [40, 50, 60]


def test_explains_layer_and_posterior() -> None:
    graph = ContextGraph(least=2, every=10, other=1000)
    explore(graph, web(), pages=40)
    told = [graph.explain(found) for found in graph._crawl.candidates()]
    assert {part["layer"] for part in told} <= {0, 1, 2, OTHER}
    assert all(0 <= part["posterior"] <= 1 for part in told)
    assert graph.explain(Candidate("http://sketch.example/")) == {"score": 6.0}


def test_a_loaded_state_goes_the_same_way_after_learning() -> None:
    class Forgetful(ContextGraph):
        def learn(self, page: Any) -> Any:
            stale = super().learn(page)
            saved, crawl = self.save(), self._crawl
            self.__dict__ = ContextGraph(least=2, every=10, other=7).__dict__
            self.start(crawl)
            self.load(saved)
            return stale

    assert order(Forgetful(least=2, every=10, other=7), web()) == order(ContextGraph(least=2, every=10, other=7), web())


def test_parameters_that_cannot_be() -> None:
    with pytest.raises(StrategyError, match="context_graph"):
        ContextGraph(layers=0)
