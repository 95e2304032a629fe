"""Keys in open addressing: found again however they came in, and no growth moves many of them."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.base.chance import key_of
from clew.frontier.key_index import PARTS, KeyIndex

KEYS = st.lists(st.integers(0, 2**63 - 1) | st.integers(0, 40).map(lambda n: n * PARTS), unique=True)


def indexed(keys: list[int]) -> KeyIndex:
    column = array("q")
    index = KeyIndex(column)
    for row, key in enumerate(keys):
        column.append(key)
        index.add(key, row)
    return index


@given(KEYS, st.integers(0, 2**63 - 1))
def test_every_key_leads_to_its_row(keys: list[int], other: int) -> None:
    index = indexed(keys)
    filled = KeyIndex(array("q", keys))
    filled.fill(len(keys))
    for row, key in enumerate(keys):
        assert index.find(key) == filled.find(key) == row
    if other not in keys:
        assert index.find(other) is filled.find(other) is None


def test_filled_at_once_it_takes_more_keys() -> None:
    column = array("q", [key_of(str(number)) for number in range(5000)])
    index = KeyIndex(column)
    index.fill(len(column))
    for number in range(5000, 20_000):
        column.append(key_of(str(number)))
        index.add(column[-1], number)
    assert all(index.find(key_of(str(number))) == number for number in range(20_000))


def test_no_growth_moves_more_than_one_part(monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[int] = []
    grow = KeyIndex._grow

    def watched(index: KeyIndex, number: int) -> None:
        moved.append(sum(map(bool, index._parts[number])))
        grow(index, number)

    monkeypatch.setattr(KeyIndex, "_grow", watched)
    indexed([key_of(str(number)) for number in range(100_000)])
    assert 0 < max(moved) < 100
