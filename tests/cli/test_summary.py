"""The lines of a summary."""

from __future__ import annotations

import pytest

from clew.cli.summary import numbers
from clew.types import Stats


def test_the_forecast_is_shown_once_there_is_one_and_candidates_wait() -> None:
    stats = Stats(visited=200, waiting=40, forecast=12.3, expected_waiting=4.4)
    assert numbers(stats)["forecast"] == "about 12 relevant in the next 500 visits, about 4 of all candidates"
    assert "forecast" not in numbers(Stats(visited=20, waiting=40))
    assert "forecast" not in numbers(Stats(visited=200, forecast=12.3))


def test_duplicates_are_shown_if_there_are_any() -> None:
    result = numbers(Stats(visited=12, failed=2, duplicates=3, redirects=1))["visits"]
    assert result == "12 (2 failed, 3 duplicates); not counted: 1 redirect, 0 refused by robots.txt"
    assert "duplicates" not in str(numbers(Stats(visited=12))["visits"])


@pytest.mark.parametrize(
    ("stats", "shown"),
    [
        (Stats(waiting=0, best=float("-inf")), "0 candidates; 0 hosts visited"),
        (Stats(waiting=107, best=float("-inf")), "107 candidates, all on hosts that must wait; 0 hosts visited"),
        (Stats(waiting=107, best=0.5), "107 candidates, best score 0.500; 0 hosts visited"),
    ],
)
def test_the_best_score_is_shown_if_a_candidate_can_be_chosen(stats: Stats, shown: str) -> None:
    assert numbers(stats)["frontier"] == shown
