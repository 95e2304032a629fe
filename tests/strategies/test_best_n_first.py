from __future__ import annotations

import pytest

from clew.errors import StrategyError
from clew.strategies import make
from clew.strategies.best_n_first import BestNFirst
from clew.testing.random_web import random_web
from clew.testing.tiny_web import order

T7 = "s .9 -> a; t .8 -> b; u .7 -> c; a .95 -> d"


@pytest.mark.parametrize(("n", "visits"), [(1, "adbc"), (2, "abdc"), (256, "abcd")])
def test_t7_batches(n: int, visits: str) -> None:
    assert "".join(order(BestNFirst(n=n), T7, "s t u")) == "stu" + visits


def test_256_at_a_time_unless_told_otherwise() -> None:
    assert make("best_n_first") == BestNFirst(n=256)
    with pytest.raises(StrategyError, match="at least 1"):
        make("best_n_first(n=0)")


def test_it_is_best_first_with_a_batch() -> None:
    assert order("best_n_first(n=8)", random_web()) == order("best_first(n=8)", random_web())
