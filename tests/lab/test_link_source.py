from __future__ import annotations

from pathlib import Path

import pytest

from clew.lab.link_source import SnapshotLinkSource
from clew.lab.snapshot import Snapshot
from clew.strategies import LinkSource

A, B = "http://a.org/", "http://b.org/"


@pytest.fixture
def link_source(tiny: Path) -> LinkSource:
    return SnapshotLinkSource(Snapshot.load(tiny / "tiny.warc.gz", tiny / "tiny.topics.json"))


def test_back_links_follow_redirects(link_source: LinkSource) -> None:
    assert link_source.linking_to(f"{B}row") == [A, f"{A}sail", f"{A}index/boats", f"{B}lone"]
    assert link_source.linking_to(f"{A}old", most=2) == [A, f"{A}sail"]  # redirects to the same page
    assert link_source.linking_to("http://c.org/") == []


def test_search_lists_and_terms(link_source: LinkSource) -> None:
    assert link_source.about("an oar") == [f"{B}row"]
    assert link_source.about("xyzzy") == []
    assert link_source.listed("b.org") == [f"{B}row", f"{B}far", f"{B}lone"]
    assert link_source.listed("b.org", most=1) == [f"{B}row"]
    assert link_source.listed("c.org") == []
    assert "oar" in link_source.terms(f"{B}row")
    assert link_source.terms("http://c.org/") == {}
