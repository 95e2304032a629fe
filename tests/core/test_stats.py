from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.core.stats import Tally
from clew.types import Page


def tally_of(flags: str) -> Tally:
    tally = Tally()
    for order, flag in enumerate(flags):
        tally.visit(Page(f"http://h{order % 3}.example/{order}", relevant=flag == "1", ok=flag != "x"), 10)
    return tally


def test_nothing_yet() -> None:
    stats = Tally().snapshot()
    assert (stats.visited, stats.harvest, stats.recent, stats.since_relevant) == (0, 0.0, 0.0, 0)
    assert Tally().curve().tolist() == []


def test_counts() -> None:
    tally = tally_of("1101x01000")
    tally.redirect(5)
    stats = tally.snapshot(seconds=3.5, waiting=9, dropped=1, best=0.25, focus="wider", at_ceiling=True)
    assert (stats.visited, stats.pages, stats.relevant, stats.irrelevant, stats.failed) == (10, 9, 4, 5, 1)
    assert (stats.redirects, stats.bytes, stats.since_relevant, stats.hosts) == (1, 105, 3, 3)
    assert (stats.seconds, stats.waiting, stats.dropped, stats.best) == (3.5, 9, 1, 0.25)
    assert (stats.focus, stats.at_ceiling) == ("wider", True)


def test_harvest_curve_of_the_worked_example() -> None:
    curve = tally_of("1101001000").curve()
    assert curve[4] == pytest.approx(0.6)
    assert curve[9] == pytest.approx(0.4)
    assert curve.mean() == pytest.approx(0.6433, abs=5e-5)


def test_recent_forgets_what_is_older_than_the_window() -> None:
    assert tally_of("1" * 50 + "0" * 50).snapshot().recent == 0.5
    assert tally_of("1" * 50 + "0" * 100).snapshot().recent == 0.0
    assert tally_of("0" * 500 + "1" * 30).snapshot().recent == 0.3


def test_a_page_in_the_middle_of_a_drought_ends_it() -> None:
    assert tally_of("0001").snapshot().since_relevant == 0
    assert tally_of("000").snapshot().since_relevant == 3


@given(st.text("01x", max_size=300), st.text("01x", max_size=20))
def test_a_restored_tally_continues_the_same(before: str, after: str) -> None:
    whole, first = tally_of(before), tally_of(before)
    resumed = Tally()
    resumed.load(json.loads(json.dumps(first.save())))
    for tally in (whole, resumed):
        for flag in after:
            tally.visit(Page("http://z.example/", relevant=flag == "1", ok=flag != "x"), 7)
    assert resumed.snapshot() == whole.snapshot()
    assert resumed.curve().tolist() == whole.curve().tolist()
    assert resumed.save() == whole.save()


def test_a_checkpoint_takes_a_bit_for_each_visit() -> None:
    assert len(tally_of("01" * 4000).save()["flags"]) == 2 * 1000


def test_an_earlier_visit_can_be_judged_again_despite_redirects_and_refusals() -> None:
    tally = Tally()
    tally.visit(Page("http://a.example/", relevant=True))
    tally.redirect()
    tally.refuse()
    tally.visit(Page("http://b.example/"))
    tally.visit(Page("http://c.example/", relevant=True))
    again = Tally()
    again.load(tally.save())
    again.judge(3, relevant=True)
    again.judge(4, relevant=False)
    again.judge(4, relevant=False)
    assert again.relevant == 2
    assert again.snapshot().since_relevant == 1
    assert again.curve().tolist() == [1.0, 1.0, 2 / 3]
