from __future__ import annotations

from typing import Any

import pytest

from clew.strategies.annealing import Annealing
from clew.testing.tiny_web import explore, order, url_of


def test_t16_a_worse_pool_by_a_tenth_at_the_first_temperature() -> None:
    assert Annealing().acceptance(0.1) == pytest.approx(0.6065, abs=5e-5)
    assert Annealing().acceptance(-0.1) == 1.0


def test_t16_temperature_after_five_generations() -> None:
    strategy = Annealing()
    strategy.generation = 5
    assert strategy.temperature == pytest.approx(0.11810, abs=5e-6)


def test_cold_takes_only_what_is_better() -> None:
    strategy = Annealing()
    strategy.generation = 29
    assert strategy.finished()
    assert strategy.acceptance(0.001) == 0.0
    assert strategy.acceptance(0.0) == 1.0


@pytest.mark.parametrize(("generation", "pool"), [(0, {1: 0.5, 9: 0.45}), (29, {1: 0.5, 2: 0.5})])
def test_a_worse_pool_stays_only_while_it_is_hot(desk: Any, generation: int, pool: dict[int, float]) -> None:
    """The desk's chance is .5: exp(-.025/.2) is above it."""
    strategy = Annealing(size=2)
    strategy.start(desk)
    strategy.generation, strategy.pool, strategy.fresh = generation, {1: 0.5, 2: 0.5}, {9: 0.45}
    assert strategy.survivors() == dict(sorted(pool.items(), reverse=generation == 0))


def test_finds_the_whole_web_and_ends_cold_if_wanted() -> None:
    chain = "; ".join(f"p{n} -> p{n + 1}" for n in range(40))
    assert len(order("annealing", f"s {{boats}} -> p0; {chain}")) == 42
    strategy = Annealing(picks=1, ends=True)
    assert len(explore(strategy, f"s {{boats}} -> p0; {chain}").order) < 40
    assert strategy.over


def test_what_two_parents_link_to_comes_first() -> None:
    web = "a {boats} -> p q x; b {boats} -> r x s"
    found = explore(Annealing(crossover=1.0, mutation=0.0), web, start="a b").order
    assert found[2] == url_of("x")
