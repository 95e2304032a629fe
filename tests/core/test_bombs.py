from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BOMBS = Path(__file__).resolve().parents[2] / "benchmarks" / "bombs.py"


@pytest.mark.slow
def test_a_crawl_of_markup_bombs_needs_little_memory():
    done = subprocess.run([sys.executable, str(BOMBS), "40"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert "40 pages, 0 of them failed" in done.stdout
