"""The examples work: the settings file can be used, the program runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from clew.config import read
from clew.core.build import OwnParts, build_parts

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_example_settings_can_be_used() -> None:
    config = read(EXAMPLES / "sailing.toml")
    interest, strategy, _ = build_parts(config, OwnParts())
    assert str(interest) == config.what.interest
    assert repr(strategy).startswith("Shark(")


def test_the_example_program_runs() -> None:
    program = EXAMPLES / "labyrinth.py"
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    blind, focused = (int(line.split()[1]) for line in done.stdout.splitlines()[:2])
    assert focused > blind
