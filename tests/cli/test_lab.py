from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clew.cli import progress
from clew.cli.main import main

Capture = pytest.CaptureFixture[str]
WORLD = "labyrinth:300"


@pytest.fixture(autouse=True)
def nothing_recorded(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path_factory.getbasetemp() / "lab-cache"))
    monkeypatch.setenv("CLEW_WORLDS", str(tmp_path_factory.getbasetemp() / "no-worlds"))


def test_a_world_is_described(capsys: Capture) -> None:
    assert main(["lab", "worlds", WORLD]) == 0
    text = capsys.readouterr().out
    for part in ("pages", "hosts", "links", "reachable", "topics", WORLD, "of all pages", "0 pages without a label"):
        assert part in text
    assert "smaller ones" in text


def test_a_world_without_topics_says_so(crawl_folder: Path, capsys: Capture) -> None:
    [archive] = (crawl_folder / "pages").glob("*.warc.gz")
    assert main(["lab", "worlds", str(archive)]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "no topics; to add some, put a file NAME.topics.json beside the WARC file or the crawl folder" in text
    assert "of all pages" not in text


def test_worlds_as_json(capsys: Capture) -> None:
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


def test_bad_input_is_reported(capsys: Capture, tmp_path: Path) -> None:
    assert main(["lab", "worlds", "labyrint"]) == 1
    assert "did you mean 'labyrinth'" in capsys.readouterr().err
    assert main(["lab"]) == 2
    assert main(["lab", "worlds", str(tmp_path)]) == 1
    assert "no WARC files" in capsys.readouterr().err


def test_progress_shows_only_what_takes_long(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    with progress.progress("piped") as tell:
        assert tell is None
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    for patience, shown in ((60.0, False), (-1.0, True)):
        monkeypatch.setattr(progress, "PROGRESS_AFTER_SECONDS", patience)
        with progress.progress("reading a world") as tell:
            assert tell
            tell(1, 2)
        assert ("reading a world" in capsys.readouterr().err) is shown
    with progress.progress("json", silent=True) as tell:
        assert tell is None


def compare(*more: str) -> int:
    words = ["lab", "compare", "shark", "--world", WORLD, "--topics", "2", "--distance", "0", "--budget", "30"]
    return main([*words, "--jobs", "1", *more])


def test_strategies_are_compared(tmp_path: Path, capsys: Capture) -> None:
    assert compare("-o", str(tmp_path / "out")) == 0
    shown = capsys.readouterr().out
    for part in ("area", "worst", "shark", "breadth_first", " against", "frontier", "unpacking", "report.html"):
        assert part in shown
    assert len((tmp_path / "out" / "trials.csv").read_text().splitlines()) == 1 + 4
    assert (tmp_path / "out" / "report.html").stat().st_size > 1000
    assert compare("--json", "--judge", "truth", "classifier") == 0
    result = json.loads(capsys.readouterr().out)
    assert [rank["strategy"] for rank in result["ranking"]].count("shark") == 2
    areas = [rank["area"] for rank in result["ranking"][:2]]
    assert areas == sorted(areas, reverse=True)
    assert (len(result["trials"]), len(result["pairs"]), result["failures"]) == (8, 2, [])
    assert set(result["cpu_ms"]["shark"]) == {"strategy", "frontier", "unpacking", "judging", "rest"}
    assert compare("--topics", "sports", "sailing", "--quiet") == 0
    assert capsys.readouterr().out.startswith("guided by the truth, 30 visits\nstrategy")


def test_an_experiment_is_run_from_its_file(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "sharks.toml"
    file.write_text(
        f'title = "Sharks"\nworlds = "{WORLD}"\ntopics = 2\nstarts = [0, 40]\nbudgets = 30\n'
        'strategies = ["breadth_first", {name = "gentle", spec = "shark(gamma=0.1)"}]\n'
    )
    assert main(["lab", "run", str(file), "--jobs", "1"]) == 0
    captured = capsys.readouterr()
    assert "Sharks\n4 crawls" in captured.out
    assert "breadth_first against" in captured.out
    assert "left out: labyrinth:300: no page lies 40 links from" in captured.err
    assert (tmp_path / "sharks" / "report.html").exists()
    assert main(["lab", "run", str(file), "--jobs", "1", "--json", "-o", str(tmp_path / "other")]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["report"] == str(tmp_path / "other" / "report.html")
    assert len(result["notes"]) == 2


def test_an_experiment_with_a_mistake(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "bad.toml").write_text(f'worlds = "{WORLD}"\nstrategies = "shark"\ntopics = ["sailling"]\n')
    assert main(["lab", "run", str(tmp_path / "bad.toml")]) == 1
    assert "there is no topic 'sailling'; did you mean 'sailing'" in capsys.readouterr().err
    assert main(["lab", "compare", "shark", "--judge", "truht"]) == 1
    assert "did you mean 'truth'" in capsys.readouterr().err
    assert not (tmp_path / "bad").exists()


def test_a_run_can_be_interrupted_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path / "cache"))
    words = f"lab compare shark best_first --world {WORLD} --topics 3 --budget 100 --jobs 2".split()
    command = [sys.executable, "-m", "clew", *words]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while running.poll() is None and not list((tmp_path / "cache").glob("trials/*/*.npz")):
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, result = running.communicate()
    assert running.returncode == 130, result
    assert result.strip() == "Interrupted. Finished crawls are kept: run the same command again to continue."
    kept = len(list((tmp_path / "cache").glob("trials/*/*.npz")))
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert kept > 0
    assert f"crawls ({kept} from the cache)" in done.stdout


def test_live_manners_are_compared(capsys: Capture) -> None:
    assert compare("--manners", "live", "live(patience=0)", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    conditions = {rank["condition"].partition("visits, ")[2] for rank in shown["ranking"]}
    assert conditions == {"manners live", "manners live(patience=0)"}
    assert all(trial["seconds"] > 0 for trial in shown["trials"])


def test_noise_is_shown_for_each_task(capsys: Capture) -> None:
    words = ["lab", "noise", "adaptive", "--world", WORLD, "--topics", "2", "--distance", "0", "--budget", "30"]
    assert main([*words, "--repeats", "2", "--jobs", "1"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("adapt") == 2
    assert "deviation" in shown
    assert main([*words, "--repeats", "2", "--jobs", "1", "--json"]) == 0
    assert [spread["repeats"] for spread in json.loads(capsys.readouterr().out)] == [2, 2]


def test_the_gate(tmp_path: Path, capsys: Capture) -> None:
    file, floors = tmp_path / "gate.toml", tmp_path / "floors.toml"
    file.write_text(
        f'worlds = ["{WORLD}", "webkb"]\ntopics = 2\nstarts = 0\nbudgets = 30\n'
        'strategies = ["shark", "breadth_first"]\n'
    )
    gate = ["lab", "gate", str(file), "--jobs", "1"]
    assert main(gate) == 1
    captured = capsys.readouterr()
    assert "skipped: the world webkb is not available" in captured.err
    assert "2 of 2 floors are not reached" in captured.err
    assert captured.out.count("no floor") == 2
    assert main([*gate, "--update"]) == 0
    assert main(gate) == 0
    assert capsys.readouterr().out.count("fine") == 4
    floors.write_text(re.sub(r"area = .*", "area = 0.99", floors.read_text()))
    assert main([*gate, "--json"]) == 1
    assert {row["verdict"] for row in json.loads(capsys.readouterr().out)} == {"missed"}
    before = floors.read_text()
    assert main([*gate, "--update"]) == 1
    assert "add --lower" in capsys.readouterr().err
    assert floors.read_text() == before
    assert main([*gate, "--lower"]) == 2
    assert main([*gate, "--update", "--lower"]) == 0
    assert main([*gate, "--quiet"]) == 0


def test_locality_is_shown_and_drawn(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "locality.png"
    assert main(["lab", "locality", WORLD, "--topics", "sailing", "comets", "-o", str(file)]) == 0
    text = capsys.readouterr().out
    for part in ("2 topics: sailing, comets", "links from a relevant page", "lift", "core", "islands", "elsewhere"):
        assert part in text
    assert file.read_bytes().startswith(b"\x89PNG")
    assert main(["lab", "locality", WORLD, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["topics"]) == 5
    parts = ("core", "into", "out_of", "tendrils", "islands")
    assert sum(found["bow_tie"][part] for part in parts) == pytest.approx(1.0)


def test_reactions_to_change_are_shown_and_drawn(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "change.svg"
    sizes = ["--change", "30", "--budget", "80"]
    assert main(["lab", "change", "shark", "best_first", "--world", WORLD, *sizes, "-o", str(file)]) == 0
    text = capsys.readouterr().out
    for part in ("drift: finds left", "40 % removed", "refocus", "labels", "reuse", "gain", "best_first"):
        assert part in text
    assert "<svg" in file.read_text()
    topics = ["--before", "sports", "--after", "science", "--kinds", "refocus"]
    assert main(["lab", "change", "shark", "--world", WORLD, *sizes, *topics, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["change"]["after"] == "science"
    assert set(found["strategies"][0]["reactions"]) == {"refocus"}
    assert main(["lab", "change", "shark", "--world", WORLD, "--change", "100", "--budget", "100"]) == 1
    assert "below --budget" in capsys.readouterr().err
