from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.cli import demo
from clew.cli.main import main
from clew.store import PathStep

Capture = pytest.CaptureFixture[str]


def steps(pattern: str) -> list[PathStep]:
    return [PathStep(f"http://x.example/{i}", relevant=mark == "+") for i, mark in enumerate(pattern)]


@pytest.mark.parametrize(("pattern", "length"), [("", 0), ("++", 0), ("+-+", 1), ("--+---+-+", 3)])
def test_the_longest_detour(pattern: str, length: int) -> None:
    assert demo.detour(steps(pattern)) == length


def test_an_earlier_show_is_kept(tmp_path: Path) -> None:
    folders = [demo.free_folder(tmp_path / "demo").name for _ in range(3)]
    assert folders == ["demo", "demo-2", "demo-3"]


def test_the_show(tmp_path: Path, capsys: Capture) -> None:
    words = ["demo", "--pages", "60", "--size", "1500", "--folder", str(tmp_path / "show")]
    assert main(words) == 0
    captured = capsys.readouterr()
    for part in ("Best pages", "Same web, same number of visits", "adaptive", "breadth_first", "harvest.png"):
        assert part in captured.out
    assert "clew crawl sailing" in captured.err
    assert "To try it yourself: clew labyrinth --pages 1500 --topic sailing" in captured.err
    assert (tmp_path / "show" / "harvest.png").exists()
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["folder"] == str(tmp_path / "show-2")
    assert data["crawls"].keys() == {"adaptive", "breadth_first"}
    assert data["crawls"]["adaptive"]["right"] > data["crawls"]["breadth_first"]["right"]
    assert len(data["best"]) == 10


@pytest.mark.parametrize(
    ("flags", "message"),
    [(("--strategy", "breadth_first"), "compared"), (("--topic", "sailin"), "sailing"), (("--size", "3"), "pages")],
)
def test_bad_flags_leave_nothing_behind(tmp_path: Path, capsys: Capture, flags: tuple[str, str], message: str) -> None:
    assert main(["demo", "--folder", str(tmp_path / "show"), *flags]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "show").exists()
