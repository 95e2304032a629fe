"""Searches on behalf of an interest: modified queries and re-ranked results."""

from __future__ import annotations

from pathlib import Path

import pytest

import clew
from clew.config import Config
from clew.core.search_for import modified, search_for
from clew.store import Record, Records, SqliteStore, make_texts, page_of
from clew.store.search_query import match_expression
from clew.types import Doc, Fetched

FILLER = "The quick brown fox jumps over the lazy dog near the river bank in summer. "
TEXTS = {
    "golf": "The jaguar of the golfer: jaguar jaguar, a car for jaguar drivers who like golf.",
    "zoo": "A jaguar is a cat. This animal lives in the forest, where the jaguar hunts at night.",
    "car": "A jaguar is quick. The engine of the jaguar is in front.",
    "cat": "Every animal needs care, says the keeper of cats.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with SqliteStore(tmp_path, new=Config()) as store:
        for order, (name, text) in enumerate(TEXTS.items()):
            url = f"http://{name}.example/"
            record = Record(order, order, url, at=1e9, status=200, relevance=0.7, relevant=name != "car", title=name)
            body = f"<title>{name}</title><main><p>{text}</p><p>{FILLER * 2}</p></main>".encode()
            fetched = Fetched(url, 200, (("Content-Type", "text/html; charset=utf-8"),), body, body)
            store.add(record, fetched, page_of(record, Doc(url), ()))
        store.commit([], {})
    make_texts(tmp_path)
    return tmp_path


def test_results_are_ranked_anew_and_what_the_interest_does_not_want_is_left_out(folder: Path) -> None:
    plain = [hit.title for hit in clew.search(folder, "jaguar")]
    assert plain == ["golf", "zoo"]
    assert [hit.title for hit in clew.search(folder, "jaguar", interest="animal")] == ["zoo"]
    either = clew.search(folder, "jaguar", interest="animal OR golf")
    assert sorted(hit.title for hit in either) == ["golf", "zoo"]
    assert [hit.title for hit in clew.search(folder, "jaguar", interest="engine", relevant=False)] == ["car"]
    assert clew.search(folder, "jaguar", interest="opera") == []


def test_words_of_the_interest_bring_pages_into_the_pool_that_fit_the_query_little(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.core.search_for.POOL", 1)
    with Records(folder) as records:
        # Only one result of each query is looked at: without its words the interest would see the golfer alone.
        assert [hit.title for hit in records.search("jaguar", limit=1)] == ["golf"]
        assert [hit.title for hit in search_for(records, "jaguar", "animal")] == ["zoo"]


def test_a_modified_query_is_a_query() -> None:
    assert match_expression(modified("jaguar", "animal AND NOT car")) == '("jaguar") AND (("animal"))'
    assert modified("jaguar", "NOT car") == "jaguar"
