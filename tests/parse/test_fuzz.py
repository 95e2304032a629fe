from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).resolve().parents[2] / "benchmarks" / "fuzz.py"


@pytest.mark.slow
def test_mutated_pages_and_headers():
    done = subprocess.run([sys.executable, str(FUZZ), "2000"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "2000 cases without a crash or a hang" in done.stdout
