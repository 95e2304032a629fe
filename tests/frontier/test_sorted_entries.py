"""Sorted blocks against a plain sorted list, and how much one step touches."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.frontier import sorted_entries
from clew.frontier.sorted_entries import MAX_ENTRIES, SortedEntries

STEPS = st.lists(st.tuples(st.booleans(), st.sampled_from([-0.9, -0.5, 0.0, float("inf")]), st.integers(0, 30)))


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorted_entries, "MAX_ENTRIES", 8)
    monkeypatch.setattr(sorted_entries, "USUAL_ENTRIES", 6)
    monkeypatch.setattr(sorted_entries, "MIN_ENTRIES", 3)


@given(STEPS)
def test_the_order_is_that_of_a_sorted_list(steps: list[tuple[bool, float, int]]) -> None:
    entries = SortedEntries()
    plain: set[tuple[float, int]] = set()
    for is_put, negative, slot in steps:
        entry = (negative, slot)
        if is_put and entry not in plain:
            entries.put(entry)
            plain.add(entry)
        elif entry in plain:
            entries.remove(entry)
            plain.discard(entry)
        assert list(entries) == sorted(plain)
        assert (entries.first, entries.last) == ((min(plain), max(plain)) if plain else (None, None))


def test_what_is_not_there_cannot_be_removed() -> None:
    entries = SortedEntries()
    entries.put((-0.5, 1))
    with pytest.raises(KeyError):
        entries.remove((-0.5, 0))


def test_filled_at_once_it_is_the_same() -> None:
    entries = SortedEntries()
    entries.fill(np.repeat([-0.9, -0.5], 10), np.arange(20))
    entries.put((-0.7, 99))
    assert [slot for _, slot in entries] == [*range(10), 99, *range(10, 20)]


def test_no_step_moves_more_than_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many entries there are, and in whatever order they come and go."""
    monkeypatch.undo()
    entries = SortedEntries()
    numbers = list(range(30_000))
    random.Random(1).shuffle(numbers)
    for number in numbers:
        entries.put((-float(number % 100), number))
    assert max(map(len, entries.slots)) <= MAX_ENTRIES
    random.Random(2).shuffle(numbers)
    for number in numbers[:29_000]:
        entries.remove((-float(number % 100), number))
    assert list(entries) == sorted((-float(number % 100), number) for number in numbers[29_000:])
    assert len(entries.slots) < 30
