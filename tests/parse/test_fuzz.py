from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.mark.slow
def test_mutated_pages_and_headers():
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "fuzz.py"), "2000"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "2000 cases without a crash or a hang" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("documents", "size"), [("1000", "20000"), ("20", "3000000")])
def test_repeated_markup_stays_within_bounds(documents: str, size: str):
    command = [sys.executable, str(BENCHMARKS / "fuzz_markup.py"), documents, "1", size]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert f"{documents} documents of {int(size):,} bytes, 0 faults" in done.stdout
