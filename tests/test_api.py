"""Whole crawls over real HTTP on loopback: the same order for the same seed, resumed, explained, refused."""

from __future__ import annotations

import asyncio
import inspect
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import clew
from clew import strategies
from clew.config import read
from clew.core import feedback
from clew.core.build import OwnParts
from clew.core.checkpoint import replay
from clew.core.examples import ExampleReader
from clew.errors import ConfigError, FolderInUse, InterestError, StartError, StoreError
from clew.labyrinth import Labyrinth, serving
from clew.labyrinth.process import Serving
from clew.store import SqliteStore
from clew.types import Fetched, Page

LABYRINTH = Labyrinth(pages=1000, seed=2)
WAITING = (
    "SELECT url FROM candidates WHERE reason = '' AND url NOT IN (SELECT url FROM pages) ORDER BY slot DESC LIMIT 1"
)
SEEDS = LABYRINTH.seeds("sailing", 3)


@pytest.fixture(scope="module")
def web() -> Iterator[Serving]:
    with serving(LABYRINTH) as served:
        yield served


def settings(web: Serving, folder: Path, **more: object) -> dict[str, object]:
    return {"resolve": [web.resolve], "allow_private": True, "delay": 0, "folder": str(folder), **more}


def visited(folder: Path) -> list[str]:
    records = clew.Records(folder)
    urls = [record.url for record in records.pages()]
    records.close()
    return urls


def test_a_crawl_brings_back_pages_with_their_reasons(web: Serving, tmp_path: Path) -> None:
    result = clew.crawl("sailing", SEEDS, strategy="shark", pages=120, **settings(web, tmp_path))
    assert result.reason == "fetched 120 pages"
    assert result.stats.pages == 120
    assert result.stats.relevant > 10
    records = result.records
    states = {record.state for record in records.pages()}
    assert {"fetched", "redirected"} <= states <= {"fetched", "failed", "redirected", "refused", "sitemap"}
    assert all(record.reason for record in records.pages() if record.state != "fetched")
    assert records.stats().pages == 120
    assert records.stats().relevant == result.stats.relevant
    assert "sail" in records.text(records.best(1)[0]).lower()
    records.close()


def test_robots_rules_are_obeyed(web: Serving, tmp_path: Path) -> None:
    clew.crawl("sailing", SEEDS, strategy="breadth_first", pages=300, **settings(web, tmp_path))
    records = clew.Records(tmp_path)
    states = {record.url: record.state for record in records.pages()}
    records.close()
    forbidden = [state for url, state in states.items() if LABYRINTH.forbidden(url)]
    assert forbidden
    assert set(forbidden) == {"refused"}


@pytest.mark.parametrize("strategy", ["best_first(n=4)", "random_order", "shark"])
def test_the_same_seed_gives_the_same_order_under_other_hash_seeds(web: Serving, tmp_path: Path, strategy: str) -> None:
    orders = []
    for hash_seed in ("0", "1", "2"):
        folder = tmp_path / hash_seed
        code = f"""
            import clew
            clew.crawl("sailing", {SEEDS}, strategy={strategy!r}, pages=60, parallel=1,
                       **{settings(web, folder)!r})
        """
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        subprocess.run([sys.executable, "-c", textwrap.dedent(code)], env=environment, check=True)
        orders.append(visited(folder))
    assert orders[0] == orders[1] == orders[2]


def test_a_stopped_crawl_goes_on_where_it_was(web: Serving, tmp_path: Path) -> None:
    one = settings(web, tmp_path / "one", parallel=1, strategy="shark")
    two = settings(web, tmp_path / "two", parallel=1, strategy="shark")
    clew.crawl("sailing", SEEDS, pages=80, **one)
    clew.crawl("sailing", SEEDS, pages=30, **two)
    result = clew.resume(tmp_path / "two", pages=80)
    assert visited(tmp_path / "one") == visited(tmp_path / "two")
    assert (result.stats.pages, result.threshold) == (80, clew.Records(tmp_path / "one").threshold)


