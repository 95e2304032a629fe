"""Small soaks on the hostile labyrinth, by the program that does the long ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SOAK = Path(__file__).parents[1] / "benchmarks" / "soak.py"


@pytest.mark.slow
@pytest.mark.parametrize(
    "size", ["--pages 600 --dry 0 --kills 0", "--pages 0 --kills 0", "--pages 0 --dry 0 --kills 5"]
)
def test_a_soak_finds_no_fault(size: str) -> None:
    done = subprocess.run(
        [sys.executable, SOAK, *size.split()], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.stdout.endswith("no fault\n"), done.stdout + done.stderr
    assert done.returncode == 0
