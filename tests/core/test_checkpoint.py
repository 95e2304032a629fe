"""Checkpoints have fixed tags: what is missing or unknown is an error, never a silent loss."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import clew
from clew.errors import StoreError
from clew.labyrinth import Labyrinth, serving
from clew.store import Records

LABYRINTH = Labyrinth(pages=300, seed=5)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tags") / "crawl"
    with serving(LABYRINTH) as web:
        clew.crawl(
            "sailing",
            LABYRINTH.seeds("sailing", 2),
            pages=30,
            delay=0,
            resolve=[web.resolve],
            allow_private=True,
            folder=str(folder),
        )
    return folder


def _copy(folder: Path, to: Path) -> Path:
    to.mkdir()
    for path in folder.rglob("*"):
        target = to / path.relative_to(folder)
        if path.is_dir():
            target.mkdir()
        else:
            target.write_bytes(path.read_bytes())
    return to


def _restore(folder: Path) -> None:
    """The score of a page that waits is known to the strategy only."""
    with Records(folder) as records:
        url = records.head(1)[0].url
    assert clew.explain(folder, url).parts


def _change(folder: Path, statement: str) -> None:
    with sqlite3.connect(folder / "crawl.db") as db:
        # As another version would have written it: without checksums that tell of the change.
        db.execute("DELETE FROM checkpoints WHERE part = 'checksums'")
        assert db.execute(statement).rowcount > 0
    db.close()


def test_a_whole_checkpoint_loads(crawled: Path, tmp_path: Path) -> None:
    _restore(_copy(crawled, tmp_path / "copy"))


@pytest.mark.parametrize(
    "tag",
    [
        "strategy",
        "frontier/rows",
        "frontier/block.0",
        "frontier/hosts",
        "filters/url_rules.forms",
        "filters/duplicates.claims",
    ],
)
def test_a_missing_part_is_an_error(crawled: Path, tmp_path: Path, tag: str) -> None:
    folder = _copy(crawled, tmp_path / "copy")
    _change(folder, f"DELETE FROM checkpoints WHERE part = '{tag}'")
    with pytest.raises(StoreError, match=tag.rpartition("/")[2].rpartition(".")[2]):
        _restore(folder)


@pytest.mark.parametrize("tag", ["odd", "filters/odd.thing", "frontier/odd", "odd/part"])
def test_an_unknown_part_is_an_error(crawled: Path, tmp_path: Path, tag: str) -> None:
    folder = _copy(crawled, tmp_path / "copy")
    _change(folder, f"INSERT INTO checkpoints VALUES ('{tag}', x'00')")
    with pytest.raises(StoreError, match="odd"):
        _restore(folder)


def test_a_later_format_is_an_error(crawled: Path, tmp_path: Path) -> None:
    folder = _copy(crawled, tmp_path / "copy")
    _change(folder, "UPDATE checkpoints SET data = CAST('99' AS BLOB) WHERE part = 'format'")
    with pytest.raises(StoreError, match="format 99"):
        _restore(folder)
