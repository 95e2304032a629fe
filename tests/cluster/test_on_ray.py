"""Shards as Ray actors: real processes, real kills."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import clew
from clew.base.extras import installed
from clew.cluster import on_ray
from clew.cluster.crawl import LeadCrawl, Watched
from clew.cluster.on_ray import RayTeam, ray_team
from clew.cluster.plan import Plan
from clew.cluster.run import lead_of
from clew.config import configure
from clew.core.mail import Mail
from clew.core.stop import stop_rules
from clew.errors import ClewError, StartError
from clew.frontier import Frontier
from clew.store import Records
from clew.store.mailbox import Mailbox

# Not imported here: Ray reads its environment, with the token, when it is imported.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not installed("ray"), reason="Ray is not installed: pip install 'clew-crawler[cluster]'"),
    pytest.mark.filterwarnings("ignore"),  # Ray's own warnings
]
KILLS = 6


@pytest.fixture(autouse=True)
def no_leftovers() -> Iterator[None]:
    """Ray drops its processes without a look at how they ended: later tests should not be told of that."""
    yield
    gc.collect()


SEED = int(os.environ.get("CLEW_TEST_SEED", "7"))


def test_killed_actors_lose_nothing_and_make_nothing_twice(world: Any, look: Any, tmp_path: Path) -> None:
    print("seed", SEED)
    settings = world.settings(seeds=world.seeds)
    clew.crawl(folder=str(tmp_path / "one"), **settings)
    plan = Plan(configure(folder=str(tmp_path / "many"), shards=4, **settings))
    kills = asyncio.run(_crawl_with_kills(plan, Random(SEED)))
    assert kills >= 2
    assert look.visits(tmp_path / "many") == look.visits(tmp_path / "one")
    for folder in look.folders(tmp_path / "many"):
        with Records(folder) as records:
            assert Mailbox(records.store.db).waiting() == 0


@pytest.mark.parametrize(
    "without", [set(), {"numbers", "guests"}, {"outbox"}], ids=lambda names: "+".join(sorted(names)) or "all"
)
def test_kills_in_the_middle_of_commits(
    world: Any, look: Any, tmp_path: Path, without: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each shard dies inside a transaction, and between one and what follows it; without a safeguard it shows."""
    settings = world.settings(seeds=world.seeds)
    clew.crawl(folder=str(tmp_path / "one"), **settings)
    # Without an outbox it would never end.
    limits = {"minutes": 0.4} if "outbox" in without else {}
    plan = Plan(configure(folder=str(tmp_path / "many"), shards=4, **settings, **limits))
    monkeypatch.setattr(on_ray, "ShardActor", _killed_in_commits(without))
    restarts = asyncio.run(_crawl(plan))
    assert restarts >= (4 if "outbox" in without else 8)
    visits, wanted = look.visits(tmp_path / "many"), look.visits(tmp_path / "one")
    if "outbox" in without:
        assert visits.keys() < wanted.keys()
        return
    assert visits == wanted
    mine, theirs = look.inlinks(tmp_path / "many"), look.inlinks(tmp_path / "one")
    both = mine.keys() & theirs.keys()
    assert len(both) > 200
    assert all(mine[url] == theirs[url] for url in both) == (not without)


def _killed_in_commits(without: set[str]) -> type:
    """A shard that kills itself once inside the transaction of a commit, and once behind it."""

    class KilledActor(on_ray.ShardActor):
        def __init__(self, plan: Plan, number: int, names: str) -> None:
            super().__init__(plan, number, names)
            write, committed, rows = Mailbox.write, Mail.committed, Mail.rows
            commits = 0

            def die_once(moment: str) -> None:
                mark = plan.folder / f"killed-{number}-{moment}"
                if commits > 6 and not mark.exists():
                    mark.touch()
                    os.kill(os.getpid(), signal.SIGKILL)

            def write_and_die(box: Mailbox, *arguments: Any) -> None:
                nonlocal commits
                commits += 1
                write(box, *arguments)
                die_once("inside")

            def die_before(mail: Mail) -> None:
                die_once("behind")
                committed(mail)

            Mailbox.write, Mail.committed = write_and_die, die_before  # type: ignore[method-assign]
            if "outbox" in without:
                Mail.rows = lambda mail: replace(rows(mail), sent=())  # type: ignore[method-assign]
            if "numbers" in without:
                Mail._is_next = lambda mail, peer, number: True  # type: ignore[method-assign]
            if "guests" in without:
                Frontier.has_spoken = lambda frontier, guest: False  # type: ignore[method-assign]

    return KilledActor


async def _crawl(plan: Plan) -> int:
    plan.folder.joinpath("shards").mkdir(parents=True)
    with ray_team(plan) as team:
        crawl = LeadCrawl(team, lead_of(plan), Watched(rules=stop_rules(plan.config.until)))
        await asyncio.wait_for(crawl.main(), 300)
        return crawl.lead.restarts


