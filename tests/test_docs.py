"""The docs say what is there: examples run, commands, strategies and folders are the real ones."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from clew import strategies
from clew.cli.commands import commands
from clew.config import SETTINGS, configure, read
from clew.core.build import OwnParts, build_parts
from clew.types import Doc

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()


def test_the_python_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (outcome.failed, outcome.attempted > 4) == (0, True)
    assert (tmp_path / "crawls" / "first" / "crawl.db").exists()


def test_every_flag_that_is_named_exists() -> None:
    flags = set(re.findall(r"--([a-z][a-z-]+)", README))
    others = {"facts", "format", "help", "hostile", "json", "world"}
    assert {flag.replace("-", "_") for flag in flags - others} <= set(SETTINGS)


def test_every_command_that_is_shown_exists() -> None:
    shown = set(re.findall(r"(?:\$ |`)clew ([a-z]+)", README))
    assert {"crawl", "status", "explain", "export"} <= shown <= set(commands())


def test_the_table_lists_every_strategy() -> None:
    assert set(re.findall(r"^\| \[(\w+)\]", README, re.M)) == set(strategies.names())


def test_the_topics_of_the_example_can_be_used(tmp_path: Path) -> None:
    [block] = re.findall(r"```toml\n(.*?)```", README, re.S)
    (tmp_path / "topics.toml").write_text(textwrap.dedent("  " + block.lstrip()))
    (tmp_path / "examples" / "sailing").mkdir(parents=True)
    (tmp_path / "examples" / "sailing" / "a.txt").write_text("sailing yachts")
    config = configure(read(tmp_path / "topics.toml"), interest="sailing")
    known = {place: [Doc(place, terms={"sail": 1})] for place in config.topics["sailing"].examples}
    assert build_parts(config, OwnParts(), known)[0].judge(Doc("x", terms={"sail": 1})).relevance > 0


def test_the_listing_of_the_folders_is_true() -> None:
    there = {p.name for p in (ROOT / "src/clew").iterdir() if p.name[0] not in "_." and p.suffix in ("", ".py")}
    listed = set(re.findall(r"^  ([a-z]+(?:\.py|/))", ARCHITECTURE.split("## Folders")[1].split("## The")[0], re.M))
    assert {name.rstrip("/") for name in listed} == there


def test_the_example_settings_can_be_used() -> None:
    config = read(ROOT / "examples" / "sailing.toml")
    interest, strategy, _ = build_parts(config, OwnParts())
    assert str(interest) == config.what.interest
    assert repr(strategy).startswith("Shark(")


def test_the_example_program_runs() -> None:
    program = ROOT / "examples" / "labyrinth.py"
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    blind, focused = (int(line.split()[1]) for line in done.stdout.splitlines()[:2])
    assert focused > blind
