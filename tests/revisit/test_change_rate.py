"""Change rates and visit rates, with the worked numbers of the literature."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as some

from clew.revisit.change_rate import (
    USUAL_CHANGES_PER_DAY,
    age,
    best_rates,
    chance_of_change,
    freshness,
    gain,
    rate,
    rate_of,
)

near = lambda *values: pytest.approx(values, abs=6e-5)  # noqa: E731


def test_worked_numbers() -> None:
    assert (rate(10, 3), rate(10, 10)) == near(0.3365, 3.0445)
    assert (freshness(0.3365, 1), freshness(0.3365, 5)) == near(0.8491, 0.4839)
    assert (age(0.3365, 1), age(0.3365, 5)) == near(0.0517, 0.9661)
    assert (rate_of([1, 4], [2, 2]),) == near(0.3309)
    assert tuple(best_rates([1, 1], [0.5, 4], 2)) == near(1.1978, 0.8022)
    assert tuple(best_rates([1, 1], [0.5, 4], 3)) == pytest.approx((1.459, 1.541), abs=6e-4)
    fresh = [x / (x + change) for x, change in zip(best_rates([1, 1], [0.5, 4], 2), (0.5, 4), strict=True)]
    assert tuple(fresh) == near(0.7055, 0.1670)


def test_half_an_unchanged_interval_makes_one_estimator_of_the_other() -> None:
    assert rate_of([1] * 3, [1] * 7 + [0.5]) == pytest.approx(rate(10, 3))


def test_visiting_by_gain_comes_to_the_best_intervals() -> None:
    """What one more visit adds to the freshness of a page that is visited every so often."""
    for change, interval in ((0.3, 2.0), (4.0, 0.5)):
        more = 1 / (1 / interval + 1e-6)
        added = (freshness(change, more) - freshness(change, interval)) / 1e-6
        assert gain(change, interval) == pytest.approx(added, rel=1e-4)
    assert (gain(0, 5), gain(2, 1e9)) == (0, 0.5)


def test_the_ends() -> None:
    assert (rate_of([], []), rate_of([], [3]), rate_of([3], [])) == (0, 0, inf)
    assert (freshness(0, 5), age(0, 5), chance_of_change(0, 5)) == (1, 0, 0)
    assert best_rates([0, 0], [1, 1], 5) == [0, 0] == best_rates([1, 1], [1, 1], 0)
    assert best_rates([], [], 3) == []
    assert chance_of_change(USUAL_CHANGES_PER_DAY, 7) == pytest.approx(0.4)


def test_a_page_that_changes_all_the_time_gets_no_visit_when_visits_are_rare() -> None:
    calm, hectic = best_rates([1, 1], [0.1, 100], 0.2)
    assert calm == pytest.approx(0.2)
    assert hectic == 0


gaps = some.lists(some.floats(1e-4, 1e4), max_size=8)


@given(gaps, gaps)
def test_more_changes_never_lower_the_rate(changed: list[float], still: list[float]) -> None:
    found = rate_of(changed, still, USUAL_CHANGES_PER_DAY)
    assert 0 < found < inf
    assert rate_of([*changed, 5.0], still, USUAL_CHANGES_PER_DAY) >= found * (1 - 1e-9)
    assert rate_of(changed, [*still, 5.0], USUAL_CHANGES_PER_DAY) <= found * (1 + 1e-9)


@given(some.lists(some.tuples(some.floats(0.01, 1), some.floats(0.001, 100)), min_size=1, max_size=8))
def test_the_whole_budget_is_spent(pages: list[tuple[float, float]]) -> None:
    relevances, rates = zip(*pages, strict=True)
    assert sum(best_rates(relevances, rates, 3.0)) == pytest.approx(3.0)
