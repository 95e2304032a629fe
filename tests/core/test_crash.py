"""kill -9 at random moments: nothing committed is lost, nothing is visited twice, the order stays the same."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from clew.labyrinth import Labyrinth, serving

PAGES = 500
KILLS = 12


@pytest.mark.slow
def test_a_crawl_killed_many_times_ends_like_one_that_never_was(tmp_path: Path) -> None:
    labyrinth = Labyrinth(pages=1500, seed=5)
    with serving(labyrinth) as web:
        settings = _settings(labyrinth, web.resolve)
        _finish(_start("crawl", "sailing", *settings, "--folder", str(tmp_path / "whole")))
        kills = _crawl_with_kills(settings, tmp_path / "killed")
    assert kills >= 10
    assert _visits(tmp_path / "killed") == _visits(tmp_path / "whole")
    assert len(_visits(tmp_path / "whole")) >= PAGES
    for archive in sorted((tmp_path / "killed" / "pages").glob("*.warc.gz")):
        subprocess.run([Path(sys.executable).with_name("warcio"), "check", archive], check=True)


def _crawl_with_kills(settings: list[str], folder: Path) -> int:
    """Start, kill, resume until it ends by itself; how often it was killed."""
    moment = random.Random(1)
    process = _start("crawl", "sailing", *settings, "--folder", str(folder))
    seen, kills = 0, 0
    while kills < KILLS:
        seen = _wait_for_more_than(seen, folder, process)
        time.sleep(moment.uniform(0, 0.25))  # anywhere between two commits, in one, or in a checkpoint
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
        committed = _visits(folder)
        assert len({url for url, *_ in committed}) == len(committed)
        process = _start("resume", str(folder))
    _finish(process)
    return kills


def _settings(labyrinth: Labyrinth, resolve: str) -> list[str]:
    fast = ["--delay", "0", "--parallel", "1", "--commit-seconds", "0.1", "--checkpoint-seconds", "0.4"]
    where = ["--seeds", *labyrinth.seeds("sailing", 3), "--resolve", resolve, "--allow-private"]
    return [*where, *fast, "--pages", str(PAGES), "--strategy", "shark", "--quiet"]


def _start(*arguments: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONHASHSEED": "random"}
    return subprocess.Popen([sys.executable, "-m", "clew", *arguments], env=environment)


def _finish(process: subprocess.Popen[bytes]) -> None:
    assert process.wait(120) == 0


def _wait_for_more_than(seen: int, folder: Path, process: subprocess.Popen[bytes]) -> int:
    while process.poll() is None:
        if (count := len(_visits(folder))) > seen:
            return count
        time.sleep(0.02)
    return seen


def _visits(folder: Path) -> list[tuple[str, str, float, float]]:
    try:
        with closing(sqlite3.connect(f"file:{folder}/crawl.db?mode=ro", uri=True)) as db:
            return db.execute('SELECT url, state, relevance, score FROM pages ORDER BY "order"').fetchall()
    except sqlite3.OperationalError:  # not there yet
        return []
