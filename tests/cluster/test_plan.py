"""What cannot run on several shards is refused with one sentence; limits of the crawl are divided."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.cluster.places import disk_of
from clew.cluster.plan import Plan, with_absolute_sinks
from clew.cluster.run import ShardedRun
from clew.config import configure
from clew.errors import ConfigError
from clew.types import Doc, Page

CRAWL: dict[str, Any] = {"interest": "boats", "seeds": ["http://a.example/"], "shards": 4}


def _sink(page: Page, doc: Doc) -> None:
    raise AssertionError("nothing is crawled")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"strategy": "pagerank"},
            "with 4 shards the strategy pagerank cannot run, for it needs all pages in one place",
        ),
        ({"strategy": "best_first(n=8)"}, "best_first runs with n=1 only"),
        ({"sinks": [_sink]}, "sinks must be given by name, not as a Python object"),
        ({"community": True}, "community cannot be used"),
        ({"store": clew.MemoryStore()}, "each has its own crawl folder"),
    ],
)
def test_what_cannot_be_shared_is_refused(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("(", r"\(").replace(")", r"\)")):
        clew.crawl(folder=str(tmp_path / "crawl"), **{**CRAWL, **settings})
    assert not (tmp_path / "crawl").exists()


def test_a_cluster_without_shards_is_a_mistake() -> None:
    with pytest.raises(ConfigError, match="say how many"):
        clew.crawl(**{**CRAWL, "shards": 1}, cluster="auto")


def test_limits_of_the_whole_crawl_are_divided() -> None:
    plan = Plan(configure(folder="x", parallel=20, capacity=1000, **{**CRAWL, "shards": 3}))
    shard = plan.settings_of(1)
    assert (shard.fetch.parallel, shard.keep.capacity) == (6, 333)
    assert shard.keep.folder == "x/shards/1"
    # Nobody has said how many fetches there may be: each shard makes as many as a crawl usually does.
    assert Plan(configure(folder="x", **CRAWL)).settings_of(0).fetch.parallel == 16


def test_a_sink_writes_a_file_for_each_shard(world: Any, inside: Any, tmp_path: Path) -> None:
    inside(
        world.settings(pages=40, sinks=[f"jsonl(path='{tmp_path / 'found.jsonl'}', pages='all')"]), tmp_path / "c", 3
    )
    texts = [(tmp_path / f"found-{shard}.jsonl").read_text() for shard in range(3)]
    rows = [json.loads(line) for text in texts for line in text.splitlines()]
    assert len(rows) == len({row["url"] for row in rows}) == 40
    # A path is understood where the crawl is started, not where a shard runs.
    assert with_absolute_sinks(configure(sinks=["jsonl", "mine:Sink"])).keep.sinks == (
        f"jsonl(path='{Path('pages.jsonl').absolute()}')",
        "mine:Sink",
    )


def test_shards_fill_one_cache_and_read_it_and_read_an_earlier_crawl(
    world: Any, inside: Any, look: Any, tmp_path: Path
) -> None:
    cache = str(tmp_path / "cache")
    first = inside(world.settings(cache=[cache]), tmp_path / "first", 3)
    asked = first.crawl.lead.stats().visited - first.crawl.lead.stats().cached
    # With another number of shards, pages have other homes.
    for number, source in enumerate([cache, str(tmp_path / "first")]):
        folder = tmp_path / f"from-{number}"
        again = inside(world.settings(cache=[source]), folder, 2)
        stats = again.crawl.lead.stats()
        # Failures are tried again: they may have passed.
        assert stats.cached > 0.6 * asked
        assert look.visits(folder) == look.visits(tmp_path / "first")


class _Finder:
    """A search source in Python."""

    def __init__(self, *urls: str) -> None:
        self.urls = urls
        self.questions: list[str] = []

    def search(self, words: str, most: int) -> list[str]:
        self.questions.append(words)
        return list(self.urls)


def test_search_sources_are_asked_once_for_start_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[ShardedRun] = []

    async def end(run: ShardedRun) -> str:
        runs.append(run)
        return "the end"

    monkeypatch.setattr(ShardedRun, "main", end)
    finder = _Finder("http://found.example/")
    template = "http://127.0.0.1:1/?q={searchTerms}"
    clew.crawl("boats", shards=2, folder=str(tmp_path / "c"), search_sources=[finder, template])
    [run] = runs
    assert run.plan.config.what.seeds == ("http://found.example/",)
    assert finder.questions == ["boats"]
    assert run.plan.config.what.search_sources == (template,)
    assert run.plan.settings_of(0).what.search_sources == ()


def test_start_pages_are_counted_at_home_and_within_the_budget() -> None:
    seeds = [f"http://s{number}.example/" for number in range(20)]
    plan = Plan(configure(folder="x", interest="boats", seeds=seeds, shards=4, pages=12))
    assert sum(plan.start_pages()) == 12


def test_the_kind_of_a_disk_is_that_of_the_nearest_mount(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("/dev/a / ext4 rw 0 0\nserver:/x /data nfs4 rw 0 0\n")
    assert disk_of(Path("/data/crawls/new"), str(mounts)) == "nfs4"
    assert disk_of(Path("/home/x"), str(mounts)) == "ext4"
    assert disk_of(Path("/home/x"), str(tmp_path / "none")) == ""
