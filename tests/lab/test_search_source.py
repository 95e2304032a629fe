from __future__ import annotations

from pathlib import Path

import pytest

from clew.lab.search_source import SnapshotSearchSource
from clew.lab.snapshot import Snapshot
from clew.strategies import SearchSource

A, B = "http://a.org/", "http://b.org/"


@pytest.fixture
def search_source(tiny: Path) -> SearchSource:
    return SnapshotSearchSource(Snapshot.load(tiny / "tiny.warc.gz", tiny / "tiny.topics.json"))


def test_back_links_follow_redirects(search_source: SearchSource) -> None:
    assert search_source.backlinks(f"{B}row") == [A, f"{A}sail", f"{A}index/boats", f"{B}lone"]
    assert search_source.backlinks(f"{A}old", most=2) == [A, f"{A}sail"]  # redirects to the same page
    assert search_source.backlinks("http://c.org/") == []


def test_search_lists_and_terms(search_source: SearchSource) -> None:
    assert search_source.search("an oar") == [f"{B}row"]
    assert search_source.search("xyzzy") == []
    assert search_source.listed("b.org") == [f"{B}row", f"{B}far", f"{B}lone"]
    assert search_source.listed("b.org", most=1) == [f"{B}row"]
    assert search_source.listed("c.org") == []
    assert "oar" in search_source.terms(f"{B}row")
    assert search_source.terms("http://c.org/") == {}
