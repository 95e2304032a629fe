"""`clew recrawl` on a small labyrinth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.cli.main import main


@pytest.fixture
def folder(web: Any, tmp_path: Path) -> Path:
    assert web.crawl(tmp_path / "crawl", "--pages", "15", "--quiet") == 0
    return tmp_path / "crawl"


def test_it_tells_what_was_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["recrawl", str(folder), "--every", "0", "--pages", "5", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["visited"], result["changed"], result["unchanged"], result["reason"]) == (5, 0, 5, "5 visits")
    assert main(["recrawl", str(folder), "--every", "0"]) == 0
    assert "revisited, 0 changed, 0 new links (stopped: all due pages were visited)" in capsys.readouterr().out
    assert main(["status", str(folder)]) == 0
    assert "20, with 0 changes" in capsys.readouterr().out


def test_a_dry_run_asks_nobody(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["recrawl", str(folder), "--every", "0", "--dry-run", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert 0 < len(result) <= 15
    assert [page["value"] for page in result] == sorted((page["value"] for page in result), reverse=True)
    assert main(["recrawl", str(folder), "--every", "0", "--dry-run"]) == 0
    assert "pages due" in capsys.readouterr().out
    assert not (folder / "again").exists()


def test_wrong_limits(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["recrawl", str(folder), "--new", "2"]) == 1
    assert "share" in capsys.readouterr().err


def test_when_nothing_is_due_it_says_what_to_do(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["recrawl", str(folder)]) == 0
    assert "No page is due yet (--every 1)" in capsys.readouterr().out
