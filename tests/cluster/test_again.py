"""A crawl on several shards is visited again and checked: one shard after the other, each for its own pages."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.cli.main import main
from clew.core.feedback import Offline, state_of_folder
from clew.core.page_update import add_new_links
from clew.errors import ConfigError
from clew.revisit.of_shards import SpeakingEngine
from clew.store import Records, open_folder
from clew.store.home import home
from clew.store.told_settings import settings_in
from clew.types import Link

SHARDS = 3


@pytest.fixture
def crawled(world: Any, inside: Any, tmp_path: Path) -> Path:
    inside(world.settings(pages=40, boilerplate="keep"), tmp_path, SHARDS)
    return tmp_path


def test_the_most_valuable_pages_of_all_shards_are_visited_again(crawled: Path) -> None:
    plan = clew.recrawl(crawled, dry_run=True, every=0).plan
    with Records(crawled) as records:
        assert len(plan) >= 40
        assert {page.url for page in plan} <= {record.url for record in records.pages()}
    result = clew.recrawl(crawled, every=0, pages=12)
    # A shard does not wait for a host while others are ready, so that only the numbers are sure.
    visited = Counter(home(visit.url, SHARDS) for visit in result.visits)
    assert visited == Counter(home(page.url, SHARDS) for page in plan[:12])
    assert (result.reason, [visit.status for visit in result.visits]) == ("12 visits", [200] * 12)
    with Records(crawled) as records:
        assert len(records.revisits()) == 12
        assert len({visit.id for visit in records.revisits()}) == 12
        newest = {record.url: record for record in records.newest()}
        assert all(len(records.text(newest[visit.url])) > 100 for visit in result.visits)
    with pytest.raises(ConfigError, match="leave out new"):
        clew.recrawl(crawled, new=0.5)


def test_links_that_a_page_has_got_since_reach_the_shard_of_their_target(
    crawled: Path, inside: Any, world: Any
) -> None:
    with Records(crawled) as records:
        away = next(record.host for record in records.pages() if home(record.url, SHARDS) == 1)
    target = f"http://{away}/news.html"
    with open_folder(crawled / "shards" / "0") as store:
        engine = SpeakingEngine(state_of_folder(settings_in(store), store), Offline(), store)
        engine.resume(store)
        engine.speak(store)
        record = next(iter(store.visits()))
        # The page says it twice, as in two versions.
        for _ in range(2):
            assert add_new_links(engine.state, record, (Link(record.url, target, "news"),), 1.0) == 0
            engine.commit(checkpoint=True)
    inside(world.settings(pages=70), crawled, SHARDS)
    with Records(crawled / "shards" / "1") as records:
        found = records.find(target)
        assert found is not None
        assert [step.url for step in records.path(target)][-1] == target
        [entry] = records.store.entries([found.slot]).values()
        assert [link.source for link in entry.links] == [record.url]
    with Records(crawled / "shards" / "0") as records:
        assert records.find(target) is None


def test_all_shards_are_checked(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(crawled), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    with Records(crawled) as records:
        assert found["pages"] == sum(1 for _ in records.pages())
    with sqlite3.connect(crawled / "shards" / "1" / "crawl.db") as db:
        db.execute('UPDATE pages SET key = key + 1 WHERE "order" = 2')
    assert main(["check", str(crawled)]) == 1
    assert "Shard 1: pages that cannot be found by their URL" in " ".join(capsys.readouterr().out.split())
    assert main(["check", str(crawled), "--repair"]) == 0
    assert main(["check", str(crawled)]) == 0
