"""`clew tell`: orders to crawls that run, that are stopped, and that are killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.cli.main import main
from clew.core.rejudging import REJUDGING
from clew.errors import ConfigError
from clew.labyrinth import Labyrinth, serving
from clew.store import Records

Capture = pytest.CaptureFixture[str]
PATIENCE_SECONDS = 60.0


@pytest.fixture
def folder(web: Any, tmp_path: Path, capsys: Capture) -> Path:
    assert web.crawl(tmp_path / "c", "--pages", "15", "--quiet") == 0
    capsys.readouterr()
    return tmp_path / "c"


@pytest.fixture(scope="module")
def slow_web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[str], Path]]:
    """A labyrinth whose answers take a while, so that a crawl can be told something, and the log of its server."""
    labyrinth = Labyrinth(pages=3000, seed=2)
    log = tmp_path_factory.mktemp("slow") / "requests.log"
    with serving(labyrinth, delay=0.05, log=log) as server:
        fast = ["--delay", "0", "--parallel", "2", "--commit-seconds", "0.2", "--quiet", "--judge", "plain"]
        where = ["--seeds", *labyrinth.seeds("sailing", 3), "--resolve", server.resolve, "--allow-private"]
        yield [*where, *fast, "--strategy", "best_first"], log


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-m", "clew", *arguments], stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it never came to this"
        time.sleep(0.02)


def visits(folder: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{folder}/crawl.db?mode=ro", uri=True)) as db:
            return int(db.execute("SELECT count(*) FROM pages").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def is_taken(folder: Path, order: clew.Order) -> bool:
    with Records(folder) as records:
        return not next(each for each in records.orders() if each.id == order.id).is_waiting


def requests(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8").splitlines()


def waiting_hosts(folder: Path) -> dict[str, int]:
    """How many candidates wait on each host, the most first."""
    query = """SELECT url FROM candidates WHERE reason = '' AND url NOT IN (SELECT url FROM pages)"""
    counts: dict[str, int] = {}
    with Records(folder) as records:
        for (url,) in records.store.db.execute(query):
            name = url.split("/")[2]
            counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def test_a_running_crawl_pauses_goes_on_and_stops(slow_web: tuple[list[str], Path], tmp_path: Path) -> None:
    settings, log = slow_web
    folder = tmp_path / "c"
    with running("crawl", "sailing", *settings, "--folder", str(folder), "--pages", "2000") as process:
        wait_for(lambda: visits(folder) > 10)
        assert main(["tell", str(folder), "pause", "--quiet"]) == 0
        with Records(folder) as records:
            pause = records.orders()[0]
        wait_for(lambda: is_taken(folder, pause))
        time.sleep(0.5)  # what is in flight lands
        before = requests(log)
        time.sleep(1.5)
        assert requests(log) == before
        with Records(folder) as records:
            paused = records.stats()
        assert paused.paused
        go_on = clew.tell(folder, "go-on")
        wait_for(lambda: is_taken(folder, go_on))
        wait_for(lambda: len(requests(log)) > len(before))
        clew.tell(folder, "stop")
        assert process.wait(PATIENCE_SECONDS) == 0
    with Records(folder) as records:
        assert records.reason == "you told it to stop"
        assert [order.kind for order in records.orders()] == ["pause", "go-on", "stop"]
        assert all(order.taken is not None for order in records.orders())
        assert not records.stats().paused
        # The pause, of two seconds and more, does not count as time of the crawl.
        began, *_, ended = [at for at, event, _ in records.journal() if event in ("run", "stop")]
        assert records.stats().seconds < ended - began - 1.5


def test_a_denied_host_is_never_asked_again(slow_web: tuple[list[str], Path], tmp_path: Path) -> None:
    settings, log = slow_web
    folder = tmp_path / "c"
    with running("crawl", "sailing", *settings, "--folder", str(folder), "--pages", "150") as process:
        wait_for(lambda: visits(folder) > 20)
        host = next(iter(waiting_hosts(folder)))
        order = clew.tell(folder, "deny", host)
        wait_for(lambda: is_taken(folder, order))
        time.sleep(0.5)
        before = [line for line in requests(log) if host in line]
        assert process.wait(PATIENCE_SECONDS) == 0
    assert [line for line in requests(log) if host in line] == before
    with Records(folder) as records:
        assert host in records.config.scope.deny
        assert "candidates dropped" in records.orders()[0].effect


def test_limits_change_while_the_crawl_runs(slow_web: tuple[list[str], Path], tmp_path: Path) -> None:
    settings, _ = slow_web
    folder = tmp_path / "c"
    with running("crawl", "sailing", *settings, "--folder", str(folder), "--pages", "2000") as process:
        wait_for(lambda: visits(folder) > 5)
        clew.tell(folder, "limit", "pages=40", "parallel=1")
        assert process.wait(PATIENCE_SECONDS) == 0
    with Records(folder) as records:
        assert records.stats().pages == 40
        assert (records.config.until.pages, records.config.fetch.parallel) == (40, 1)


def test_another_interest_while_the_crawl_runs(slow_web: tuple[list[str], Path], tmp_path: Path) -> None:
    settings, _ = slow_web
    folder = tmp_path / "c"
    with running("crawl", "sailing", *settings, "--folder", str(folder), "--pages", "120") as process:
        wait_for(lambda: visits(folder) > 20)
        clew.tell(folder, "interest", "golf")
        clew.tell(folder, "threshold", "0.3")
        assert process.wait(PATIENCE_SECONDS) == 0
    with Records(folder) as records:
        assert [order.effect for order in records.orders()] == ["all pages are judged again"] * 2
        assert (records.config.what.interest, records.threshold) == ("golf", 0.3)
        # Every page, also those from before the orders.
        assert all(set(record.topics) == {"golf"} for record in records.pages() if record.state == "fetched")
        counted = sum(record.relevant for record in records.pages())
        assert records.stats().relevant == counted


def test_orders_are_taken_exactly_once_although_the_crawl_is_killed(
    slow_web: tuple[list[str], Path], tmp_path: Path
) -> None:
    settings, _ = slow_web
    folder = tmp_path / "c"
    told = [("limit", "pages=60"), ("deny", "ads.example"), ("seeds", "http://nowhere.labyrinth/"), ("pause",)]
    told += [("favour", "boats.example")]
    with running("crawl", "sailing", *settings, "--folder", str(folder), "--pages", "2000") as process:
        wait_for(lambda: visits(folder) > 5)
        # The process stands still while orders are written, and is killed before it can look at them.
        process.send_signal(signal.SIGSTOP)
        for order in told:
            assert clew.tell(folder, *order).is_waiting
        process.send_signal(signal.SIGKILL)
        process.wait()
    with Records(folder) as records:
        assert all(order.is_waiting for order in records.orders())
    assert subprocess.run([sys.executable, "-m", "clew", "resume", str(folder), "--quiet"]).returncode == 0
    with Records(folder) as records:
        states = [(order.kind, order.taken is not None, order.refused) for order in records.orders()]
        noted = [detail.split(":")[0] for _, event, detail in records.journal() if event == "order"]
        config = records.config
    over = "the run for which it was given is over"
    taken = [("limit", True, ""), ("deny", True, ""), ("seeds", True, "")]
    assert states == [*taken, ("pause", False, over), ("favour", True, "")]
    assert noted == ["limit pages=60", "deny ads.example", "seeds http", "pause", "favour boats.example"]
    assert config.until.pages == 60
    assert config.scope.deny == ("ads.example",)
    assert config.what.seeds.count("http://nowhere.labyrinth/") == 1


def test_waiting_pages_are_fetched_next_or_dropped(folder: Path, web: Any) -> None:
    with Records(folder) as records:
        head = records.head()
        visited = next(records.pages()).url
    last, other = head[-1].url, head[-2].url
    assert clew.tell(folder, "fetch", last).effect == "1 to be fetched next"
    assert clew.tell(folder, "drop", other, visited).effect == f"1 dropped; {visited} was visited: fetched"
    refused = clew.tell(folder, "fetch", "http://nowhere.example/", visited)
    assert refused.refused.startswith("http://nowhere.example/ was never seen (to add it: seeds)")
    with Records(folder) as records:
        first = records.head(1)[0]
        assert (first.url, first.reason) == (last, "you asked for it")
        assert other not in {entry.url for entry in records.head()}
        assert clew.explain(folder, other).reason == "you told the crawl to drop it"
    # A change of mind.
    assert clew.tell(folder, "fetch", other).effect == "1 to be fetched next"
    assert clew.tell(folder, "drop", last).effect == "1 dropped"
    clew.resume(folder, pages=16, parallel=1)
    with Records(folder) as records:
        order = [record.url for record in records.pages()]
    assert order[len(order) - 1] == other or other in order[-3:]
    assert last not in order


def test_a_favoured_host_comes_first_until_it_is_like_all_others_again(folder: Path) -> None:
    with Records(folder) as records:
        before = [entry.url for entry in records.head()]
        host = records.head()[-1].host
    effect = clew.tell(folder, "favour", host).effect
    with Records(folder) as records:
        favoured = [entry for entry in records.head() if entry.host == host]
        assert records.head()[: len(favoured)] == favoured
        assert {entry.reason for entry in favoured} == {"you favour its host"}
        waiting = next(found.waiting for found in records.hosts_now() if found.host == host)
    assert effect == f"{waiting} candidates of {host} come first"
    clew.resume(folder, pages=18, parallel=1)
    with Records(folder) as records:
        assert {record.host for record in list(records.pages())[-2:]} == {host}
        assert records.head()[0].host == host
    assert clew.tell(folder, "unfavour", host).effect == "no host is favoured"
    with Records(folder) as records:
        after = [entry.url for entry in records.head()]
        assert all(entry.score < 1e3 for entry in records.head())
    assert set(after) & set(before)


def test_a_blocked_host_is_a_denied_one(folder: Path) -> None:
    with Records(folder) as records:
        host = records.head()[0].host
    assert "candidates dropped" in clew.tell(folder, "block", f"http://{host}/some/page").effect
    with Records(folder) as records:
        assert records.config.scope.deny == (host,)
        assert host not in {entry.host for entry in records.head()}
    assert "readmitted" in clew.tell(folder, "allow", host).effect
    with pytest.raises(ConfigError, match="is no host"):
        clew.tell(folder, "block", "*.example.org")


def test_a_kill_in_the_middle_of_a_change_of_interest_repeats_nothing(
    slow_web: tuple[list[str], Path], tmp_path: Path
) -> None:
    settings, _ = slow_web
    folder = tmp_path / "c"
    with running("crawl", "sailing", *settings, "--folder", str(folder), "--pages", "2000") as process:
        wait_for(lambda: visits(folder) > 60)
        order = clew.tell(folder, "interest", "golf")
        wait_for(lambda: is_taken(folder, order))
        process.send_signal(signal.SIGKILL)
        process.wait()
    pages = str(visits(folder) + 10)
    assert (
        subprocess.run([sys.executable, "-m", "clew", "resume", str(folder), "--quiet", "--pages", pages]).returncode
        == 0
    )
    with Records(folder) as records:
        [taken] = records.orders()
        assert taken.taken is not None
        judged = [detail for _, event, detail in records.journal() if event == "judged again"]
        assert judged == ["begun, by golf", "all pages, by golf"]
        assert records.store.get(REJUDGING) == ""
        assert all(set(record.topics) == {"golf"} for record in records.pages() if record.state == "fetched")
        assert records.stats().relevant == sum(record.relevant for record in records.pages())


@pytest.mark.slow
def test_kills_at_any_moment_lose_no_order_and_repeat_none(slow_web: tuple[list[str], Path], tmp_path: Path) -> None:
    settings, _ = slow_web
    folder = tmp_path / "c"
    arguments = ["crawl", "sailing", *settings, "--folder", str(folder), "--pages", "2000"]
    for number in range(8):
        with running(*arguments) as process:
            before = visits(folder)
            wait_for(lambda before=before: visits(folder) > before + 3)
            clew.tell(folder, "deny", f"host{number}.example")
            # Before the look, during the checkpoint, or after it: looks are a second apart.
            time.sleep(0.15 * number)
            process.send_signal(signal.SIGKILL)
        arguments = ["resume", str(folder), "--quiet"]
    clew.tell(folder, "limit", "pages=10")
    with Records(folder) as records:
        noted = [detail for _, event, detail in records.journal() if event == "order" and detail.startswith("deny")]
        assert [order.refused for order in records.orders()] == [""] * 9
        assert all(order.taken is not None for order in records.orders())
        assert len(noted) == len(set(noted)) == 8
        assert records.config.scope.deny == tuple(f"host{number}.example" for number in range(8))


def test_what_was_told_holds_in_a_replay_after_a_kill(slow_web: tuple[list[str], Path], tmp_path: Path) -> None:
    settings, _ = slow_web
    whole = tmp_path / "whole"
    killed = tmp_path / "killed"
    more = ["--strategy", "ariadne(session=10, a=0.9, b=0.95)", "--parallel", "1", "--pages", "25"]
    assert main(["crawl", "sailing OR golf", *settings, *more, "--folder", str(whole)]) == 0
    host = next(iter(waiting_hosts(whole)))
    for order in (("deny", host), ("focus", "golf"), ("limit", "pages=50")):
        assert clew.tell(whole, *order).taken is not None
    shutil.copytree(whole, killed)
    assert main(["resume", str(whole), "--quiet"]) == 0
    with running("resume", str(killed), "--quiet") as process:
        before = visits(killed)
        wait_for(lambda: visits(killed) > before + 8)
        process.send_signal(signal.SIGKILL)
    assert 25 < visits(killed) < visits(whole)
    assert main(["resume", str(killed), "--quiet"]) == 0
    with Records(whole) as one, Records(killed) as other:
        assert [(r.url, r.score) for r in one.pages()] == [(r.url, r.score) for r in other.pages()]
        assert one.stats().focus == other.stats().focus == "golf"
        assert host not in {record.host for record in list(one.pages())[before:]}


def test_settings_survive_a_kill_between_commit_and_crawl_toml(folder: Path) -> None:
    written = (folder / "crawl.toml").read_text(encoding="utf-8")
    with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
        db.execute('INSERT OR REPLACE INTO meta VALUES (\'told settings\', \'{"pages": 18, "deny": ["a.example"]}\')')
    assert (folder / "crawl.toml").read_text(encoding="utf-8") == written
    with Records(folder) as records:
        assert (records.config.until.pages, records.config.scope.deny) == (18, ("a.example",))
    assert main(["resume", str(folder), "--quiet"]) == 0
    assert "pages = 18" in (folder / "crawl.toml").read_text(encoding="utf-8")
    # From now on the file counts: what is given later must not be undone.
    assert main(["resume", str(folder), "--pages", "19", "--quiet"]) == 0
    with Records(folder) as records:
        assert records.stats().pages == 19
        assert records.config.until.pages == 19


def test_a_stopped_crawl_takes_orders_at_once(folder: Path, capsys: Capture) -> None:
    host, count = next(iter(waiting_hosts(folder).items()))
    assert main(["tell", str(folder), "deny", host]) == 0
    assert f"{count:,} candidates dropped" in " ".join(capsys.readouterr().out.split())
    assert host not in waiting_hosts(folder)
    order = clew.tell(folder, "allow", host)
    assert order.effect == f"{count:,} readmitted"
    assert waiting_hosts(folder)[host] == count
    assert main(["tell", str(folder), "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [order["kind"] for order in listed] == ["deny", "allow"]
    assert listed[0]["state"].startswith("taken after visit ")


def test_start_pages_are_visited_next(folder: Path) -> None:
    host = list(waiting_hosts(folder))[-1]
    with Records(folder) as records:
        query = "SELECT url FROM candidates WHERE url LIKE ? AND url NOT IN (SELECT url FROM pages) ORDER BY slot DESC"
        url = records.store.db.execute(query, (f"http://{host}/%",)).fetchone()[0]
        visited = len(list(records.pages()))
    assert clew.tell(folder, "seeds", url).effect == "1 to be visited next"
    assert clew.tell(folder, "seeds", url).effect == "0 to be visited next, 1 visited or labelled before"
    assert main(["resume", str(folder), "--pages", "17", "--parallel", "1", "--quiet"]) == 0
    with Records(folder) as records:
        assert [record.url for record in records.pages()][visited] == url
        assert records.config.what.seeds.count(url) == 1


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (["pause"], "no crawl is running in this folder"),
        (["stop"], "no crawl is running in this folder"),
        (["focus", "sailing"], "the strategy adaptive has no focus; ariadne has one"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(
    folder: Path, capsys: Capture, given: list[str], reason: str
) -> None:
    assert main(["tell", str(folder), *given]) == 1
    assert f"refused: {reason}" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["pauze"], "there is no order 'pauze'; did you mean 'pause'?"),
        (["seeds"], "seeds needs an argument: clew tell FOLDER seeds URL..."),
        (["limit", "page=3"], "there is no limit 'page'; did you mean 'pages'"),
        (["limit", "pages=many"], "pages must be a whole number, not 'many'"),
        (["interest", "sailing AND ("], "sailing AND ("),
        (["interest", "sailing", "golf"], "put it in quotes"),
        (["pause", "please"], "pause takes no arguments"),
    ],
)
def test_mistakes_are_reported_at_once(folder: Path, capsys: Capture, given: list[str], message: str) -> None:
    assert main(["tell", str(folder), *given]) == 1
    assert message in capsys.readouterr().err
    with Records(folder) as records:
        assert records.orders() == []


def test_a_crawl_without_orders(folder: Path, capsys: Capture) -> None:
    assert main(["tell", str(folder)]) == 0
    assert "This crawl has no orders" in capsys.readouterr().err


def test_ariadne_follows_the_focus_that_its_user_names(web: Any, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "c"
    more = ["--strategy", "ariadne(session=10)", "--judge", "plain", "--threshold", "0.3", "--quiet"]
    assert main(["crawl", "sailing OR golf", *web.flags, "--folder", str(folder), "--pages", "15", *more]) == 0
    assert main(["tell", str(folder), "focus", "chess"]) == 1
    assert "there is no topic 'chess'" in " ".join(capsys.readouterr().out.split())
    assert clew.tell(folder, "focus", "golf").taken is not None
    assert main(["resume", str(folder), "--pages", "30", "--quiet"]) == 0
    with Records(folder) as records:
        assert records.stats().focus == "golf"
        [*_, change] = records.focus_changes()
        assert change.detail == "from sailing OR golf to golf: you told it so"
    capsys.readouterr()
    assert main(["status", str(folder)]) == 0
    assert "from sailing OR golf to golf: you told it so" in capsys.readouterr().out
    clew.tell(folder, "focus")
    with Records(folder) as records:
        assert records.stats().focus != "golf"
        assert records.focus_changes()[-1].detail.endswith("you took your focus back")


def test_a_folder_of_before_has_no_orders_and_takes_some(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
        db.execute("DROP TABLE orders")
    with Records(folder) as records:
        assert records.orders() == []
    assert clew.tell(folder, "limit", "pages=16").taken is not None
    assert os.path.exists(folder / "crawl.toml")
    with Records(folder) as records:
        assert records.config.until.pages == 16


def test_the_picture_marks_the_focus_and_the_orders(web: Any, tmp_path: Path) -> None:
    from clew.cli.summary import marks

    folder = tmp_path / "c"
    more = ["--strategy", "ariadne", "--judge", "plain", "--threshold", "0.3", "--quiet", "--pages", "12"]
    assert main(["crawl", "sailing OR golf", *web.flags, "--folder", str(folder), *more]) == 0
    clew.tell(folder, "focus", "golf")
    with Records(folder) as records:
        visited = records.stats().visited
        assert marks(records) == {visited: "focus golf: you told it so"}
    order = clew.tell(folder, "deny", "ads.example")
    with Records(folder) as records:
        assert marks(records)[order.taken or 0] == "deny ads.example"


def test_an_interest_that_fails_on_every_page_is_refused_and_changes_nothing(
    web: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "broken_part.py").write_text("def judge(doc):\n    raise ValueError('not today')\n")
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / "c"
    more = ["--judge", "plain", "--threshold", "0.3", "--quiet", "--pages", "15"]
    assert main(["crawl", "sailing", *web.flags, "--folder", str(folder), *more]) == 0
    with Records(folder) as records:
        before = [(record.url, record.relevance) for record in records.pages()]
    assert main(["tell", str(folder), "interest", 'python("broken_part:judge")']) == 1
    assert "not today" in capsys.readouterr().err
    with Records(folder) as records:
        [order] = records.orders()
        assert "not today" in order.refused
        assert records.config.what.interest == "sailing"
        assert [(record.url, record.relevance) for record in records.pages()] == before
    assert main(["resume", str(folder), "--pages", "18", "--quiet"]) == 0
    with Records(folder) as records:
        assert records.stats().pages == 18
