"""What is still known of pages whose archived answers are lost."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

from clew.errors import RecordLost
from clew.store.record import LOST, Record
from clew.types import Doc, Fetched, Link

log = logging.getLogger("clew.store")


@dataclass
class LostPages:
    """Stands in for the archive: title and language from the row, links from the candidates that they led to."""

    db: sqlite3.Connection
    urls: dict[str, str] = field(default_factory=dict)  # pages that were asked for and are lost, with the reason

    def note(self, record: Record, error: RecordLost) -> None:
        """Remember that a page was asked for in vain, and say so once, unless its row says it already."""
        if record.url not in self.urls and not record.is_lost:
            log.warning("%s", error)
        self.urls[record.url] = str(error)

    def read(self, record: Record) -> tuple[Fetched, Doc]:
        """The answer without its content, and the document without its text."""
        fetched = Fetched(record.url, record.status, error=LOST)
        return fetched, Doc(record.url, record.title, links=self.links(record.url), language=record.language)

    def links(self, url: str) -> tuple[Link, ...]:
        """The links of a page that are kept as evidence, in the order in which their targets were found.

        The link that led to a new URL is always kept: a replay finds every URL that the page has brought.
        """
        marks = ",".join("?" * len(slots := self._slots_by_source.get(url, [])))
        rows = self.db.execute(f"SELECT links FROM candidates WHERE slot IN ({marks}) ORDER BY slot", slots)
        links = [Link(*link) for (saved,) in rows for link in json.loads(saved)]
        # The target of a redirect inherits links that lead to where it was linked as.
        return tuple(link for link in links if link.source == url and link.kind != "redirect")

    @cached_property
    def _slots_by_source(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for slot, saved in self.db.execute("SELECT slot, links FROM candidates ORDER BY slot"):
            for source in {link[0] for link in json.loads(saved)}:
                found[source].append(slot)
        return found
