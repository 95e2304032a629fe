from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from clew.strategies import HOLD
from clew.strategies._shared.fitness import Gene, best_of, fitness, jaccard, tanimoto
from clew.strategies._shared.walker import drawn
from clew.strategies.genetic import Genetic
from clew.testing.tiny_web import explore, order, url_of
from clew.types import Candidate


@dataclass
class Directory:
    """Answers every search with the same pages."""

    pages: Sequence[str]
    asked: list[str] = field(default_factory=list)
    back: dict[str, list[str]] = field(default_factory=dict)

    def search(self, words: str, most: int = 20) -> Sequence[str]:
        self.asked.append(words)
        return self.pages

    def backlinks(self, url: str, most: int = 20) -> Sequence[str]:
        return self.back.get(url, [])


def test_t15_likeness_in_links_and_terms() -> None:
    assert jaccard({1, 2, 3}, {2, 3, 4}) == 0.5
    assert tanimoto({"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 1.0, "c": 1.0}) == pytest.approx(0.6)
    some = Gene(frozenset({1, 2, 3}), {"a": 1.0, "b": 2.0})
    other = Gene(frozenset({2, 3, 4}), {"a": 1.0, "b": 1.0, "c": 1.0})
    assert fitness(some, [other]) == pytest.approx(0.55)
    assert fitness(some, [other, other]) == pytest.approx(0.55)


def test_pages_are_rated_by_the_links_and_words_that_they_share_with_the_start_pages() -> None:
    strategy = Genetic()
    explore(strategy, "a {boats} -> b c d; b {boats} -> c d; c {roads}; d {roads} -> b")
    numbers = [strategy._crawl.number(url_of(name)) for name in "abcd"]
    a, b, c, d = (strategy.fit[number] for number in numbers if number is not None)
    assert a == pytest.approx(1.0)
    assert b == pytest.approx((2 / 3 + 1) / 2)
    assert (c, d) == pytest.approx((0.0, 1 / 3 / 2))


def test_nothing_is_like_nothing() -> None:
    assert fitness(Gene(frozenset(), {}), [Gene(frozenset(), {})]) == 0.0
    assert fitness(Gene(frozenset({1}), {"a": 1.0}), []) == 0.0


def test_t15_roulette() -> None:
    picks = [drawn([0.5, 0.3, 0.2], (step + 0.5) / 100) for step in range(100)]
    assert [picks.count(place) for place in range(3)] == [50, 30, 20]


def test_what_two_parents_link_to_comes_first() -> None:
    web = "a {boats} -> p q x; b {boats} -> r x s"
    assert order("genetic(crossover=1.0, mutation=0.0)", web, start="a b")[:3] == ["a", "b", "x"]


def test_without_crossover_it_is_best_first_with_the_same_fitness() -> None:
    web = "a {boats sails} -> p q; p {cars roads} -> u; q {boats sails} -> v; u -> w"
    assert order("genetic(crossover=0.0, mutation=0.0)", web) == ["a", "p", "q", "v", "u", "w"]


def test_only_the_fittest_breed_on() -> None:
    assert best_of({1: 0.2, 2: 0.9, 3: 0.5, 4: 0.5}, 3) == {2: 0.9, 3: 0.5, 4: 0.5}
    strategy = Genetic(size=2, picks=1)
    explore(strategy, "a {boats} -> b c d; b {boats}; c {cars}; d {boats sails}")
    assert len(strategy.pool) == 2


def test_mutation_brings_pages_from_outside() -> None:
    strategy, directory = Genetic(mutation=1.0), Directory([url_of("new"), url_of("a")])
    explore(strategy, "a {boats boats sails}", pages=1)
    strategy._crawl.search_source = directory  # type: ignore[misc]
    assert strategy._offspring() == {url_of("new"): 0.0}
    assert directory.asked[0].split()[0] == "boat"
    assert strategy.missing_input == ""


def test_pages_that_link_to_both_parents_are_offspring() -> None:
    strategy = Genetic(crossover=1.0)
    explore(strategy, "a {boats}; b {boats}", start="a b")
    both = {url_of("a"): [url_of("hub"), url_of("x")], url_of("b"): [url_of("hub")]}
    strategy._crawl.search_source = Directory([], back=both)  # type: ignore[misc]
    assert list(strategy._crossed([0, 1])) == [url_of("hub")]


def test_without_a_provider_it_says_so_and_goes_on() -> None:
    strategy = Genetic(mutation=1.0)
    assert sorted(explore(strategy, "a -> b; b -> c; c -> d").order) == [url_of(name) for name in "abcd"]
    assert "search provider" in strategy.missing_input


def test_goes_on_when_members_vanish_behind_redirects() -> None:
    web = "a {boats} -> x y; b {boats} -> x z; x => z; y -> q"
    assert sorted(order("genetic(crossover=1.0)", web, start="a b")) == ["a", "b", "q", "y", "z"]


def test_ends_where_the_paper_does_if_wanted() -> None:
    chain = "; ".join(f"p{n} {{cars{n}}} -> p{n + 1}" for n in range(20))
    web = f"s {{boats}} -> p0; {chain}"
    assert len(order("genetic", web)) == 22
    strategy = Genetic(size=1, picks=1, ends=True)
    assert len(explore(strategy, web).order) < 10
    assert strategy.value(Candidate("x", links=(strategy._crawl.page(url_of("s")).links[0],))) == HOLD  # type: ignore[union-attr]


def test_explains_the_generation() -> None:
    strategy = Genetic(crossover=1.0, mutation=0.0)
    explore(strategy, "a {boats} -> x; b {boats} -> x", start="a b", pages=2)
    candidate = strategy._crawl.candidate(url_of("x"))
    assert candidate
    parts = strategy.explain(candidate)
    assert parts["member"] == 1.0
    assert parts["generation"] == 1
    assert 0 < parts["fitness of the parent"] <= 1
