"""What a recrawl of a crawl on several shards needs beside that of a single folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from clew.core.engine import Engine
from clew.core.mail import Mail
from clew.revisit.schedule import DuePage
from clew.store import CrawlFolder, SqliteStore


class SpeakingEngine(Engine):
    """The engine of a recrawl; if there are other shards, its letters to them wait for the next run of the crawl."""

    mail: Mail | None = None

    def speak(self, store: CrawlFolder) -> None:
        """Write letters from now on, if there is anybody to write to."""
        if isinstance(self.state.port, Mail) and isinstance(store, SqliteStore):
            self.mail = self.state.port
            self.mail.is_replaying = False
            store.mail_rows = self.mail.rows

    def commit(self, checkpoint: bool = False) -> None:
        """Make everything durable, letters included."""
        super().commit(checkpoint)
        if self.mail:
            self.mail.committed()


def most_valuable(plans: Mapping[Path, Sequence[DuePage]], pages: int | None) -> list[DuePage]:
    """The pages of all shards that are worth a visit most."""
    return sorted([page for plan in plans.values() for page in plan], key=lambda page: -page.value)[:pages]


def shares(plans: Mapping[Path, Sequence[DuePage]], pages: int | None) -> dict[Path, int | None]:
    """How many visits each shard gets: as many as it has of the most valuable pages; None for all of them."""
    if pages is None:
        return dict.fromkeys(plans)
    homes = {page.url: path for path, plan in plans.items() for page in plan}
    counts = Counter(homes[page.url] for page in most_valuable(plans, pages))
    return {path: counts[path] for path in plans if counts[path]}
