"""Why pages were visited, as it is kept with the visits."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

import clew
from clew.interests.crawl_judge import EVIDENCE
from clew.labyrinth import Labyrinth, serving
from clew.store import Records
from clew.store.reasons import reason_of_visit
from clew.strategies import _optional, make, names
from clew.types import Candidate, Link

LABYRINTH = Labyrinth(pages=400, seed=2)


@pytest.fixture(scope="module")
def resolve() -> Iterator[str]:
    with serving(LABYRINTH) as served:
        yield served.resolve


def crawled(folder: Path, resolve: str, strategy: str = "adaptive", pages: int = 25) -> Path:
    clew.crawl(
        "sailing",
        LABYRINTH.seeds("sailing", 3),
        strategy=strategy,
        pages=pages,
        folder=str(folder),
        resolve=[resolve],
        allow_private=True,
        delay=0,
    )
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, resolve: str) -> Path:
    return crawled(tmp_path_factory.mktemp("reasons") / "crawl", resolve, pages=60)


@pytest.mark.parametrize("name", names())
def test_every_strategy_leaves_a_reason_for_every_visit(name: str, tmp_path: Path, resolve: str) -> None:
    with Records(crawled(tmp_path / "crawl", resolve, name, pages=12)) as records:
        pages = list(records.pages())
        reasons = [records.why(page) for page in pages]
        assert not [event for _, event, _ in records.journal() if event == "error"]
    assert all(reason and reason.parts for reason in reasons)
    found = [reason for reason, page in zip(reasons, pages, strict=True) if reason and page.depth > 0]
    assert all(reason.source for reason in found)


def test_a_visit_is_explained_without_the_checkpoint(folder: Path) -> None:
    with Records(folder) as records:
        # The judge learns other words, too: not every page that counts mentions sailing.
        pages = [page for page in records.pages(relevant=True) if page.topics["sailing"] > 0.0]
        page = [page for page in pages if page.depth > 0][-1]
        waiting = records.head(1)[0]
    with sqlite3.connect(folder / "crawl.db") as db:
        kept = db.execute("SELECT * FROM checkpoints").fetchall()
        db.execute("DELETE FROM checkpoints")
    told = clew.explain(folder, page.url)
    quick = clew.explain(folder, waiting.url, parts=False)
    with sqlite3.connect(folder / "crawl.db") as db:
        db.executemany("INSERT INTO checkpoints VALUES (?,?)", kept)
    assert told.is_then
    assert told.source in [step.url for step in told.path] or told.source
    assert "chance" in told.parts
    learned = [topic for topic in told.topics if topic.topic not in EVIDENCE]
    sailing = learned[0]
    # The parts of the relevance, each with its name.
    assert {topic.topic for topic in told.topics} >= set(EVIDENCE[:2])
    assert sailing.topic == "sailing"
    assert sum(sailing.words.values()) > 0
    assert all(topic.words for topic in learned)
    assert (quick.state, quick.parts) == ("queued", {})


def test_the_words_are_those_of_the_page(folder: Path) -> None:
    with Records(folder) as records:
        for page in records.best(10):
            [topic, *_] = clew.explain(folder, page.url).topics
            text = records.doc(page).text.lower()
            assert all(text.count(word) >= count for word, count in topic.words.items())


def test_a_replay_rewrites_no_reason(folder: Path, tmp_path: Path) -> None:
    rows = sqlite3.connect(folder / "crawl.db").execute("SELECT * FROM reasons").fetchall()
    assert rows
    with sqlite3.connect(folder / "crawl.db") as db:
        db.execute("UPDATE reasons SET parts = '{\"mark\": 1.0}'")
    with Records(folder) as records:
        page = records.best(1)[0]
    # Applying a label replays the crawl, and commits.
    clew.label(folder, page.url, True)
    parts = sqlite3.connect(folder / "crawl.db").execute("SELECT DISTINCT parts FROM reasons").fetchall()
    with sqlite3.connect(folder / "crawl.db") as db:
        db.executemany("INSERT OR REPLACE INTO reasons VALUES (?,?,?,?,?,?)", rows)
    assert parts == [('{"mark": 1.0}',)]


def test_another_interest_leaves_its_own_words(tmp_path: Path, resolve: str) -> None:
    folder = crawled(tmp_path / "crawl", resolve)
    clew.tell(folder, "interest", "sailing OR cooking")
    with Records(folder) as records:
        page = records.best(1)[0]
    assert [topic.topic for topic in clew.explain(folder, page.url).topics][:2] == ["sailing", "cooking"]


def test_folders_of_earlier_versions_have_no_reasons(folder: Path, tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "old.db")
    assert reason_of_visit(db, 0) is None


def test_the_link_from_the_most_relevant_page_decides_unless_the_strategy_says_otherwise() -> None:
    links = (Link("http://a.example/", "http://x.example/"), Link("http://b.example/", "http://x.example/"))
    relevance = {"http://a.example/": 0.2, "http://b.example/": 0.9}
    candidate = Candidate("http://x.example/", links=links)
    link = _optional.deciding_link(make("breadth_first"), candidate, relevance.__getitem__)
    assert link == links[1]
    assert _optional.deciding_link(make("breadth_first"), Candidate("http://x.example/"), relevance.__getitem__) is None


def test_the_head_is_what_waits_in_the_order_of_its_scores(folder: Path) -> None:
    with Records(folder) as records:
        head = records.head()
        hosts = {host.host: host for host in records.hosts_now()}
        waiting = records.stats().waiting
    assert len(head) == min(200, waiting)
    scores = [entry.score for entry in head]
    assert scores == sorted(scores, reverse=True)
    assert all(entry.reason for entry in head)
    assert sum(host.waiting for host in hosts.values()) == waiting
    for entry in head[:20]:
        best = hosts[entry.host].best
        assert best is not None
        assert best >= entry.score


def test_pages_without_a_label_near_the_threshold_are_worth_a_question(folder: Path) -> None:
    with Records(folder) as records:
        asked = records.unsure(8)
        fetched = {page.url: page for page in records.pages() if page.state == "fetched"}
        labelled = {label.url for label in records.labels()}
        threshold = records.threshold
    assert len({page.url for page in asked}) == 8
    assert not labelled & {page.url for page in asked}
    assert len({page.host for page in asked}) > 3
    distances = sorted(abs(page.relevance - threshold) for page in fetched.values())
    assert all(abs(page.relevance - threshold) <= distances[min(len(distances), 60) - 1] for page in asked)
