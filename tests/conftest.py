"""What all tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import settings

# A busy machine is no failure: tests do not assert times. The same examples each time, so that CI is no lottery.
settings.register_profile("clew", deadline=None, derandomize=True)
settings.load_profile("clew")


@pytest.fixture
def under_hash_seeds() -> Callable[[str], set[bytes]]:
    """What a program prints, once for each different output under three hash seeds."""

    def run(program: str) -> set[bytes]:
        return {
            subprocess.run(
                [sys.executable, "-c", program],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            ).stdout
            for seed in "123"
        }

    return run
