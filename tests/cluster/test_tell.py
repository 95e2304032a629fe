"""A crawl on several shards is told things, running or stopped; each order is taken once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

import clew
from clew.cluster.crawl import LeadCrawl, Watched
from clew.cluster.inside import Weather
from clew.cluster.run import ShardedRun
from clew.config import read_folder
from clew.core.orders import STOPPED
from clew.errors import ConfigError, FolderInUse
from clew.store import Order, Records
from clew.store.folder import lock
from clew.store.home import home
from clew.store.whole import shard_folders

SHARDS = 3


class Script:
    """A user who says things while the crawl runs, each when a number of pages is reached."""

    def __init__(self, folder: Path, *orders: tuple[int, str, *tuple[str, ...]]) -> None:
        self.folder = folder
        self.orders = orders

    async def __call__(self, crawl: LeadCrawl) -> None:
        for pages, kind, *words in self.orders:
            while crawl.lead.stats().pages < pages:
                await asyncio.sleep(0.02)
            await asyncio.to_thread(clew.tell, self.folder, kind, *words)


def states(folder: Path) -> list[str]:
    with Records(folder) as records:
        return [f"{order}: {order.state}" for order in records.orders()]


def hosts(folder: Path) -> set[str]:
    with Records(folder) as records:
        return {record.host for record in records.pages()}


@pytest.fixture
def stopped(world: Any, inside: Any, tmp_path: Path) -> Path:
    inside(world.settings(pages=40), tmp_path, SHARDS)
    return tmp_path


def test_a_limit_is_the_leads_and_exact(world: Any, inside: Any, look: Any, tmp_path: Path) -> None:
    lines: list[str] = []
    user = Script(tmp_path, (10, "limit", "pages=90", "parallel=6"))
    settings = world.settings(pages=80, delay=0.2)
    outcome = inside(settings, tmp_path, SHARDS, user=user, watched=Watched(notify=lines.append))
    assert outcome.reason == "fetched 90 pages"
    assert sum(state == "fetched" for state, _ in look.visits(tmp_path).values()) == 90
    assert read_folder(tmp_path).until.pages == 90
    assert [read_folder(path).fetch.parallel for path in shard_folders(tmp_path)] == [2] * SHARDS
    [state] = states(tmp_path)
    assert state.startswith("limit pages=90 parallel=6: taken after visit")
    assert lines.count("order: limit pages=90 parallel=2") == 1


def test_a_lower_limit_ends_it_earlier(world: Any, inside: Any, tmp_path: Path) -> None:
    outcome = inside(
        world.settings(pages=300, delay=0.2), tmp_path, SHARDS, user=Script(tmp_path, (10, "limit", "pages=120"))
    )
    assert outcome.reason == "fetched 120 pages"


def test_a_pause_holds_all_shards_even_after_a_kill(world: Any, inside: Any, tmp_path: Path) -> None:
    counts: list[int] = []

    async def user(crawl: LeadCrawl) -> None:
        await Script(tmp_path, (20, "pause"))(crawl)
        while not crawl.lead.stats().paused:
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.3)
        counts.append(crawl.lead.stats().visited)
        await crawl.team.kill(1)  # type: ignore[attr-defined]
        await asyncio.sleep(2.0)
        with Records(tmp_path) as records:
            assert records.stats().paused
        counts.append(crawl.lead.stats().visited)
        await Script(tmp_path, (0, "go-on"))(crawl)

    outcome = inside(world.settings(pages=80, delay=0.2), tmp_path, SHARDS, user=user)
    assert outcome.reason == "fetched 80 pages"
    assert outcome.crawl.lead.restarts == 1
    # A killed shard has forgotten visits that were not committed.
    assert counts[1] <= counts[0] < 80
    assert [state.partition(" ")[0] for state in states(tmp_path)] == ["pause:", "go-on:"]


def test_it_stops_when_it_is_told_to(world: Any, inside: Any, tmp_path: Path) -> None:
    outcome = inside(world.settings(), tmp_path, SHARDS, user=Script(tmp_path, (20, "stop")))
    assert outcome.reason == STOPPED


@pytest.mark.parametrize("seed", [1, 2])
def test_each_order_is_taken_once_under_kills_and_lost_calls(
    world: Any, inside: Any, look: Any, tmp_path: Path, seed: int
) -> None:
    print("seed", seed)
    user = Script(tmp_path, (5, "limit", "delay=0.01"), (10, "deny", "sea.example"), (30, "seeds", *world.seeds))
    weather = Weather(lost_before=0.1, lost_after=0.1, chance=Random(seed))
    inside(world.settings(delay=0.02), tmp_path, SHARDS, weather, Random(seed), user)
    assert len(states(tmp_path)) == 3
    assert all("waiting" not in state for state in states(tmp_path))
    for path in shard_folders(tmp_path):
        with Records(path) as records:
            taken = [order.id for order in records.orders() if order.taken is not None]
            noted = [detail for _, event, detail in records.journal() if event == "order"]
            assert taken[:2] == [1, 2]
            # The journal is committed with the order: a second time would stand there.
            assert len(noted) == len(taken)
            assert records.config.fetch.delay == 0.01
            assert "sea.example" in str(records.config.scope.deny)


def test_what_is_about_urls_goes_to_their_homes(stopped: Path, inside: Any, world: Any) -> None:
    with Records(stopped) as records:
        waiting = [candidate.url for candidate in records.head()]
        names = sorted({candidate.host for candidate in records.head()})
    by_shard = [[url for url in waiting if home(url, SHARDS) == shard] for shard in range(SHARDS)]
    dropped, wanted = [urls[0] for urls in by_shard if urls], [urls[1] for urls in by_shard if len(urls) > 1]
    assert len(dropped) > 1
    assert clew.tell(stopped, "drop", *dropped).effect == "1 dropped"
    assert "to be fetched next" in clew.tell(stopped, "fetch", *wanted).state
    assert clew.tell(stopped, "favour", names[0]).state.endswith(f"of {names[0]} come first")
    assert "never seen" in clew.tell(stopped, "fetch", "http://nowhere.example/").refused
    for path in shard_folders(stopped):
        with Records(path) as records:
            heard = {word for order in records.orders() for word in order.words if word.startswith("http")}
        assert {home(url, SHARDS) for url in heard} <= {int(path.name)}
    inside(world.settings(pages=60), stopped, SHARDS)
    with Records(stopped) as records:
        visited = {record.url for record in records.pages()}
    assert not visited & set(dropped)
    assert visited >= set(wanted)


def test_a_host_is_blocked_in_the_shard_that_visits_it(stopped: Path, inside: Any, world: Any) -> None:
    with Records(stopped) as records:
        blocked = records.head(1)[0].host
        visited = sum(record.host == blocked for record in records.pages())
    order = clew.tell(stopped, "block", blocked)
    assert "candidates dropped" in order.effect
    inside({**world.settings(pages=80), "deny": list(read_folder(stopped).scope.deny)}, stopped, SHARDS)
    with Records(stopped) as records:
        assert sum(record.host == blocked for record in records.pages()) == visited


def test_a_shard_on_another_machine_hears_an_order_later(
    stopped: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for shard in range(SHARDS):
        (stopped / "shards" / str(shard)).rename(elsewhere / str(shard))
    assert clew.tell(stopped, "limit", "delay=3").state == "taken after visit 0"
    for shard in range(SHARDS):
        (elsewhere / str(shard)).rename(stopped / "shards" / str(shard))
    assert [state.partition(": ")[2] for state in states(stopped)] == ["waiting"]
    # Whatever comes next brings it along.
    clew.tell(stopped, "deny", "nowhere.example")
    assert [read_folder(path).fetch.delay for path in shard_folders(stopped)] == [3.0] * SHARDS
    assert all("taken after visit" in state for state in states(stopped))


def test_orders_to_a_run_are_refused_while_there_is_none(stopped: Path) -> None:
    assert clew.tell(stopped, "pause").refused == "no crawl is running in this folder"
    assert clew.tell(stopped, "focus", "sailing").refused == "the strategy shark has no focus; ariadne has one"
    with pytest.raises(ConfigError, match="one shard of a crawl"):
        clew.tell(stopped / "shards" / "1", "pause")


@pytest.mark.parametrize("running", [True, False])
def test_another_interest_has_one_threshold_in_all_shards(
    world: Any, inside: Any, tmp_path: Path, running: bool
) -> None:
    """That of the start pages of all shards, though some shards have none."""
    interest = "sailing AND boat"
    settings = world.settings(pages=100, delay=0.3, threshold="start-pages")
    user = Script(tmp_path, (10, "interest", interest)) if running else None
    inside(settings, tmp_path, SHARDS, user=user)
    before = 0.0 if running else _thresholds(tmp_path)[0]
    if not running:
        assert clew.tell(tmp_path, "interest", interest).effect == "all pages are judged again"
    one = clew.crawl(folder=str(tmp_path / "one"), **{**settings, "interest": interest, "pages": 10})
    thresholds = _thresholds(tmp_path)
    assert thresholds == [pytest.approx(one.threshold)] * SHARDS
    assert thresholds[0] != pytest.approx(before)
    assert read_folder(tmp_path).what.interest == interest
    with Records(tmp_path) as records:
        assert all(record.relevant == (record.relevance >= thresholds[0]) for record in records.best(1000))
    assert "is about volcanology" in clew.tell(tmp_path, "interest", "volcanology").refused
    assert _thresholds(tmp_path) == thresholds


def test_a_crawl_goes_on_with_another_interest(
    world: Any, inside: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with one process, and all shards judge by the same threshold."""
    inside(world.settings(pages=40), tmp_path, SHARDS)

    async def end(run: ShardedRun) -> str:
        assert run.plan.last_order == 4
        return "the end"

    monkeypatch.setattr(ShardedRun, "main", end)
    with pytest.raises(ConfigError, match="is about volcanology"):
        clew.resume(tmp_path, interest="volcanology", threshold="start-pages")
    assert read_folder(tmp_path).what.interest == "sailing"
    clew.resume(tmp_path, interest="opera", threshold=0.4)
    assert _thresholds(tmp_path) == [0.4] * SHARDS
    assert [order.kind for order in _orders(tmp_path) if not order.refused] == ["threshold", "threshold", "interest"]
    with Records(tmp_path) as records:
        assert records.config.what.interest == "opera"
        assert all(record.relevant == (record.relevance >= 0.4) for record in records.best(1000))
    with lock(tmp_path), pytest.raises(FolderInUse):
        clew.resume(tmp_path, interest="sailing")
    assert len(_orders(tmp_path)) == 4
    with pytest.raises(ConfigError, match="strategy of a crawl on several shards cannot be changed yet"):
        clew.resume(tmp_path, strategy="breadth_first")


def _orders(folder: Path) -> list[Order]:
    with Records(folder) as records:
        return records.orders()


def _thresholds(folder: Path) -> list[float]:
    found: list[float] = []
    for path in shard_folders(folder):
        with Records(path) as records:
            found.append(records.threshold)
    return found
