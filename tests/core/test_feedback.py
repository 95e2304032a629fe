"""Labels and a change of interest in mid-crawl: applied, kept, and the same after a kill."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.config import Config, configure
from clew.core.build import frontier
from clew.core.engine import Engine
from clew.core.simulation import run_simulation
from clew.core.state import CrawlState
from clew.errors import ConfigError, StartError, StoreError, StrategyError
from clew.labyrinth import Labyrinth, serving
from clew.labyrinth.process import Serving
from clew.store import Records, SqliteStore, write_labels
from clew.strategies import Stale, Strategy
from clew.testing.random_web import random_web
from clew.testing.tiny_web import Broken, TinyWeb, TinyWebFetcher, TinyWebInterest, url_of
from clew.types import Candidate, Page

LABYRINTH = Labyrinth(pages=600, seed=2)
WAITING = (
    "SELECT url FROM candidates WHERE reason = '' AND url NOT IN (SELECT url FROM pages) ORDER BY slot DESC LIMIT 1"
)
SEEDS = LABYRINTH.seeds("sailing", 3)
WORLD = random_web(pages=60, links=5, seed=3)
SAIL = "Sailing yachts and regattas: mast, keel, rudder, jib and mainsail. " * 20


@pytest.fixture(scope="module")
def web() -> Iterator[Serving]:
    with serving(LABYRINTH) as served:
        yield served


@dataclass
class LabelLover(Strategy):
    """Prefers links from pages that the user likes, and remembers every label."""

    learnt_labels: list[str] = field(default_factory=list, init=False)
    transferable = ("learnt_labels",)

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        self.learnt_labels.append(f"{page.url} {page.relevant} {relevant}")
        return (link.url for link in page.links)

    def value(self, candidate: Candidate) -> float:
        best = max((self._crawl.relevance(link.source) for link in candidate.links), default=0.0)
        return best + self._crawl.chance(candidate.url) / 10 + len(self.learnt_labels)


def explore(folder: Path, strategy: Strategy, left: int = 10**9, **more: object) -> None:
    """Begin or go on with a crawl of the tangle, for so many fetches."""
    seeds = [url_of(name) for name in list(WORLD.pages)[:3]]
    plain = {"parallel": 1, "delay": 0, "retries": 0, "commit_pages": 3, "threshold": 0.5, "checkpoint_seconds": 1000}
    plain["commit_seconds"] = 1000
    config = configure(Config(), **{"interest": "x", "seeds": seeds, **plain, **more})
    new = None if (folder / "crawl.db").exists() else config
    with SqliteStore(folder, new=new) as store:
        state = CrawlState(config, TinyWebInterest(WORLD), strategy, store, frontier(config, store))

        async def main() -> None:
            engine = Engine(state, TinyWebFetcher(WORLD, left), store)
            engine.resume(store)
            await engine.run()

        asyncio.run(main())


def visits(folder: Path) -> list[tuple[str, float, float, bool]]:
    with Records(folder) as records:
        agrees(records)
        return [(record.url, record.score, record.relevance, record.relevant) for record in records.pages()]


def fetched(folder: Path) -> list[str]:
    with Records(folder) as records:
        return [record.url for record in records.pages() if record.state == "fetched"]


def agrees(records: Records) -> None:
    """Numbers, curve and database tell the same story."""
    found = sum(record.relevant for record in records.pages())
    assert (records.stats().relevant, int(records.flags().sum())) == (found, found)


def settings(web: Serving, folder: Path, **more: object) -> dict[str, object]:
    return {"resolve": [web.resolve], "allow_private": True, "delay": 0, "folder": str(folder), **more}


def test_labels_reach_the_strategy_and_override_the_judge(tmp_path: Path) -> None:
    explore(tmp_path, LabelLover(), pages=20)
    *_, liked, disliked = fetched(tmp_path)
    write_labels(tmp_path, {liked: True, disliked: False})
    write_labels(tmp_path, {liked: False})
    write_labels(tmp_path, {liked: True})
    strategy = LabelLover()
    explore(tmp_path, strategy, pages=30)
    assert strategy.learnt_labels[:2] == [f"{liked} True True", f"{liked} False False"]
    assert strategy.learnt_labels[-1] == f"{disliked} False False"
    found = {url: (relevance, relevant) for url, _, relevance, relevant in visits(tmp_path)}
    assert (found[liked], found[disliked]) == ((1.0, True), (0.0, False))
    with Records(tmp_path) as records:
        assert len({label.taken for label in records.labels()}) == 1


@pytest.mark.parametrize("left", [1, 4, 8, 12])
def test_a_kill_after_labels_changes_nothing(tmp_path: Path, left: int) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    explore(whole, LabelLover(), pages=20)
    urls = fetched(whole)
    later = {url_of(name): True for name, spot in WORLD.pages.items() if not spot.location}
    later = {url: True for url in later if url not in urls}
    write_labels(whole, {urls[4]: False, urls[9]: True, **later})
    shutil.copytree(whole, killed)
    explore(whole, LabelLover(), pages=45)
    with pytest.raises(Broken):
        explore(killed, LabelLover(), left, pages=45)
    with pytest.raises(Broken):
        explore(killed, LabelLover(), left, pages=45)
    explore(killed, LabelLover(), pages=45)
    assert visits(whole) == visits(killed)
    with Records(whole) as one, Records(killed) as other:
        assert [label.taken for label in one.labels()] == [label.taken for label in other.labels()]
        applied = {label.url: label.taken for label in one.labels() if label.taken}
        orders = {record.url: record.order for record in one.pages()}
    assert all(applied[url] == orders[url] + 1 for url in later if url in orders and url in applied)
    assert len(applied) > 10


def test_a_label_from_another_process_reaches_a_running_crawl(web: Serving, tmp_path: Path) -> None:
    labels: list[str] = []

    def look(stats: clew.Stats) -> None:
        if stats.visited >= 30 and not labels:
            with Records(tmp_path) as records:
                labels.extend(record.url for record in list(records.pages(relevant=True))[:2])
            words = [sys.executable, "-m", "clew", "label", str(tmp_path), *labels, "no", "--quiet"]
            subprocess.run(words, check=True)

    clew.crawl("sailing", SEEDS, pages=80, watch=look, commit_pages=5, **settings(web, tmp_path))
    with Records(tmp_path) as records:
        agrees(records)
        assert all(label.taken and 30 <= label.taken < 80 for label in records.labels())
        assert [(r.relevance, r.relevant) for url in labels if (r := records.find(url))] == [(0.0, False)] * 2


def test_kill_9_after_labels_changes_nothing(web: Serving, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    often = {"parallel": 1, "commit_seconds": 0.02, "checkpoint_seconds": 5}
    clew.crawl("sailing", SEEDS, pages=30, strategy="best_first", **often, **settings(web, whole))
    with Records(whole) as records:
        waiting = [row[0] for row in records.store.db.execute("SELECT url FROM candidates WHERE reason = ''")]
    write_labels(whole, {url: n % 2 == 0 for n, url in enumerate([*fetched(whole), *waiting])})
    shutil.copytree(whole, killed)
    clew.resume(whole, pages=150)
    with Records(killed) as records:
        process = subprocess.Popen([sys.executable, "-m", "clew", "resume", str(killed), "--pages", "150", "--quiet"])
        while records.stats().visited < 60 and process.poll() is None:
            time.sleep(0.01)
        process.kill()
        process.wait()
        assert records.stats().visited >= 60
    clew.resume(killed, pages=150)
    assert visits(whole) == visits(killed)


def test_a_label_after_the_crawl_is_applied_at_once(web: Serving, tmp_path: Path) -> None:
    result = clew.crawl("sailing", SEEDS, judge="plain", pages=40, **settings(web, tmp_path))
    best = result.records.best(1)[0].url
    [label] = clew.label(tmp_path, best, False)
    assert (label.relevant, label.words) == (False, "labelled not relevant by you")
    explanation = clew.explain(tmp_path, best)
    assert explanation.label == label
    with Records(tmp_path) as records:
        agrees(records)
        assert records.stats().relevant == result.stats.relevant - 1
        assert records.stats().seconds <= result.stats.seconds
        assert records.reason == result.reason
        (waiting,) = records.store.db.execute(WAITING).fetchone()
    [later] = clew.label(tmp_path, waiting)
    assert (later.taken, later.words) == (None, "labelled relevant by you, not applied yet")
    assert clew.resume(tmp_path, pages=50).stats.pages == 50
    with Records(tmp_path) as records:
        agrees(records)


def test_a_label_on_a_redirect_is_one_on_its_target(web: Serving, tmp_path: Path) -> None:
    clew.crawl("sailing", SEEDS, pages=120, **settings(web, tmp_path))
    with Records(tmp_path) as records:
        found = {record.url: record for record in records.pages()}
    hop = next(r for r in found.values() if r.state == "redirected" and found.get(r.location, r).state == "fetched")
    [label] = clew.label(tmp_path, hop.url, True)
    assert label.taken is not None
    with Records(tmp_path) as records:
        assert records.find(hop.location).relevance == 1.0  # type: ignore[union-attr]
        assert records.label(hop.location) == label
        agrees(records)


def test_another_strategy_learns_the_labels_too(web: Serving, tmp_path: Path) -> None:
    clew.crawl("sailing", SEEDS, pages=20, strategy="shark", **settings(web, tmp_path))
    labels = {url: False for url in fetched(tmp_path)[:2]}
    clew.label(tmp_path, labels)
    clew.resume(tmp_path, strategy="adaptive", pages=21)
    assert learnt_by_adaptive(tmp_path) == (10, labels)


def learnt_by_adaptive(folder: Path) -> tuple[int, dict[str, bool]]:
    """How many visits adaptive has counted beyond those that there were, and the labels that it knows."""
    with Records(folder) as records:
        state = clew.core.feedback.state_of_folder(records.config, records.store)
        clew.core.checkpoint.replay(state, records.store)
        pages = sum(1 for _ in state.view.pages())
    return state.strategy.features.visits - pages, state.strategy.labels  # type: ignore[attr-defined]


def test_labels_keep_their_weight_after_another_interest_and_back(web: Serving, tmp_path: Path) -> None:
    clew.crawl("sailing", SEEDS, pages=30, **settings(web, tmp_path))
    labels = {url: n == 0 for n, url in enumerate(fetched(tmp_path)[:2])}
    clew.label(tmp_path, labels)
    assert learnt_by_adaptive(tmp_path) == (10, labels)
    clew.resume(tmp_path, interest="sailing OR golf", pages=32)
    assert learnt_by_adaptive(tmp_path) == (0, {})
    clew.resume(tmp_path, interest="sailing", pages=34)
    assert learnt_by_adaptive(tmp_path) == (10, labels)


@pytest.mark.parametrize("topic_model", ["linear", "hierarchy", "vocabulary"])
def test_labels_teach_a_topic_with_examples_and_pages_are_judged_again(
    web: Serving, tmp_path: Path, topic_model: str
) -> None:
    example, folder = tmp_path / "sail.txt", tmp_path / "crawl"
    example.write_text(SAIL)
    topics = {"boats": {"examples": [str(example)]}}
    threshold = 0.05 if topic_model == "vocabulary" else 0.3
    more = {"judge": "plain", "topic_model": topic_model, "pages": 60, "threshold": threshold}
    result = clew.crawl("boats", SEEDS, topics=topics, **more, **settings(web, folder))
    before = {record.url: record for record in result.records.pages() if record.state == "fetched"}
    wanted = [url for url in before if "sail" in before[url].title.lower()] or SEEDS
    clew.label(folder, dict.fromkeys(wanted[:3], True))
    with Records(folder) as records:
        agrees(records)
        after = {record.url: record for record in records.pages() if record.state == "fetched"}
        assert any(event == "judged again" for _, event, _ in records.journal())
    changed = [url for url in before if before[url].topics != after[url].topics]
    assert len(changed) > len(before) / 2
    assert all(after[url].relevance == 1.0 for url in wanted[:3])
    assert clew.resume(folder, pages=70).stats.pages == 70
    with Records(folder) as records:
        agrees(records)
        assert [event for _, event, _ in records.journal()].count("judged again") == 1


def test_resume_with_another_interest_judges_all_pages_again(web: Serving, tmp_path: Path) -> None:
    as_before: dict[str, Any] = {"judge": "plain", "threshold": "start-pages", "boilerplate": "keep"}
    clew.crawl("sailing", SEEDS, pages=60, parallel=1, **as_before, **settings(web, tmp_path))
    kept = [row[0] for row in visits(tmp_path)]
    labels = fetched(tmp_path)[0]
    clew.label(tmp_path, labels, False)
    with pytest.raises(StartError, match="quokka"):
        clew.resume(tmp_path, interest="quokka", pages=80)
    result = clew.resume(tmp_path, interest="sailing OR golf", pages=80)
    other = clew.configure(interest="sailing OR golf")
    with Records(tmp_path) as records:
        agrees(records)
        assert (records.config.what.interest, records.threshold) == ("sailing OR golf", result.threshold)
        judge = clew.core.build.build_interest(other, lambda place: []).at(result.threshold)
        for record in records.pages():
            if record.state == "fetched":
                assert record.relevance == judge.judge(records.doc(record)).relevance
        assert [record.url for record in records.pages()][: len(kept)] == kept
        assert records.label(labels) is None  # it was labels under another interest
    assert clew.resume(tmp_path, interest="sailing", pages=90).stats.pages == 90
    with Records(tmp_path) as records:
        agrees(records)
        assert (records.find(labels).relevance, records.label(labels).relevant) == (0.0, False)  # type: ignore[union-attr]


def test_a_folder_of_an_earlier_version_gets_its_table(web: Serving, tmp_path: Path) -> None:
    clew.crawl("sailing", SEEDS, pages=20, **settings(web, tmp_path))
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db, db:
        db.execute("DROP TABLE labels")
        db.execute("DELETE FROM meta WHERE name = 'judged'")
        db.execute(
            "UPDATE checkpoints SET data = CAST(replace(data, '\"others\"', '\"gone\"') AS BLOB) WHERE part = 'course'"
        )
    with Records(tmp_path) as records:
        assert records.labels() == []
        best = records.best(1)[0].url
    [label] = clew.label(tmp_path, best, False)
    assert label.taken == 20 or label.taken is not None
    with Records(tmp_path) as records:
        agrees(records)


def test_labels_need_a_crawl_and_an_address(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="not a crawl folder"):
        clew.label(tmp_path, "http://a.example/")
    with pytest.raises(ConfigError, match="not a web address"):
        clew.label(tmp_path, "mailto:me@a.example")


def test_another_interest_in_mid_simulation() -> None:
    """The strategy follows the new interest: what it now finds good lies behind the page that was worth nothing."""
    web = TinyWeb.read("a .9 -> a1 a2 a3; b .1 -> b1 b2 b3")
    new = TinyWebInterest(TinyWeb.read("a .1 -> a1 a2 a3; b .9 -> b1 b2 b3"))
    start = [url_of("a"), url_of("b")]
    plain = run_simulation(TinyWebFetcher(web), TinyWebInterest(web), start, strategy="best_first", pages=None)
    seen = run_simulation(
        TinyWebFetcher(web), TinyWebInterest(web), start, strategy="best_first", pages=None, interest_change=(3, new)
    )
    assert [url[-2:] for url in plain.order[2:]] == ["a1", "a2", "a3", "b1", "b2", "b3"]
    assert [url[-2:] for url in seen.order[2:]] == ["a1", "b1", "b2", "b3", "a2", "a3"]
    assert {record.url: record.relevance for record in seen.records}[url_of("b")] == 0.9
    assert seen.stats.relevant == sum(record.relevant for record in seen.records) == 1


def test_what_a_simulation_has_learnt_serves_the_next() -> None:
    web = random_web()
    first = run_simulation(TinyWebFetcher(web), TinyWebInterest(web), url_of(web.first), strategy=LabelLover(), pages=5)
    first.strategy.learnt_labels.append("a word")  # type: ignore[attr-defined]
    heir = LabelLover()
    run_simulation(
        TinyWebFetcher(web), TinyWebInterest(web), url_of(web.first), strategy=heir, pages=5, learned=first.learned
    )
    assert heir.learnt_labels == ["a word"]


def test_a_strategy_inherits_once(web: Serving, tmp_path: Path) -> None:
    earlier, folder = tmp_path / "earlier", tmp_path / "crawl"
    teacher = LabelLover()
    teacher.learnt_labels = ["a word"]
    clew.crawl("sailing", SEEDS, strategy=teacher, pages=8, **settings(web, earlier))
    heir = LabelLover()
    clew.crawl("sailing", SEEDS, strategy=heir, pages=8, learned_from=str(earlier), **settings(web, folder))
    assert heir.learnt_labels == ["a word"]
    assert clew.config.read(folder / "crawl.toml").what.learned_from == str(earlier)
    shutil.rmtree(earlier)
    heir = LabelLover()
    clew.resume(folder, strategy=heir, pages=12)
    assert heir.learnt_labels == ["a word"]


def test_a_crawl_that_was_killed_before_its_first_commit_inherits_when_it_begins(web: Serving, tmp_path: Path) -> None:
    teacher = LabelLover()
    teacher.learnt_labels = ["a word"]
    plain = settings(web, tmp_path / "new", learned_from=str(tmp_path / "earlier"))
    clew.crawl("sailing", SEEDS, strategy=teacher, pages=8, **settings(web, tmp_path / "earlier"))
    config = clew.configure(interest="sailing", seeds=SEEDS, strategy="test_feedback", **plain)
    SqliteStore(tmp_path / "new", new=config).close()
    heir = LabelLover()
    assert clew.resume(tmp_path / "new", strategy=heir, pages=8).stats.pages == 8
    assert heir.learnt_labels == ["a word"]


def test_a_state_that_cannot_be_inherited_is_refused_before_anything_is_created(web: Serving, tmp_path: Path) -> None:
    clew.crawl("sailing", SEEDS, strategy="shark", pages=5, **settings(web, tmp_path / "shark"))
    new = settings(web, tmp_path / "new")
    with pytest.raises(StoreError, match="not a crawl folder"):
        clew.crawl("sailing", SEEDS, strategy=LabelLover(), learned_from=str(tmp_path / "none"), **new)
    with pytest.raises(StrategyError, match="was crawled by shark"):
        clew.crawl("sailing", SEEDS, strategy=LabelLover(), learned_from=str(tmp_path / "shark"), **new)
    with pytest.raises(StrategyError, match="nothing to inherit"):
        clew.crawl("sailing", SEEDS, strategy="breadth_first", learned_from=str(tmp_path / "shark"), **new)
    with pytest.raises(StoreError, match="not a crawl folder"):
        clew.crawl("sailing", SEEDS, search_sources=[str(tmp_path / "none")], **new)
    assert not (tmp_path / "new").exists()


@dataclass
class Curious(Strategy):
    """Would like to search."""

    asked: list[str] = field(default_factory=list, init=False)

    def learn(self, page: Page) -> Stale:
        search_source = self._crawl.search_source
        self.asked += search_source.search("sailing", 3) if search_source else []
        return ()

    def value(self, candidate: Candidate) -> float:
        return 1.0

    @property
    def missing_input(self) -> str:
        return "" if self._crawl.search_source else "a search engine"


def lacking(messages: list[str]) -> list[str]:
    """What a crawl has to go on without."""
    parts = [text.partition(" goes on without ") for text in messages]
    return [what for _, found, what in parts if found]


def test_earlier_crawls_are_a_link_source_and_a_missing_one_is_reported(web: Serving, tmp_path: Path) -> None:
    messages: list[str] = []
    clew.crawl("sailing", SEEDS, strategy=Curious(), pages=8, notify=messages.append, **settings(web, tmp_path / "one"))
    assert lacking(messages) == ["a search engine"]
    with Records(tmp_path / "one") as records:
        assert ("lacks", "a search engine") in [entry[1:] for entry in records.journal()]
        known = {record.url for record in records.pages()}
    strategy = Curious()
    more = settings(web, tmp_path / "two", search_sources=[str(tmp_path / "one")], notify=messages.append)
    clew.crawl("sailing", SEEDS, strategy=strategy, pages=5, **more)
    assert lacking(messages) == ["a search engine"]
    assert strategy.asked
    assert set(strategy.asked) <= known


def test_explain_with_a_graph_and_after_a_kill(web: Serving, tmp_path: Path) -> None:
    """The strategy's own parts, asked of a web that is rebuilt from the checkpoint and the visits since."""
    clew.crawl("sailing", SEEDS, strategy="pagerank", pages=40, **settings(web, tmp_path))
    with Records(tmp_path) as records:
        (waiting,) = records.store.db.execute(WAITING).fetchone()
    explanation = clew.explain(tmp_path, waiting)
    assert (explanation.state, bool(explanation.parts), explanation.label) == ("queued", True, None)
    clew.label(tmp_path, waiting, False)
    label = clew.explain(tmp_path, waiting).label
    assert label is not None
    assert label.words == "labelled not relevant by you"


