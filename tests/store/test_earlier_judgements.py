"""Judgements that change between two checkpoints: readers see the last one, a replay begins with the first."""

from __future__ import annotations

from pathlib import Path

from clew.config import Config
from clew.store import Record, SqliteStore, page_of
from clew.types import Doc, Fetched, Judgement

URL = "http://a.example/"


def judgement_of(store: SqliteStore) -> tuple[float, bool, object]:
    [record] = store.visits()
    return record.relevance, record.relevant, record.topics


def test_a_replay_sees_what_was_judged_at_the_checkpoint(tmp_path: Path) -> None:
    with SqliteStore(tmp_path, new=Config()) as store:
        record = Record(0, 0, URL, relevance=0.7, relevant=True, topics={"x": 0.7})
        store.add(record, Fetched(URL, 200), page_of(record, Doc(URL), ()))
        store.commit([], {}, {"format": b"1"})
        for relevance in (0.4, 0.2):
            store.judge(0, URL, Judgement(relevance, False, {"x": 0.7, "learned": relevance}))
            store.commit([], {})
    with SqliteStore(tmp_path) as store:
        assert judgement_of(store) == (0.2, False, {"x": 0.7, "learned": 0.2})
        store.rewind_judgements()
        assert judgement_of(store) == (0.7, True, {"x": 0.7})
        store.judge(0, URL, Judgement(0.9, True, {"x": 0.7, "learned": 0.9}))
        store.commit([], {}, {"format": b"1"})
        # The checkpoint holds what came of it: there is nothing to set back.
        store.rewind_judgements()
        assert judgement_of(store) == (0.9, True, {"x": 0.7, "learned": 0.9})


def test_a_page_that_was_visited_since_is_shown_as_it_was_judged_first(tmp_path: Path) -> None:
    with SqliteStore(tmp_path, new=Config()) as store:
        store.commit([], {}, {"format": b"1"})
        record = Record(0, 0, URL, relevance=0.3)
        store.add(record, Fetched(URL, 200), page_of(record, Doc(URL), ()))
        # In the same commit as the visit itself.
        store.judge(0, URL, Judgement(0.8, True, {}))
        store.commit([], {})
    with SqliteStore(tmp_path) as store:
        assert judgement_of(store)[0] == 0.8
        store.rewind_judgements()
        assert judgement_of(store)[0] == 0.3
