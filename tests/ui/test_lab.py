from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.ui.cli import main
from clew.ui.commands import lab

Capture = pytest.CaptureFixture[str]
WORLD = "labyrinth:300"


@pytest.fixture(autouse=True)
def nothing_recorded(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path_factory.getbasetemp() / "lab-cache"))
    monkeypatch.setenv("CLEW_WORLDS", str(tmp_path_factory.getbasetemp() / "no-worlds"))


def test_a_world_is_described(capsys: Capture) -> None:
    assert main(["lab", "worlds", WORLD]) == 0
    text = capsys.readouterr().out
    for part in ("pages", "hosts", "links", "reachable", "topics", WORLD, "share", "0 pages without a label"):
        assert part in text
    assert "smaller ones" in text


def test_worlds_for_machines(capsys: Capture) -> None:
    assert main(["lab", "worlds", "--json", WORLD]) == 0
    captured = capsys.readouterr()
    [world] = json.loads(captured.out)
    assert (world["world"], world["pages"]) == (WORLD, 300)
    assert 0 < world["reachable"] <= 1
    assert all(topic["share"] == topic["pages"] / 300 for topic in world["topics"])
    assert captured.err == ""


def test_names_only(capsys: Capture) -> None:
    assert main(["lab", "worlds", "--quiet"]) == 0
    assert capsys.readouterr().out == "labyrinth\n"


def test_bad_input_is_told(capsys: Capture, tmp_path: Path) -> None:
    assert main(["lab", "worlds", "labyrint"]) == 1
    assert "did you mean 'labyrinth'" in capsys.readouterr().err
    assert main(["lab"]) == 2
    assert main(["lab", "worlds", str(tmp_path)]) == 1
    assert "no WARC files" in capsys.readouterr().err


def test_progress_shows_only_what_takes_long(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    with lab.progress("piped") as tell:
        assert tell is None
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    for patience, shown in ((60.0, False), (-1.0, True)):
        monkeypatch.setattr(lab, "PATIENCE", patience)
        with lab.progress("a world") as tell:
            assert tell
            tell(1, 2)
        assert ("reading a world" in capsys.readouterr().err) is shown
    with lab.progress("json", silent=True) as tell:
        assert tell is None


def test_strategies_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, picture = tmp_path / "trials.csv", tmp_path / "curves.png"
    words = [
        "lab",
        "compare",
        "shark",
        "--world",
        "labyrinth:800",
        "--topics",
        "2",
        "--distance",
        "0",
        "--budget",
        "60",
        "--jobs",
        "1",
    ]
    assert main([*words, "-o", str(table), "--picture", str(picture)]) == 0
    shown = capsys.readouterr().out
    for part in ("area", "worst", "shark", "breadth_first"):
        assert part in shown
    assert len(table.read_text().splitlines()) == 1 + 4
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {rank["strategy"] for rank in told["ranking"]} == {"shark", "breadth_first"}
    areas = [rank["area"] for rank in told["ranking"]]
    assert areas == sorted(areas, reverse=True)
    assert len(told["trials"]) == 4
