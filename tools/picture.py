"""Draws the picture of the README: runs `clew demo` and keeps its curves as docs/assets/demo.png.

python tools/picture.py
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from clew.cli.main import main as clew

TARGET = Path(__file__).resolve().parents[1] / "docs" / "assets" / "demo.png"


def main() -> int:
    """Crawl the labyrinth twice and keep the picture."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "demo"
        if code := clew(["demo", "--folder", str(folder)]):
            return code
        TARGET.parent.mkdir(exist_ok=True)
        shutil.copy(folder / "harvest.png", TARGET)
    return 0


if __name__ == "__main__":
    sys.exit(main())
