"""Dictionaries whose checkpoints hold what has changed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.config import configure
from clew.filters import kept
from clew.filters._bounded import remember
from clew.filters.filters import Filters
from clew.filters.kept import Kept
from clew.types import Doc

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.integers(0, 12), st.integers(0, 3)),
        st.tuples(st.just("delete"), st.integers(0, 12)),
        st.tuples(st.just("bounded"), st.integers(0, 40), st.integers(0, 3)),
        st.just(("checkpoint",)),
        st.just(("lost checkpoint",)),
        st.just(("resume",)),
    ),
    max_size=60,
)


class Disk:
    """What the last checkpoint has."""

    def __init__(self) -> None:
        self.parts: dict[str, bytes] = {}

    def write(self, parts: dict[str, bytes | None]) -> None:
        self.parts = {name: self.parts[name] if data is None else data for name, data in parts.items()}


@given(STEPS)
def test_a_checkpoint_is_read_as_it_was_written_in_the_same_order(steps: list[tuple[Any, ...]]) -> None:
    known: Kept[int, int] = Kept()
    plain: dict[int, int] = {}
    disk = Disk()
    disk.write(known.save("x"))
    known.saved()
    for kind, *values in steps:
        for each in (known, plain):
            if kind == "set":
                each[values[0]] = values[1]
            elif kind == "delete" and values[0] in each:
                del each[values[0]]
            elif kind == "bounded":
                remember(each, values[0], values[1], max_entries=6)
        if kind == "lost checkpoint":
            known.save("x")
        if kind in ("checkpoint", "resume"):
            disk.write(known.save("x"))
            known.saved()
            again: Kept[int, int] = Kept()
            again.load("x", disk.parts)
            assert [*again.items()] == [*plain.items()]
            known = again if kind == "resume" else known
    assert [*known.items()] == [*plain.items()]


def test_a_checkpoint_costs_what_has_changed_and_the_logs_do_not_grow_for_ever() -> None:
    known = Kept({number: "x" * 20 for number in range(1000)})
    whole = len(known.save("x")["x"] or b"")
    known.saved()
    most = 0
    for number in range(500):
        known[number] = "y" * 20
        parts = known.save("x")
        fresh = sum(len(data) for data in parts.values() if data)
        known.saved()
        most = max(most, len(parts))
        assert fresh < whole / 20 or len(parts) == 1
    assert most == kept.MAX_LOGS + 1


def test_a_dictionary_that_another_version_wrote_is_written_as_a_whole() -> None:
    known = Kept({1: "a"})
    known.save("x")
    known.saved()
    known.write_whole()
    assert known.save("x")["x"] is not None


@pytest.mark.parametrize("every", [1, 3, 7])
def test_filters_resume_from_a_whole_and_its_logs(every: int) -> None:
    """Whatever the filters remember is noticed: entries, counts, and hosts that were visited again."""
    filters, disk = Filters(configure(host_pages=20)), Disk()
    for order in range(60):
        _visit(filters, order)
        if order % every == 0:
            disk.write(filters.save())
            filters.saved()
    disk.write(filters.save())
    filters.saved()
    again = Filters(configure(host_pages=20))
    again.load(disk.parts)
    assert any("+" in name for name in disk.parts) or every == 7
    for each in (filters, again):
        each.write_whole()
    assert again.save() == filters.save()


def _visit(filters: Filters, order: int) -> None:
    url = f"http://h{order % 5}.example/{2000 + order % 9}/{order % 6}/page{order}.html?a={order % 3}&b=1"
    text = f"Menu\nFooter\nBoats of oak {'x' * order}\n{order % 4} masts"
    doc = Doc(url, f"Title {order % 3}", text, {"boat": 1, "oak": order + 1}, canonical=url if order % 2 else "")
    filters.refuse(url, f"http://h{order % 5}.example/")
    filters.record_visit(order, ("fetched", "failed", "duplicate")[order % 3], order % 4 == 0, doc)
    filters.redirect(url, url.replace("h", "www.h", 1), 1, known=True)
    filters.learn_boilerplate(doc, order)
