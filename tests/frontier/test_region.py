"""Columns in regions of their own: they grow with what they hold, and nobody reads where they stood before."""

from __future__ import annotations

import mmap

import pytest

from clew.frontier.region import Region
from clew.frontier.table import FIRST_ROOM, Table


def filled(size: int) -> Region:
    region = Region("q", 4)
    for number in range(size):
        if number == len(region.numbers):
            region.extend(2 * number)
        region.numbers[number] = number * number
    return region


def test_a_region_keeps_its_numbers_when_it_grows() -> None:
    assert filled(5000).numbers[:5000].tolist() == [number * number for number in range(5000)]


def test_a_region_grows_where_the_system_cannot_extend_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fixed(mmap.mmap):
        def resize(self, newsize: int) -> None:
            raise SystemError("resizing not available")

    monkeypatch.setattr(mmap, "mmap", Fixed)
    assert filled(5000).numbers[:5000].tolist() == [number * number for number in range(5000)]


def test_what_was_read_before_a_region_grew_is_of_no_use() -> None:
    region = Region("d", 4)
    before = region.numbers
    region.extend(8)
    with pytest.raises(ValueError, match="released"):
        before[0]


def test_a_table_grows_beyond_its_room() -> None:
    table = Table()
    for number in range(5 * FIRST_ROOM):
        assert table.append(number * 7919, number % 5, 1, -number) == number
    assert [table.index.find(number * 7919) for number in (0, FIRST_ROOM, 5 * FIRST_ROOM)] == [0, FIRST_ROOM, None]
    assert table.column("score").tolist() == [-number for number in range(5 * FIRST_ROOM)]
    assert len(table.queued()) == 5 * FIRST_ROOM
