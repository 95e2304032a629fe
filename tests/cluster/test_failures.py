"""What happens when a part of a crawl on several shards fails, and what it costs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from clew.cluster import crawl as lead_crawl
from clew.cluster.crawl import ShardFailed, Watched
from clew.cluster.engine import ShardEngine
from clew.cluster.inside import Inside
from clew.cluster.report import Report
from clew.errors import StoreError
from clew.store import Records
from clew.store.whole import shard_folders

FAILING = 1
SHARDS = 3


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], None]:
    """Lets one shard fail in a commit, after some visits."""

    def fail(error: Exception) -> None:
        commit = ShardEngine.commit

        def commit_or_fail(engine: ShardEngine, checkpoint: bool = False) -> None:
            if engine.mail.number == FAILING and engine.state.order > 5:
                raise error
            commit(engine, checkpoint)

        monkeypatch.setattr(ShardEngine, "commit", commit_or_fail)

    return fail


def test_a_full_disk_of_one_shard_stops_all_cleanly_and_the_crawl_goes_on(
    world: Any, inside: Any, look: Any, tmp_path: Path, failing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(StoreError(f"no space left in {tmp_path}/shards/1"))
    with pytest.raises(ShardFailed, match=r"no space left in .*shards/1"):
        inside(world.settings(pages=120), tmp_path, SHARDS)
    monkeypatch.undo()
    for number, folder in enumerate(shard_folders(tmp_path)):
        with Records(folder) as records:
            assert (records.reason == "") == (number == FAILING)
    outcome = inside(world.settings(pages=120), tmp_path, SHARDS)
    assert outcome.reason == "fetched 120 pages"
    assert sum(state == "fetched" for state, _ in look.visits(tmp_path).values()) == 120


def test_a_bug_in_one_shard_is_raised_where_the_crawl_was_started(
    world: Any, inside: Any, tmp_path: Path, failing: Any
) -> None:
    failing(ZeroDivisionError("of all things"))
    with pytest.raises(RuntimeError, match=r"shard 1 failed:\n(.|\n)*ZeroDivisionError: of all things"):
        inside(world.settings(pages=120), tmp_path, SHARDS)


def test_a_frozen_shard_keeps_its_ceiling_and_the_others_go_on(
    world: Any, inside: Any, look: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pages stay unvisited, its share of the budget too; the limit of time ends the crawl."""
    report = Inside.report

    async def report_or_freeze(team: Inside, shard: int, word: Any) -> Any:
        engine = team.shards[shard].engine if shard == FAILING and shard in team.shards else None
        if engine and engine.state.order > 5:
            # A process that hangs neither visits anything nor answers.
            engine.hold(True)
            return None
        return await report(team, shard, word)

    monkeypatch.setattr(Inside, "report", report_or_freeze)
    monkeypatch.setattr(lead_crawl, "SILENT_SECONDS", 1.0)
    outcome = inside(world.settings(minutes=0.1), tmp_path, SHARDS)
    assert outcome.reason == "ran for 0.1 minutes"
    by_shard = [sum(1 for _ in look.visits(folder)) for folder in shard_folders(tmp_path)]
    assert by_shard[FAILING] < min(by_shard[0], by_shard[2])


def test_a_shard_that_never_comes_back_does_not_hold_up_the_end(
    world: Any, inside: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit of time ends the crawl, and nobody forgets what the shard had found."""
    report = Inside.report

    async def report_or_restart(team: Inside, shard: int, word: Any) -> Any:
        engine = team.shards[shard].engine if shard == FAILING and shard in team.shards else None
        if engine and engine.state.order > 5 and not engine.reason:
            engine.hold(True)
            return Report(shard, life="another")
        return await report(team, shard, word)

    visited: list[int] = []
    monkeypatch.setattr(Inside, "report", report_or_restart)
    monkeypatch.setattr(lead_crawl, "SILENT_SECONDS", 1.0)
    watched = Watched(watch=lambda stats: visited.append(stats.visited))
    outcome = inside(world.settings(minutes=0.1), tmp_path, SHARDS, watched=watched)
    assert outcome.reason == "ran for 0.1 minutes"
    assert visited == sorted(visited)


def test_a_delivery_that_does_not_notice_its_end_holds_up_nothing(
    world: Any, inside: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `asyncio.wait_for` does in Python 3.11 when an answer comes just when it is cancelled."""

    async def post(team: Inside, to: int, sender: int, items: Any) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)

    monkeypatch.setattr(Inside, "post", post)
    assert inside(world.settings(pages=20), tmp_path, SHARDS).reason == "fetched 20 pages"


def test_a_parted_network_keeps_mail_until_it_is_whole_again(
    world: Any, inside: Any, look: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = Inside.post
    waiting: list[int] = []

    async def post_or_lose(team: Inside, to: int, sender: int, items: Any) -> Any:
        return await post(team, to, sender, items) if waiting else None

    async def heal(crawl: Any) -> None:
        while crawl.lead.stats().visited < 20 or not all(report.still for report in crawl.lead.reports.values()):
            await asyncio.sleep(0.1)
        waiting.append(sum(report.outbox for report in crawl.lead.reports.values()))

    monkeypatch.setattr(Inside, "post", post_or_lose)
    outcome = inside(world.settings(), tmp_path, SHARDS, user=heal)
    assert waiting
    assert waiting[0] > 3
    assert outcome.reason == "no candidates are left"
    inside(world.settings(), tmp_path.parent / "whole", SHARDS)
    assert look.visits(tmp_path) == look.visits(tmp_path.parent / "whole")