def test_explain_shows_the_thread_and_the_parts_of_a_score(web: Serving, tmp_path: Path) -> None:
    clew.crawl("sailing", SEEDS, strategy="shark", pages=60, **settings(web, tmp_path))
    records = clew.Records(tmp_path)
    found = max(records.pages(relevant=True), key=lambda record: record.depth)
    told = clew.explain(tmp_path, found.url)
    assert (told.state, len(told.path)) == ("fetched", found.depth + 1)
    assert told.path[0].url in SEEDS
    assert told.path[-1].url == found.url
    (waiting,) = records.store.db.execute(WAITING).fetchone()
    parts = clew.explain(tmp_path, waiting)
    assert (parts.state, set(parts.parts) >= {"potential", "inherited"}) == ("queued", True)
    assert parts.record is not None
    assert parts.record.score == pytest.approx(parts.parts["potential"])
    assert parts.record.depth > 0
    assert set(told.parts) == set(parts.parts)  # of a visited page, as it is weighed now
    assert clew.explain(tmp_path, "http://nowhere.example/").state == "unknown"
    records.close()


def test_pages_reach_sinks(web: Serving, tmp_path: Path) -> None:
    taken: list[Page] = []

    class Everything(clew.Sink):
        pages = "all"

        def write(self, page: Page, doc: clew.Doc) -> None:
            taken.append(page)

    clew.crawl("sailing", SEEDS, pages=10, sinks=[Everything()], **settings(web, tmp_path))
    assert [page.order for page in taken] == sorted(page.order for page in taken)
    assert 0 < len(taken) <= 10
    assert all(page.ok for page in taken)


def test_private_addresses_are_refused_unless_allowed(web: Serving, tmp_path: Path) -> None:
    with pytest.raises(StartError, match="address"):
        clew.crawl("sailing", SEEDS, **settings(web, tmp_path, allow_private=False))


def test_a_crawl_that_cannot_begin_leaves_nothing_behind(web: Serving, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    with pytest.raises(StartError, match="quokka"):
        clew.crawl("quokka", SEEDS, judge="plain", threshold="start-pages", **settings(web, folder))
    assert not folder.exists()


def test_a_threshold_lets_a_crawl_start_off_topic(web: Serving, tmp_path: Path) -> None:
    result = clew.crawl("quokka", SEEDS, threshold=0.5, pages=10, **settings(web, tmp_path))
    assert (result.stats.visited, result.stats.relevant, result.threshold) == (10, 0, 0.5)


def test_bad_settings_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="interested"):
        clew.crawl("", ["http://a.example/"], folder=str(tmp_path / "x"))
    with pytest.raises(ConfigError, match="start page"):
        clew.crawl("sailing", [], folder=str(tmp_path / "x"))
    with pytest.raises(ConfigError, match="not a web address"):
        clew.crawl("sailing", ["mailto:me@a.example"], folder=str(tmp_path / "x"))
    assert not (tmp_path / "x").exists()


def test_a_folder_in_use_is_left_alone(web: Serving, tmp_path: Path) -> None:
    clew.crawl("sailing", SEEDS, pages=5, **settings(web, tmp_path))
    with SqliteStore(tmp_path), pytest.raises(FolderInUse):
        clew.resume(tmp_path)


def test_files_of_the_users_own_are_left_alone(web: Serving, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "mine.warc.gz").write_bytes(b"precious")
    (tmp_path / "crawl.toml").write_text("mine = true\n")
    with pytest.raises(StoreError, match="choose another folder"):
        clew.crawl("sailing", SEEDS, **settings(web, tmp_path))
    assert (tmp_path / "pages" / "mine.warc.gz").read_bytes() == b"precious"
    assert (tmp_path / "crawl.toml").read_text() == "mine = true\n"


def test_it_runs_where_an_event_loop_is_running(web: Serving, tmp_path: Path) -> None:
    async def notebook() -> int:
        return clew.crawl("sailing", SEEDS, pages=5, **settings(web, tmp_path)).stats.pages

    assert asyncio.run(notebook()) == 5


