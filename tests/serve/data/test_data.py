"""The values that pages and programs show: from running, stopped, killed and old crawl folders."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.config import configure
from clew.errors import ConfigError
from clew.serve import data
from clew.serve.data.saved_frontier import SavedFrontier
from clew.store import Record, Records, SqliteStore, page_of, write_labels
from clew.types import Doc, Fetched, UrlState

OLD_FOLDERS = sorted((Path(__file__).parents[2] / "fixtures" / "crawl_folders").iterdir())
UNKNOWN = "http://nowhere.example/"
READERS: dict[str, Callable[[Records], Any]] = {
    "summary": data.summary,
    "curve": data.curve,
    "pages": data.pages,
    "best": lambda records: data.pages(records, sort="best"),
    "hosts": data.hosts,
    "next": data.next_up,
    "unsure": data.unsure,
    "explain": lambda records: data.explain(records, UNKNOWN),
    "text": lambda records: data.text(records, UNKNOWN),
    "journal": data.journal,
    "orders": data.orders,
    "labels": data.labels,
}


@pytest.fixture
def records(folder: Path) -> Iterator[Records]:
    with Records(folder) as records:
        yield records


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("old", OLD_FOLDERS, ids=lambda folder: folder.name)
def test_folders_of_earlier_versions_are_shown(name: str, old: Path, tmp_path: Path) -> None:
    shutil.copytree(old, tmp_path / "old")
    with Records(tmp_path / "old") as records:
        json.dumps(READERS[name](records), allow_nan=False)


def test_summary_has_the_numbers_of_the_crawl(records: Records) -> None:
    found = data.summary(records)
    stats = records.stats()
    assert (found["visited"], found["relevant"], found["waiting"]) == (80, stats.relevant, stats.waiting)
    assert (found["state"], found["why"]) == ("finished", "made 80 visits")
    assert {"name": "visits", "limit": 80, "now": 80} in found["limits"]
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_a_crawl_that_the_user_ended_is_stopped_and_a_killed_one_says_so(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "crawl")
    with SqliteStore(tmp_path / "crawl") as store:
        store.note("run", "again")
        store.commit([], store.progress())
    with Records(tmp_path / "crawl") as records:
        assert data.summary(records)["why"].startswith("the crawl was killed")
        with SqliteStore(tmp_path / "crawl") as store:
            assert data.summary(records)["state"] == "running"
            store.note("stop", "interrupted")
            store.commit([], store.progress())
        assert (data.summary(records)["state"], data.summary(records)["why"]) == ("stopped", "interrupted")


def test_the_curve_counts_visits_and_is_thinned(records: Records) -> None:
    whole = data.curve(records)["points"]
    assert whole == [[0, 0], *([n + 1, int(sum(records.flags()[: n + 1]))] for n in range(80))]
    thin = data.curve(records, points=10)["points"]
    assert len(thin) == 11
    assert thin[-1] == whole[-1]
    assert all(point in whole for point in thin)


def test_marks_stand_where_labels_and_orders_were_taken(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "crawl")
    with Records(folder) as records:
        url = records.best(1)[0].url
    clew.label(tmp_path / "crawl", {url: False})
    clew.tell(tmp_path / "crawl", "deny", "ads.example")
    with Records(tmp_path / "crawl") as records:
        marks = data.curve(records)["marks"]
        assert [(mark["visits"], mark["kind"], mark["text"]) for mark in marks] == [
            (80, "order", "deny ads.example"),
            (80, "label", "1 label"),
        ]
        assert data.page(records, url)["label"]["relevant"] is False  # type: ignore[index]
        assert data.orders(records)["items"][0]["status"] == "taken"


@pytest.mark.parametrize("sort", ["newest", "best"])
def test_cursors_lead_through_all_pages_once(records: Records, sort: str) -> None:
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        found = data.pages(records, sort=sort, cursor=cursor, limit=7)
        assert len(found["items"]) <= 7
        seen += [item["url"] for item in found["items"]]
        cursor = found["next"]
    fetched = [record for record in records.pages() if record.state == UrlState.FETCHED]
    key: Callable[[Record], Any] = lambda r: -r.order if sort == "newest" else (-r.relevance, r.order)  # noqa: E731
    assert seen == [record.url for record in sorted(fetched, key=key)]


def test_pages_can_be_restricted(records: Records) -> None:
    relevant = data.pages(records, relevant=True, limit=200)["items"]
    assert len(relevant) == records.stats().relevant
    host = relevant[0]["host"]
    assert {item["host"] for item in data.pages(records, host=host)["items"]} == {host}


@pytest.mark.parametrize("cursor", ["x", "!!", "bnVsbA", "WyJhIl0", "W10"])
def test_a_cursor_that_nobody_gave_is_refused(records: Records, cursor: str) -> None:
    with pytest.raises(ConfigError, match="no cursor"):
        data.pages(records, cursor=cursor)


def test_previews_mark_the_words_of_the_interest(records: Records) -> None:
    best = data.pages(records, sort="best", limit=1)["items"][0]
    marked = [text for text, is_match in best["preview"] if is_match]
    assert marked
    assert all(word.lower().startswith("sail") for word in marked)


def test_hosts_add_up(records: Records) -> None:
    found = data.hosts(records, limit=200)
    assert sum(host["visited"] for host in found["items"]) == 80
    assert sum(host["relevant"] for host in found["items"]) == records.stats().relevant
    assert sum(host["waiting"] for host in found["items"]) == records.stats().waiting
    first = data.hosts(records, limit=2)
    second = data.hosts(records, limit=2, cursor=first["next"])
    assert [*first["items"], *second["items"]] == found["items"][:4]


def test_what_is_next_is_what_the_crawl_visits_next(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "crawl")
    with Records(folder) as records:
        found = data.next_up(records, limit=200)["items"]
        waiting = {item["url"] for item in found}
        assert not waiting & {record.url for record in records.pages()}
    scores = [item["score"] for item in found if item["score_note"] == ""]
    assert scores == sorted(scores, reverse=True)
    assert found[0]["source"].startswith("http")


def test_the_frontier_of_a_checkpoint_is_the_one_that_readers_see(records: Records) -> None:
    saved = SavedFrontier(records)
    waiting = {host.host: host.waiting for host in records.hosts_now() if host.waiting}
    assert {host: count for host, (count, _) in saved.waiting_by_host().items()} == waiting
    entries = saved.entries(saved.best(20))
    head = {candidate.url for candidate in records.head(200)}
    assert len(entries) == 20
    assert {entry.url for entry in entries.values()} <= head
    assert {saved.find(entry.url) for entry in entries.values()} == entries.keys()
    assert saved.find(UNKNOWN) is None


def test_unsure_pages_are_near_the_threshold_and_not_labelled(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "crawl")
    with Records(tmp_path / "crawl") as records:
        first = data.unsure(records, limit=5)["items"]
        write_labels(tmp_path / "crawl", {first[0]["url"]: True})
        then = data.unsure(records, limit=5)["items"]
    assert len(first) == 5
    assert first[0]["url"] not in {item["url"] for item in then}


def test_a_visited_page_a_candidate_and_an_unknown_url_are_explained(records: Records) -> None:
    best = data.pages(records, sort="best", limit=40)["items"][-1]
    found = data.explain(records, best["url"])
    assert (found["state"], found["page"]["url"]) == ("fetched", best["url"])
    assert (found["path"][0]["kind"], found["path"][-1]["url"]) == ("start", best["url"])
    waiting = data.next_up(records, limit=1)["items"][0]
    found = data.explain(records, waiting["url"])
    assert (found["state"], found["page"], found["path"][-1]["url"]) == ("queued", None, waiting["url"])
    assert data.explain(records, UNKNOWN)["state"] == "unknown"


def test_texts_come_in_parts(records: Records) -> None:
    record = records.best(1)[0]
    whole = data.text(records, record.url)
    assert whole is not None
    parts: list[str] = []
    offset: int | None = 0
    while offset is not None:
        found = data.text(records, record.url, offset, 100)
        assert found is not None
        parts.append(found["text"])
        offset = found["next_offset"]
    assert "".join(parts) == whole["text"] == records.main_text(record)
    assert whole["untrusted"]


def test_search_marks_what_matches(records: Records) -> None:
    hit = data.search(records, "sailing")["items"][0]
    assert any(is_match and "sail" in text.lower() for text, is_match in hit["snippet"])


def test_hostile_text_is_cut_and_cleaned(tmp_path: Path) -> None:
    title = "\u202e<script>alert(1)</script>\x1b[31m" + "A" * 10_000_000
    with SqliteStore(tmp_path / "crawl", new=configure(interest="boats")) as store:
        record = Record(0, 0, "http://bad.example/", status=200, relevance=0.9, relevant=True, title=title)
        fetched = Fetched(record.url, 200, (("Content-Type", "text/html"),), b"<p>x", b"<p>x")
        store.add(record, fetched, page_of(record, Doc(record.url), ()))
        store.commit([], {})
    with Records(tmp_path / "crawl") as records:
        item = data.pages(records)["items"][0]
    assert item["title"].startswith("<script>alert(1)</script>[31mAAA")
    assert len(item["title"]) == 300


def test_only_web_addresses_become_links() -> None:
    from clew.serve.data import shown

    assert [shown.href(url) for url in ("https://a.example/", "javascript:alert(1)", "data:text/html,x", " http:")] == [
        "https://a.example/",
        None,
        None,
        None,
    ]
