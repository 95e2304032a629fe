"""The lines of a summary."""

from __future__ import annotations

from clew.types import Stats
from clew.ui.report import numbers


def test_duplicates_are_told_where_there_are_some() -> None:
    told = numbers(Stats(visited=12, failed=2, duplicates=3, redirects=1))["pages"]
    assert told == "12 visited, 2 failed, 3 duplicates; 1 redirects, 0 refused"
    assert "duplicates" not in str(numbers(Stats(visited=12))["pages"])
