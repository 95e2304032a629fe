"""Where the database of a crawl folder lies."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from clew.errors import StoreError

DATABASE: Final = "crawl.db"


def database_of(folder: Path) -> Path:
    """The database of a crawl folder; a folder without one is no crawl folder."""
    path = folder / DATABASE
    if not path.exists():
        raise StoreError(f"{folder} is not a crawl folder: it has no {DATABASE}")
    return path
