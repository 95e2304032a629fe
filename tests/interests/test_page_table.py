"""The pages that the judge remembers, saved and read again as often as one likes."""

from __future__ import annotations

import numpy as np
import pytest

from clew.interests import page_table
from clew.interests.evidence import Hits
from clew.interests.page_table import PageTable


def row(number: int) -> dict[str, object]:
    columns = np.arange(number % 4, dtype=np.int32) + number
    hits = Hits(*(np.full(2, float(number)) for _ in range(3)))
    words = {"columns": columns, "values": columns.astype(np.float32), "hits": hits}
    numbers = {"lengths": number, "limits": 1.0, "hosts": 0, "drafts": 0.5}
    others = {"memberships": np.array([0.1]), "neighbours": [], "is_start": number == 0, "may_count": True}
    return words | numbers | others


def test_what_is_saved_is_what_is_there_after_each_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_table, "MAX_PAGES", 10)
    table = PageTable(keywords=2, topics=1)
    for number in range(25):
        table.add(number, row(number))
        again = PageTable(keywords=2, topics=1)
        again.load(table.save())
        assert again.slots == table.slots
        assert [each.tolist() for each in again.columns] == [each.tolist() for each in table.columns]
        assert [each.tolist() for each in again.values] == [each.tolist() for each in table.values]
        assert [each.text.tolist() for each in again.hits] == [each.text.tolist() for each in table.hits]
    assert len(table) <= 10