class SlowRay:
    """Ray on a machine that is so busy that it does not start in time."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.running = 0

    def init(self, **settings: Any) -> None:
        if self.failures:
            self.failures -= 1
            raise Exception("The current node timed out during startup. This could happen because …")
        self.running += 1

    def shutdown(self) -> None:
        self.running = 0


class InterruptedRay(SlowRay):
    """Ray that is just starting when the user presses Ctrl-C."""

    def init(self, **settings: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)
        raise AssertionError("Ctrl-C has waited")


def test_ray_may_need_a_second_start() -> None:
    slow = SlowRay(1)
    on_ray._start(slow)
    assert slow.running == 1
    with pytest.raises(ClewError, match="Ray has not started in a minute"):
        on_ray._start(SlowRay(2))


def test_ctrl_c_need_not_wait_for_ray(world: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_ray, "_ray", lambda: InterruptedRay(0))
    with pytest.raises(StartError, match="interrupted before Ray had started: nothing was kept"):
        clew.crawl(folder=str(tmp_path / "crawl"), **world.settings(shards=2))
    assert not (tmp_path / "crawl").exists()


def test_a_crawl_is_stopped_and_resumed_and_keeps_its_budget(world: Any, look: Any, tmp_path: Path) -> None:
    lines: list[str] = []
    settings = world.settings(pages=40, shards=2)
    first = clew.crawl(folder=str(tmp_path / "crawl"), notify=lines.append, **settings)
    assert (first.reason, first.stats.pages) == ("fetched 40 pages", 40)
    assert any("Ray" in line for line in lines)
    more = clew.resume(tmp_path / "crawl", pages=90)
    assert (more.reason, more.stats.pages) == ("fetched 90 pages", 90)
    with more.records as records:
        assert records.stats().pages == 90
        assert len(
            {record.url for record in records.pages()}
        ) == records.stats().visited + records.stats().redirects + (records.stats().refused + records.stats().sitemaps)


async def _crawl_with_kills(plan: Plan, moments: Random) -> int:
    plan.folder.joinpath("shards").mkdir(parents=True)
    with ray_team(plan) as team:
        crawl = LeadCrawl(team, lead_of(plan), Watched(rules=stop_rules(plan.config.until)))
        killer = asyncio.create_task(_kill(team, crawl, moments))
        await asyncio.wait_for(crawl.main(), 300)
        killer.cancel()
        return crawl.lead.restarts


async def _kill(team: RayTeam, crawl: LeadCrawl, moments: Random) -> None:
    """At random moments, also in the middle of a commit."""
    while not any(report.is_running for report in crawl.lead.reports.values()):
        await asyncio.sleep(0.1)
    for _ in range(KILLS):
        await asyncio.sleep(moments.uniform(0.0, 1.0))
        process = await team.process(moments.randrange(4))
        if process:
            os.kill(process, signal.SIGKILL)


def test_a_machine_that_goes_and_comes_back(
    world: Any, look: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its shards wait for it, and mail for them waits; in the end every page was visited once."""
    settings = world.settings(seeds=world.seeds, delay=0.1)
    clew.crawl(folder=str(tmp_path / "one"), **settings)
    plan = Plan(configure(folder=str(tmp_path / "many"), shards=4, cluster="given", **settings))
    plan.folder.joinpath("shards").mkdir(parents=True)
    monkeypatch.setattr(on_ray, "_look", _look_on_its_own_disk())
    with two_machines(monkeypatch) as machines:
        plan = replace(plan, config=configure(plan.config, cluster=machines.address))
        outage = asyncio.run(_crawl_with_an_outage(plan, machines))
    assert outage.silent == outage.gone
    assert outage.waiting_mail > 0
    assert look.visits(tmp_path / "many") == look.visits(tmp_path / "one")


def _look_on_its_own_disk() -> Any:
    """As if each machine had a disk of its own, with the shards that were started there."""

    def look(folders: list[str]) -> tuple[list[int], list[str]]:
        import ray

        disk = ray.get_runtime_context().get_node_labels().get("disk", "first")
        folder = Path(folders[0])
        found = [int(path.parent.name) for path in Path(folder, "shards").glob("*/crawl.db")]
        # Shards are dealt out in turn, to two machines in the order in which Ray lists them.
        order = Path(folder, "machines").read_text().split() if found else []
        return [shard for shard in found if order[shard % 2] == disk], [""]

    return look


@contextmanager
def two_machines(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two nodes of Ray on this machine."""
    for name, value in (on_ray.LOCAL | {"RAY_AUTH_TOKEN": on_ray._token()}).items():
        monkeypatch.setenv(name, value)
    from ray.cluster_utils import Cluster

    usual = {"num_cpus": 2, "object_store_memory": on_ray.OBJECT_BYTES}
    cluster = Cluster(initialize_head=True, head_node_args={"include_dashboard": False, **usual})
    try:
        cluster.second = lambda: cluster.add_node(labels={"disk": "second"}, **usual)
        yield cluster
    finally:
        cluster.shutdown()


class Outage(NamedTuple):
    """What was seen while a machine was gone."""

    gone: set[int]  # the shards of that machine
    silent: set[int]
    waiting_mail: int


async def _crawl_with_an_outage(plan: Plan, machines: Any) -> Outage:
    second = machines.second()
    with ray_team(plan) as team:
        first_is_second = on_ray._places(on_ray._ray(), plan).nodes[0] == second.node_id
        plan.folder.joinpath("machines").write_text("second first" if first_is_second else "first second")
        gone = {0, 2} if first_is_second else {1, 3}
        crawl = LeadCrawl(team, lead_of(plan), Watched(rules=stop_rules(plan.config.until)))
        main = asyncio.create_task(crawl.main())
        while crawl.lead.stats().visited < 60:
            await asyncio.sleep(0.1)
        await asyncio.to_thread(machines.remove_node, second)
        await asyncio.sleep(2)
        heard = dict(crawl._heard_at)
        await asyncio.sleep(4)
        silent = {shard for shard, at in crawl._heard_at.items() if at == heard[shard]}
        waiting = sum(report.outbox for report in crawl.lead.reports.values())
        machines.second()
        await asyncio.wait_for(main, 120)
    return Outage(gone, silent, waiting)
