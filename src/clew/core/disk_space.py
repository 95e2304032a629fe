"""Whether the disk of a crawl folder has room left: a crawl stops before it is full."""

from __future__ import annotations

import shutil
from pathlib import Path

from clew.errors import StoreError


def shortage(folder: Path, min_free: float) -> str:
    """Say that the disk is nearly full: less than `min_free` megabytes are left; "" if there is room.

    >>> shortage(Path("/"), 0)
    ''
    """
    if not min_free:
        return ""
    free = shutil.disk_usage(_existing(folder)).free / 1e6
    if free >= min_free:
        return ""
    state = f"only {free:,.0f} MB are left on the disk of {folder}, less than {min_free:,.0f} (min_free)"
    return f"{state}: make room, or set a lower --min-free (0 switches it off)"


def require_room(folder: Path, min_free: float) -> None:
    """Refuse to begin on a disk that is nearly full."""
    if reason := shortage(folder, min_free):
        raise StoreError(reason)


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists already."""
    folder = folder.absolute()
    return next(path for path in (folder, *folder.parents) if path.exists())
