from __future__ import annotations

from pathlib import Path

import pytest

from clew.lab.link_source import SnapshotOutside
from clew.lab.snapshot import Snapshot
from clew.strategies import Outside

A, B = "http://a.org/", "http://b.org/"


@pytest.fixture
def outside(tiny: Path) -> Outside:
    return SnapshotOutside(Snapshot.load(tiny / "tiny.warc.gz", tiny / "tiny.topics.json"))


def test_back_links_follow_redirects(outside: Outside) -> None:
    assert outside.linking_to(f"{B}row") == [A, f"{A}sail", f"{A}index/boats", f"{B}lone"]
    assert outside.linking_to(f"{A}old", most=2) == [A, f"{A}sail"]  # which leads to the same page
    assert outside.linking_to("http://c.org/") == []


def test_search_lists_and_terms(outside: Outside) -> None:
    assert outside.about("an oar") == [f"{B}row"]
    assert outside.about("xyzzy") == []
    assert outside.listed("b.org") == [f"{B}row", f"{B}far", f"{B}lone"]
    assert outside.listed("b.org", most=1) == [f"{B}row"]
    assert outside.listed("c.org") == []
    assert "oar" in outside.terms(f"{B}row")
    assert outside.terms("http://c.org/") == {}