def test_a_mistake_in_the_settings_leaves_no_folder(web: Serving, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    with pytest.raises(ConfigError, match="resolve"):
        clew.crawl("sailing", SEEDS, **settings(web, folder, resolve=["nonsense"]))
    assert not folder.exists()


def test_examples_beside_the_settings_are_found_again(web: Serving, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "sail.txt").write_text("Sailing yachts and regattas: mast, keel, rudder, jib and mainsail. " * 20)
    (tmp_path / "my.toml").write_text('[topics.boats]\nexamples = ["sail.txt"]\n')
    monkeypatch.chdir(tmp_path)
    config = clew.config.read("my.toml")
    clew.crawl("boats", SEEDS, config=config, pages=5, threshold=0.1, **settings(web, tmp_path / "crawl"))
    monkeypatch.chdir("/")
    assert clew.resume(tmp_path / "crawl", pages=8).stats.pages == 8


def test_a_resumed_crawl_judges_by_the_examples_it_began_with(web: Serving, tmp_path: Path) -> None:
    example = tmp_path / "sail.txt"
    example.write_text("Sailing yachts and regattas: mast, keel, rudder, jib and mainsail. " * 20)
    topics = {"boats": {"examples": [str(example)]}}
    clew.crawl("boats", SEEDS, topics=topics, pages=5, threshold=0.1, **settings(web, tmp_path / "crawl"))
    example.unlink()
    assert clew.resume(tmp_path / "crawl", pages=8).stats.pages == 8


def test_examples_from_the_web_are_fetched_politely(tmp_path: Path) -> None:
    log = tmp_path / "requests.tsv"
    with serving(LABYRINTH, log=log) as web:
        host = SEEDS[0].split("/")[2]
        urls = [url for url in map(LABYRINTH.url, range(1000)) if url.split("/")[2] == host][:3]
        config = clew.configure(resolve=[web.resolve], allow_private=True, delay=0.3)
        with ExampleReader(config.fetch) as read:
            assert all(read(url)[0].terms for url in [*urls, *urls])
    asked = [line.split("\t") for line in log.read_text().splitlines()]
    assert [path for _, _, path in asked].count("/robots.txt") == 1
    times = [float(at) for at, _, path in asked if path != "/robots.txt"]
    assert len(times) == 3
    assert all(later - earlier > 0.25 for earlier, later in pairwise(times))


def test_a_predicate_that_fails_is_named_and_leaves_nothing(web: Serving, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "mine.py").write_text("def judge(doc):\n    raise ValueError('no idea')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InterestError, match="no start page can be judged: mine:judge raised ValueError: no idea"):
        clew.crawl('python("mine:judge")', SEEDS, **settings(web, tmp_path / "crawl"))
    assert not (tmp_path / "crawl").exists()


def test_status_of_a_running_crawl_tells_its_own_time(web: Serving, tmp_path: Path) -> None:
    looks = []

    def look(stats: clew.Stats) -> None:
        if stats.visited > 30 and not looks:
            with clew.Records(tmp_path) as records:
                looks.append(records.stats())

    clew.crawl("sailing", SEEDS, pages=60, watch=look, commit_pages=1, **settings(web, tmp_path))
    [seen] = looks
    assert seen.waiting > 100
    assert seen.visited / seen.seconds < 5000


NEXT = list(pairwise([*strategies.names(), strategies.names()[0]]))
ALIKE = [
    ("adaptive", "intelligent"),
    ("shark", "fish"),
    ("ariadne", "distiller"),
    ("adaptive", "adaptive(novelty=0.5)"),
]


@pytest.mark.parametrize(("before", "after"), [*NEXT, *ALIKE])
def test_resume_takes_another_strategy_by_name(web: Serving, tmp_path: Path, before: str, after: str) -> None:
    """Every strategy takes over from another one; some have states of the same name that mean something else."""
    clew.crawl("sailing", SEEDS, pages=5, strategy=before, **settings(web, tmp_path))
    assert clew.resume(tmp_path, strategy=after, pages=8).stats.pages == 8
    with clew.Records(tmp_path) as records:
        assert records.config.what.strategy == after


def test_another_strategy_scores_all_candidates_and_knows_the_pages(web: Serving, tmp_path: Path) -> None:
    clew.crawl("sailing", SEEDS, pages=20, strategy="breadth_first", **settings(web, tmp_path))
    shark = strategies.make("shark")
    with SqliteStore(tmp_path) as store:
        state = feedback.state_of_folder(read(tmp_path / "crawl.toml"), store, OwnParts(strategy=shark))
        replay(state, store)
        slots = state.frontier._table.queued()
        now = state.strategy.score(state.frontier.candidates(slots.tolist()))
        assert state.frontier._table.column("score")[slots] == pytest.approx(now)
        assert len(set(now)) > 5


def test_parameters_are_those_of_the_resumed_crawl() -> None:
    gentle = strategies.make("shark(gamma=0.1)")
    gentle.load(strategies.make("shark").save())
    assert gentle == strategies.make("shark(gamma=0.1)")


def test_a_full_disk_loses_nothing_that_was_committed(web: Serving, tmp_path: Path) -> None:
    """A limit on file sizes stands in for the disk's: the system refuses the write in the same place."""
    folder = tmp_path / "crawl"
    code = f"""
        import resource, signal, clew
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
        try:
            clew.crawl("sailing", {SEEDS}, pages=400, commit_seconds=0.05, **{settings(web, folder)!r})
        except clew.ClewError as error:
            print(type(error).__name__, error)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("StoreError no room left on the disk")
    assert "clew resume" in done.stdout
    kept = visited(folder)
    assert kept
    result = clew.resume(folder, pages=len(kept) + 60)
    assert visited(folder)[: len(kept)] == kept
    assert result.stats.pages == len(kept) + 60


def test_an_interrupt_stops_cleanly(web: Serving, tmp_path: Path) -> None:
    code = f"""
        import os, signal, clew
        sent = []
        def look(stats):
            if stats.visited >= 20 and not sent:
                sent.append(os.kill(os.getpid(), signal.SIGINT))
        result = clew.crawl("sailing", {SEEDS}, watch=look, pages=400, **{settings(web, tmp_path)!r})
        print(result.reason, result.stats.visited)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    reason, count = done.stdout.split()
    assert reason == "interrupted"
    assert len(visited(tmp_path)) >= int(count) >= 20
    assert clew.resume(tmp_path, pages=60).stats.pages >= 60


class Moody:
    """Fails in passing before it answers."""

    def __init__(self, failures: int) -> None:
        self.left = failures

    async def get(self, url: str) -> Fetched:
        if url.endswith("/a") and self.left:
            self.left -= 1
            return Fetched(url, 503, transient=True)
        return Fetched(url, 200, (("Content-Type", "text/html"),), b"<p>sailing</p><a href='/a'>a</a>")

    def pause(self, url: str) -> float:
        return 0.0

    async def close(self) -> None: ...


@pytest.mark.parametrize(("failures", "state"), [(2, "fetched"), (3, "failed")])
def test_passing_failures_are_tried_again(failures: int, state: str) -> None:
    seen = clew.simulate(Moody(failures), "sailing", seeds="http://w.example/", retries=2)
    assert [(record.url[-1], record.state) for record in seen.records] == [("/", "fetched"), ("a", state)]


def test_the_public_names_are_there() -> None:
    assert sorted(clew.__all__) == sorted(set(clew.__all__))
    assert all(hasattr(clew, name) for name in clew.__all__)
    assert not inspect.iscoroutinefunction(clew.crawl)


def test_without_start_pages_a_crawl_starts_at_the_examples_of_its_topics(web: Serving, tmp_path: Path) -> None:
    topics = {"boats": {"examples": SEEDS, "keywords": ["sailing"]}}
    told: list[str] = []
    clew.crawl("boats", topics=topics, pages=6, notify=told.append, **settings(web, tmp_path / "crawl"))
    assert visited(tmp_path / "crawl")[:3] == SEEDS
    assert told[0] == "no start pages were given: the crawl starts at the 3 examples of boats"
    assert clew.config.read_folder(tmp_path / "crawl").what.seeds == tuple(SEEDS)
    clew.crawl("boats", SEEDS[:1], topics=topics, pages=1, notify=told.append, **settings(web, tmp_path / "other"))
    assert visited(tmp_path / "other") == SEEDS[:1]
    assert sum(line.startswith("no start pages were given") for line in told) == 1


def test_examples_that_are_files_are_no_start_pages(tmp_path: Path) -> None:
    (tmp_path / "sail.txt").write_text("Sailing yachts and regattas. " * 20)
    topics = {"boats": {"examples": [str(tmp_path / "sail.txt")]}}
    with pytest.raises(ConfigError, match="the examples of the topics are no web pages"):
        clew.crawl("boats", topics=topics, folder=str(tmp_path / "crawl"))
    assert not (tmp_path / "crawl").exists()
