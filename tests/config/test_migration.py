"""Crawl folders of earlier versions open, explain, resume and export; `tests/fixtures/crawl_folders` holds some.

format-1-*: written when the tags of checkpoints were class names; *-killed: broken off, with visits to replay.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import clew
from clew.base import codec
from clew.cli.main import main
from clew.config import migration
from clew.core import feedback
from clew.core.checkpoint import replay
from clew.labyrinth import Labyrinth, serving
from clew.store import Records
from clew.strategies import make, names
from clew.strategies.adaptive import Adaptive

FIXTURES = Path(__file__).parents[1] / "fixtures" / "crawl_folders"
LABYRINTH = Labyrinth(pages=300, seed=5)
STOPPED = ("format-1-stopped", "format-2-stopped")


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    shutil.copytree(FIXTURES, tmp_path / "crawls")
    return tmp_path / "crawls"


def order(folder: Path) -> list[str]:
    with Records(folder) as records:
        return [record.url for record in records.pages()]


@pytest.mark.parametrize("name", [*STOPPED, "format-1-killed"])
def test_it_opens_and_explains(crawls: Path, name: str) -> None:
    with Records(crawls / name) as records:
        assert records.stats().visited in (40, 45)
        assert records.stats().pages == sum(record.state == "fetched" for record in records.pages())
        best = records.best(1)[0]
    explained = clew.explain(crawls / name, best.url)
    assert explained.state == "fetched"
    assert "chance" in explained.parts


@pytest.mark.parametrize("name", STOPPED)
def test_it_keeps_labels_and_resumes(crawls: Path, name: str) -> None:
    folder = crawls / name
    before = order(folder)
    with Records(folder) as records:
        assert [label.relevant for label in records.labels()] == [False]
    with serving(LABYRINTH) as web:
        result = clew.resume(folder, pages=60, resolve=[web.resolve])
    assert result.reason == "fetched 60 pages"
    assert order(folder)[: len(before)] == before


def test_a_killed_crawl_goes_on_where_it_was(crawls: Path) -> None:
    """Its judge is not that of today, so no crawl of today is like it; but a replay always restores the same."""
    folder = crawls / "format-1-killed"
    before = order(folder)
    # The folder names another one beside it.
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy)
    with serving(LABYRINTH) as web:
        results = [clew.resume(each, pages=80, resolve=[web.resolve]) for each in (folder, copy)]
    assert [result.reason for result in results] == ["fetched 80 pages"] * 2
    assert order(folder)[: len(before)] == before
    assert order(folder) == order(copy)
    with Records(folder) as records:
        assert (records.config.what.judge, records.config.what.threshold) == ("plain", "start-pages")


def test_a_crawl_killed_before_candidates_were_scored_in_slices_goes_on(crawls: Path) -> None:
    folder = crawls / "format-6-killed"
    before = order(folder)
    with serving(LABYRINTH) as web:
        assert clew.resume(folder, pages=60, resolve=[web.resolve]).reason == "fetched 60 pages"
    assert order(folder)[: len(before)] == before


def test_the_state_of_every_strategy_is_known_by_its_new_names() -> None:
    before = json.loads((FIXTURES.parent / "strategy_state_before.json").read_text())
    for name, old in before.items():
        learned = {field: {} for field in old} | {"experience": {"model": {"names": []}}}
        parts = {
            "format": b"2",
            "state": json.dumps({"strategy": name, "tally": {"visited": 0, "failed": 0}}).encode(),
            "strategy": codec.dumps(learned),
            **{f"filters/duplicates.{column}": b"" for column in ("prints", "numbers", "marks", "claims")},
        }
        migrated = migration.checkpoint(parts, names())
        now = json.loads(migrated["state"])["strategy"]
        fields = set(codec.loads(migrated["strategy"])) - {"experience"}
        made = make(now)
        # What a strategy has got since is declared by the strategy, and starts with its default.
        assert fields == set(made._saved()) - set(made.added_later), now


@pytest.mark.parametrize("name", STOPPED)
def test_what_the_strategy_has_learnt_is_not_lost(crawls: Path, name: str) -> None:
    with Records(crawls / name) as records:
        state = feedback.state_of_folder(records.config, records.store)
        replay(state, records.store)
        assert state.tally.pages == sum(record.state == "fetched" for record in records.pages())
    assert isinstance(state.strategy, Adaptive)
    assert len(state.strategy.model.visits) > 30
    assert state.strategy.model.weights is not None
    assert len(state.strategy.labels) == 1


@pytest.mark.parametrize("name", [*STOPPED, "format-1-killed"])
def test_it_exports(crawls: Path, tmp_path: Path, name: str) -> None:
    file = tmp_path / "pages.jsonl"
    assert main(["export", str(crawls / name), "--relevant", "-o", str(file), "--quiet"]) == 0
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    with Records(crawls / name) as records:
        assert [row["url"] for row in rows] == [record.url for record in records.pages(relevant=True)]
