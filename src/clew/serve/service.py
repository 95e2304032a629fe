"""What the service knows: the folders it may show, who may ask, and with which settings it starts crawls."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from clew.base.clean_text import clean
from clew.config import Config
from clew.errors import ClewError, ConfigError
from clew.serve import data, inbox, starting
from clew.serve.data.summary import unreadable
from clew.serve.problems import Problem
from clew.serve.settings_schema import allowed_settings
from clew.store import Records
from clew.store.whole import databases

NO_HOME: Final = (
    "this service shows single crawls and has no folder for new ones; "
    "start it with a folder of crawls: clew serve crawls"
)
RESUMABLE: Final = ("pages", "visits", "minutes", "megabytes", "relevant", "irrelevant", "drought", "parallel", "delay")


@dataclass
class Service:
    """The crawls below some folders; each method does one thing that users ask for."""

    folders: data.CrawlFolders
    base: Config = field(default_factory=Config)  # settings of the crawls that are started here
    counts: dict[str, int] = field(default_factory=dict)  # answers, by status
    is_over: bool = False  # whether the service is about to end
    _starting: threading.Lock = field(default_factory=threading.Lock)

    def folder(self, crawl: str) -> Path:
        """The folder of a crawl; a Problem if there is none with this id."""
        folder = self.folders.find(crawl)
        if folder is None:
            raise Problem(HTTPStatus.NOT_FOUND, f"there is no crawl {clean(crawl, 100)!r}; GET /api/crawls lists them")
        return folder

    @contextmanager
    def records(self, crawl: str) -> Iterator[Records]:
        """The reader of a crawl."""
        folder = self.folder(crawl)
        if not databases(folder):
            raise Problem(HTTPStatus.CONFLICT, "this crawl has not begun: it has no pages yet")
        with Records(folder) as records:
            yield records

    def crawls(self) -> dict[str, Any]:
        """All crawls."""
        items = [self._brief(folder) for folder in self.folders.all().values()]
        return {"items": items, "can_start": self.folders.home is not None}

    def start(self, settings: Mapping[str, Any], name: str = "") -> dict[str, Any]:
        """Start a crawl with these settings; it survives this process."""
        home = self.folders.home
        if home is None:
            raise Problem(HTTPStatus.CONFLICT, NO_HOME)
        config = allowed_settings(settings, self.base)
        # One at a time: two crawls for the same interest must not choose the same folder.
        with self._starting:
            folder = starting.start(home, config, name)
        self.folders.add(folder)
        return self._brief(folder)

    def resume(self, crawl: str, limits: Mapping[str, Any]) -> dict[str, Any]:
        """Let a crawl that is stopped go on, perhaps with other limits."""
        folder = self.folder(crawl)
        if unknown := next((name for name in limits if name not in RESUMABLE), None):
            raise ConfigError(f"{unknown} cannot be changed here; only {', '.join(RESUMABLE)} can")
        flags: list[str] = []
        for name, value in limits.items():
            flags += [f"--{name}", "none" if value is None else str(value)]
        inbox.wait_for(folder)
        starting.resume(folder, flags)
        return self._brief(folder)

    def order(self, crawl: str, kind: str, words: list[str]) -> dict[str, Any]:
        """Give an order; what it is then."""
        folder = self.folder(crawl)
        order = inbox.give_order(folder, kind, words)
        with self.records(crawl) as records:
            found = data.orders(records, limit=200)["items"]
        return next(item for item in found if item["id"] == order.id)

    def label(self, crawl: str, labels: Mapping[str, bool], user: str = "") -> dict[str, Any]:
        """Give labels; the pages as they are called in the crawl."""
        given = inbox.give_labels(self.folder(crawl), labels, user)
        return {"items": [{"url": url, "relevant": is_relevant} for url, is_relevant in given.items()]}

    def _brief(self, folder: Path) -> dict[str, Any]:
        try:
            return data.brief(folder)
        except ClewError as error:
            # One damaged folder must not hide all others.
            return unreadable(folder, clean(str(error), 500))
