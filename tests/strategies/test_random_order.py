from __future__ import annotations

from collections import Counter
from typing import Any

from clew.strategies.random_order import RandomOrder
from clew.testing.tiny_web import order
from clew.types import Candidate

STAR = "s -> a b c d"


def test_the_seed_decides() -> None:
    orders = {seed: order("random_order", STAR, seed=seed) for seed in range(20)}
    assert all(order("random_order", STAR, seed=seed) == orders[seed] for seed in (0, 7))
    assert len({tuple(names) for names in orders.values()}) > 5


def test_every_candidate_has_the_same_chance() -> None:
    first = Counter(order("random_order", STAR, seed=seed, pages=2)[1] for seed in range(400))
    assert all(60 < first[name] < 140 for name in "abcd")


def test_explains_what_was_drawn(desk: Any) -> None:
    strategy = RandomOrder()
    strategy.start(desk)
    assert strategy.explain(Candidate("a")) == {"chance": 0.5}
