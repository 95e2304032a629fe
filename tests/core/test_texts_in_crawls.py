"""Texts and index of real crawls: complete, in step with the pages after a kill -9, and made later in old folders."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

import clew
from clew.labyrinth import Labyrinth, serving
from clew.store import Records

OLD_FOLDERS = sorted((Path(__file__).parents[1] / "fixtures" / "crawl_folders").iterdir())
KILLS = 4


def assert_in_step(folder: Path) -> None:
    """Each fetched page has a text, nothing else has one, and the index agrees with the texts."""
    with closing(sqlite3.connect(folder / "crawl.db")) as db:
        fetched = db.execute("SELECT \"order\" FROM pages WHERE state = 'fetched' ORDER BY 1").fetchall()
        assert db.execute("SELECT visit FROM texts ORDER BY 1").fetchall() == fetched
        # Raises an error if a word of a text is not in the index, or the other way round.
        db.execute("INSERT INTO text_index (text_index, rank) VALUES ('integrity-check', 1)")


def test_a_crawl_can_be_searched_at_once(tmp_path: Path) -> None:
    labyrinth = Labyrinth(pages=400, seed=5)
    with serving(labyrinth) as web:
        result = clew.crawl(
            "sailing",
            labyrinth.seeds("sailing", 3),
            pages=60,
            delay=0,
            resolve=[web.resolve],
            allow_private=True,
            folder=str(tmp_path / "crawl"),
        )
    assert_in_step(tmp_path / "crawl")
    with result.records as records:
        for relevant in (True, False):
            hits = records.search("sailing", relevant=relevant, limit=100)
            assert {hit.url for hit in hits} == _pages_with("sailing", records, relevant)
            assert len(hits) > 3


def _pages_with(word: str, records: Records, relevant: bool) -> set[str]:
    pages = [record for record in records.pages(relevant) if record.state == "fetched"]
    return {page.url for page in pages if word in re.findall(r"\w+", f"{page.title} {records.main_text(page)}".lower())}


@pytest.mark.slow
def test_texts_and_pages_agree_after_each_kill(tmp_path: Path) -> None:
    labyrinth = Labyrinth(pages=1500, seed=5)
    folder = tmp_path / "crawl"
    moment = random.Random(1)
    with serving(labyrinth) as web:
        where = ["--seeds", *labyrinth.seeds("sailing", 3), "--resolve", web.resolve, "--allow-private"]
        fast = ["--delay", "0", "--commit-seconds", "0.05", "--checkpoint-seconds", "0.4", "--quiet"]
        process = _start("crawl", "sailing", *where, *fast, "--pages", "600", "--folder", str(folder))
        for _ in range(KILLS):
            _wait_for_new_text(folder, process)
            time.sleep(moment.uniform(0, 0.2))
            assert process.poll() is None, "the crawl must be killed before it ends"
            process.send_signal(signal.SIGKILL)
            process.wait()
            assert_in_step(folder)
            process = _start("resume", str(folder), "--quiet")
        assert process.wait(120) == 0
    assert_in_step(folder)


def _start(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "clew", *arguments], env=dict(os.environ))


def _wait_for_new_text(folder: Path, process: subprocess.Popen[bytes]) -> None:
    before = _texts(folder)
    while process.poll() is None and _texts(folder) <= before:
        time.sleep(0.02)


def _texts(folder: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{folder}/crawl.db?mode=ro", uri=True)) as db:
            return int(db.execute("SELECT count(*) FROM texts").fetchone()[0])
    except sqlite3.OperationalError:  # not there yet
        return 0


@pytest.mark.parametrize("old", OLD_FOLDERS, ids=lambda path: path.name)
def test_folders_of_earlier_versions_get_their_index_when_they_are_searched(old: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(old, tmp_path / "crawl"))
    with Records(folder) as records:
        word = next(word for word in records.main_text(records.best(1)[0]).split() if word.isalpha() and len(word) > 4)
    assert clew.search(folder, word)
    assert_in_step(folder)
