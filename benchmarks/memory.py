"""How much memory this process has taken at most."""

from __future__ import annotations

import re
import resource
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def peak_mb() -> float:
    """The peak of this program alone: on Linux, that of getrusage includes the process that started it."""
    found = re.search(r"VmHWM:\s+(\d+) kB", STATUS.read_text()) if STATUS.exists() else None
    if found:
        return int(found[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # In bytes on macOS, in kilobytes elsewhere.
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10


def resident_mb(process: int | None = None) -> float:
    """How much memory this process, or another one, holds now; its own peak where the system does not say."""
    status = Path(f"/proc/{process}/status") if process else STATUS
    found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else peak_mb()
