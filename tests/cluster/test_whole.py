"""The folder of a crawl on several shards is read as one crawl."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import clew
from clew import config as settings_of
from clew.cli.main import main
from clew.config import configure
from clew.core.build import OwnParts
from clew.core.search_sources import build_search_source, online
from clew.errors import ConfigError
from clew.store import Records, whole


@pytest.fixture(scope="module")
def crawled(world: Any, inside: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "crawl"
    inside(world.settings(pages=80), folder, 3)
    settings_of.write(configure(folder=str(folder), shards=3, **world.settings(pages=80)), folder / "crawl.toml")
    return folder


def test_the_numbers_add_up(crawled: Path) -> None:
    with Records(crawled) as records:
        pages = list(records.pages())
        assert records.stats().pages == 80
        assert len({page.order for page in pages}) == len(pages)
        assert sum(visited for _, visited, _, _ in records.hosts(1000)) == records.stats().visited
        assert records.reason == "fetched 80 pages"
        assert [page.at for page in pages] == sorted(page.at for page in pages)
        assert len(records.flags()) == records.stats().visited
        assert [page.relevance for page in records.best(5)] == sorted((p.relevance for p in pages), reverse=True)[:5]


def test_pages_are_found_wherever_they_are_at_home(crawled: Path) -> None:
    with Records(crawled) as records:
        for record in records.best(5):
            assert records.find(record.url) == record
            assert len(records.text(record)) > 100
            steps = records.path(record.url)
            assert (steps[0].kind, steps[-1].url) == ("start", record.url)
        hits = records.search("sailing", limit=4)
        assert len(hits) == 4
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_page_is_explained_by_its_own_shard(crawled: Path) -> None:
    with Records(crawled) as records:
        url = records.best(1)[0].url
    explained = clew.explain(crawled, url)
    assert explained.state == "fetched"
    assert explained.parts["potential"] > 0
    assert clew.explain(crawled, "http://nowhere.example/").state == "unknown"


def test_a_label_goes_to_the_shard_of_the_page(crawled: Path) -> None:
    with Records(crawled) as records:
        record = records.best(3)[2]
    assert [label.is_applied for label in clew.label(crawled, record.url, False)] == [True]
    with Records(crawled) as records:
        found = records.find(record.url)
        assert found is not None
        assert not found.relevant
        assert records.stats().relevant == sum(1 for _ in records.pages(relevant=True))
    clew.label(crawled, record.url, True)


def test_more_shards_than_can_be_attached_are_read_all_the_same(crawled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Records(crawled) as records:
        attached = [(page.url, page.order) for page in records.pages()]
        reason, texts = records.reason, [records.text(page) for page in records.best(2)]
    monkeypatch.setattr(whole, "most_attached", lambda db: 2)
    with Records(crawled) as records:
        assert [(page.url, page.order) for page in records.pages()] == attached
        assert (records.reason, [records.text(page) for page in records.best(2)]) == (reason, texts)


def test_commands_read_it(crawled: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["status", str(crawled), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["stats"]["pages"] == 80
    for name in ("pages.jsonl", "pages.csv", "pages.warc.gz", "pages.wacz", "graph.graphml", "pages.md", "urls.txt"):
        assert main(["export", str(crawled), "--quiet", "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).stat().st_size > 500
    lines = (tmp_path / "pages.jsonl").read_text().splitlines()
    assert len(lines) == 80


def test_it_is_a_search_source_for_other_crawls(crawled: Path) -> None:
    source = build_search_source(configure(search_sources=[str(crawled)]), OwnParts())
    assert source is not None
    online(source)
    with Records(crawled) as records:
        assert set(source.search("sailing boat")) <= {record.url for record in records.pages()}
    assert len(source.search("sailing boat")) > 3


def test_status_says_which_shards_are_on_other_machines(
    crawled: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["status", str(crawled)]) == 0
    assert "elsewhere" not in capsys.readouterr().out
    for shard in (1, 2):
        (crawled / "shards" / str(shard)).rename(tmp_path / str(shard))
    try:
        assert main(["status", str(crawled)]) == 0
    finally:
        for shard in (1, 2):
            (tmp_path / str(shard)).rename(crawled / "shards" / str(shard))
    assert "elsewhere  shards 1, 2: not on this machine, and not counted" in capsys.readouterr().out


def test_what_cannot_be_done_says_so(crawled: Path) -> None:
    with pytest.raises(ConfigError, match="is one shard of a crawl; resume the whole"):
        clew.resume(crawled / "shards" / "1")
    with pytest.raises(ConfigError, match="has 3 shards"):
        clew.resume(crawled, shards=4)
    with pytest.raises(ConfigError, match="one shard of a crawl"):
        clew.recrawl(crawled / "shards" / "1")


def test_folders_of_crawls_without_shards_have_no_mail(tmp_path: Path, world: Any) -> None:
    clew.crawl(folder=str(tmp_path / "one"), **world.settings(pages=3))
    with sqlite3.connect(tmp_path / "one" / "crawl.db") as db:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    assert not names & {"inbox", "outbox", "peers"}
