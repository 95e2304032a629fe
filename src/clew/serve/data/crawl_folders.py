"""The crawl folders below the given roots; each has an id, so that no path of a request ever reaches the disk."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from clew.store.whole import databases

LOG: Final = "crawl.log"
"""What a crawl that the service has started prints; a folder with nothing else holds a crawl that never began."""
MAX_DEPTH: Final = 4  # folders below a root
MAX_FOLDERS: Final = 10_000  # that are looked at
MAX_CRAWLS: Final = 1_000
LOOK_SECONDS: Final = 1.0


class CrawlFolders:
    """The crawl folders below the roots; a root may be a crawl folder itself.

    Symbolic links are not followed: what lies elsewhere is not below the root.
    """

    def __init__(self, roots: Iterable[str | Path]) -> None:
        self.roots = [Path(root).resolve() for root in roots]
        self._found: dict[str, Path] = {}
        self._look_at = 0.0

    def all(self) -> dict[str, Path]:
        """Every crawl folder by its id, the latest first."""
        now = time.monotonic()
        if now >= self._look_at:
            self._look_at = now + LOOK_SECONDS
            folders = sorted(self._walk(), key=_changed_at, reverse=True)
            self._found = {crawl_id(folder): folder for folder in folders[:MAX_CRAWLS]}
        return self._found

    def find(self, crawl: str) -> Path | None:
        """The folder with this id; None if there is none below the roots."""
        folder = self._found.get(crawl)
        if folder is None:
            folder = self.all().get(crawl)
        return folder if folder and is_crawl(folder) else None

    def add(self, folder: Path) -> str:
        """The id of a folder that was just made."""
        crawl = crawl_id(folder)
        self._found = {crawl: folder, **self._found}
        return crawl

    @property
    def home(self) -> Path | None:
        """Where new crawls go: the first root that is not a crawl folder itself."""
        return next((root for root in self.roots if not is_crawl(root)), None)

    def _walk(self) -> Iterator[Path]:
        looked_at = 0
        waiting = [(root, 0) for root in reversed(self.roots) if root.is_dir()]
        while waiting and looked_at < MAX_FOLDERS:
            folder, depth = waiting.pop()
            looked_at += 1
            if is_crawl(folder):
                yield folder
            elif depth < MAX_DEPTH:
                waiting += [(below, depth + 1) for below in _folders_in(folder)]


def crawl_id(folder: Path) -> str:
    """A name that people recognise, and a few signs that make it unique.

    >>> crawl_id(Path("/tmp/crawls/Baltic Sea"))
    'baltic-sea-59667966'
    """
    name = re.sub(r"[^a-z0-9]+", "-", folder.name.lower()).strip("-")[:40]
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:8]
    return f"{name or 'crawl'}-{digest}"


def is_crawl(folder: Path) -> bool:
    """Whether a folder holds a crawl, or the log of one that never began."""
    return bool(databases(folder)) or (folder / LOG).is_file()


def _folders_in(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            found = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        # A folder that cannot be read has no crawls for this user.
        return []
    return [folder / name for name in sorted(found) if not name.startswith(".")]


def _changed_at(folder: Path) -> float:
    times: list[float] = []
    files = [folder / LOG]
    for path in databases(folder):
        files += [path, path.with_name(f"{path.name}-wal")]
    for file in files:
        try:
            times.append(file.stat().st_mtime)
        except OSError:
            continue
    return max(times, default=0.0)
