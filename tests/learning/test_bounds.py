from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.learning.bounds import wilson_upper


@pytest.mark.parametrize(
    ("hits", "n", "bound"), [(60, 300, 0.2489), (24, 240, 0.1445), (6, 200, 0.0639), (1, 180, 0.0308), (0, 170, 0.0221)]
)
def test_t11_upper_bounds(hits: int, n: int, bound: float) -> None:
    assert wilson_upper(hits, n) == pytest.approx(bound, abs=5e-5)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_bound_lies_between_the_share_and_one(sample: tuple[int, int]) -> None:
    hits, n = sample
    assert hits / n - 1e-12 <= wilson_upper(hits, n) <= 1 + 1e-12
    assert wilson_upper(10 * hits, 10 * n) <= wilson_upper(hits, n) + 1e-12


def test_nothing_is_impossible_when_nothing_is_known() -> None:
    assert wilson_upper(0, 0) == 1.0