def test_a_yes_on_a_waiting_page_sends_the_crawl_there_next_and_a_no_drops_it(tmp_path: Path) -> None:
    explore(tmp_path, LabelLover(), pages=10)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db:
        waiting = [url for (url,) in db.execute(WAITING.replace("LIMIT 1", "LIMIT 4"))]
    wanted, unwanted, both, other = waiting
    before = len(visits(tmp_path))
    write_labels(tmp_path, {wanted: True, unwanted: False, both: False})
    write_labels(tmp_path, {both: True})
    explore(tmp_path, LabelLover(), pages=12)
    with Records(tmp_path) as records:
        assert {record.url for record in records.pages() if record.order in (before, before + 1)} == {wanted, both}
        dropped = records.find(unwanted)
        assert dropped is not None
        assert (dropped.state, dropped.reason) == ("out of scope", "you labelled it as not relevant")
    explore(tmp_path, LabelLover(), pages=200)
    assert unwanted not in [url for url, *_ in visits(tmp_path)]
    assert other in [url for url, *_ in visits(tmp_path)]


def test_a_dropped_page_comes_back_with_a_yes(tmp_path: Path) -> None:
    explore(tmp_path, LabelLover(), pages=10)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db:
        [(url,)] = db.execute(WAITING)
    write_labels(tmp_path, {url: False})
    explore(tmp_path, LabelLover(), pages=12)
    write_labels(tmp_path, {url: True})
    explore(tmp_path, LabelLover(), pages=13)
    assert fetched(tmp_path)[-1] == url
