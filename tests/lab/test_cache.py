from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from clew.errors import ConfigError
from clew.lab import cache


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def cached(name: str, place: str, content: str, computed: int = 0) -> int:
    """What the cache returns; `computed` if it had to be computed."""
    return int(cache.cached(name, (place,), (content,), lambda: {"n": np.array(computed)})["n"])


def test_the_same_place_keeps_only_its_latest_content(folder: Path) -> None:
    assert cached("web", "here", "old", computed=1) == cached("web", "here", "old", computed=2) == 1
    assert cached("web", "there", "other", computed=3) == 3
    assert cached("web-hard", "here", "old", computed=4) == 4
    assert len(list(folder.iterdir())) == 3
    assert cached("web", "here", "new", computed=5) == 5
    assert len(list(folder.iterdir())) == 3
    assert cached("web", "there", "other") == 3
    assert cached("web-hard", "here", "old") == 4


def test_the_same_content_elsewhere_is_not_computed_again(folder: Path) -> None:
    assert cached("web", "here", "same", computed=1) == cached("web", "there", "same", computed=2) == 1


def test_abandoned_unfinished_files_are_deleted(folder: Path) -> None:
    folder.mkdir()
    old, young = folder / "web-x.1.part", folder / "web-x.2.part"
    for path in (old, young):
        path.touch()
    os.utime(old, (time.time() - 2 * cache.ABANDONED_AFTER_SECONDS,) * 2)
    cached("web", "here", "now")
    assert not old.exists()
    assert young.exists()


def test_two_processes_at_once(folder: Path) -> None:
    code = """
import numpy as np
from clew.lab import cache
for version in range(40):
    found = cache.cached("web", ("here",), (version,), lambda: {"n": np.full(20_000, version)})
    assert (found["n"] == version).all()
"""
    both = [subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE) for _ in range(2)]
    for process in both:
        _, error = process.communicate()
        assert process.returncode == 0, error.decode()
    assert [path.suffix for path in folder.iterdir()] == [".npz"]


def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*: Is a directory"):
        cache.digest(tmp_path)
