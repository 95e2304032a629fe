"""The head of the frontier as readers see it: the best candidates with a reason, and what waits on each host."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from clew.store.rows import loaded

HEAD: Final = "head"
"""The fact that holds the best candidates as JSON."""
HEAD_SIZE: Final = 200
MAX_ANCHOR: Final = 100  # characters
SITEMAP_KINDS: Final = ("index", "sitemap")


class Waiting(NamedTuple):
    """A candidate near the head of the frontier."""

    url: str
    host: str
    score: float
    depth: int = 0
    links: int = 0  # visited pages that link to it
    source: str = ""  # the most relevant of them; "" for a URL that was named without a link
    source_relevance: float = 0.0
    anchor: str = ""  # of the link on that page
    kind: str = ""  # of that link: a, redirect, sitemap, …
    wish: str = ""  # what the user said of it or of its host; "" for nothing

    @property
    def reason(self) -> str:
        """Why it stands here, in one line.

        >>> Waiting("http://a.example/b", "a.example", 0.8, 1, 1, "http://a.example/", 0.75, "boats", "a").reason
        'link “boats” on http://a.example/, relevance 0.75'
        """
        if self.wish:
            return self.wish
        if not self.source:
            return "named as a start page or by the strategy"
        if self.kind in SITEMAP_KINDS:
            return f"listed by {self.source}"
        link = f"link “{self.anchor}”" if self.anchor else "link without text"
        others = f", {self.links - 1:,} more" if self.links > 1 else ""
        return f"{link} on {self.source}, relevance {self.source_relevance:.2f}{others}"


class HostNow(NamedTuple):
    """A host: what came of it, and what waits there."""

    host: str
    visited: int = 0
    relevant: int = 0
    failed: int = 0
    waiting: int = 0  # candidates
    best: float | None = None  # the highest score among them; None if none has a score
    ready_at: float = 0.0  # when it may be asked again, in seconds since 1970; in the past: at once

    @property
    def harvest(self) -> float:
        """The share of relevant pages among its visits."""
        return self.relevant / self.visited if self.visited else 0.0


class HeadBook:
    """The head of the frontier in an open crawl folder, durable after the next commit of the store."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._head: str | None = None
        self._hosts: list[tuple[Any, ...]] = []

    def keep(self, head: Sequence[Waiting], hosts: Sequence[HostNow]) -> None:
        """Replace the head, and the rows of the hosts that have changed."""
        self._head = json.dumps([tuple(entry) for entry in head], ensure_ascii=False)
        self._hosts += [(host.host, host.waiting, host.best, host.ready_at) for host in hosts]

    def write(self) -> None:
        """Write what is new in the transaction of the caller."""
        if self._head is not None:
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (HEAD, self._head))
        self._db.executemany("INSERT OR REPLACE INTO waiting_hosts VALUES (?,?,?,?)", self._hosts)

    def clear(self) -> None:
        """Forget what is new: it is committed."""
        self._head = None
        self._hosts = []


def head_of(db: sqlite3.Connection, n: int) -> list[Waiting]:
    """The n best candidates at the last commit that wrote them; none in a folder of an earlier version."""
    row = db.execute("SELECT value FROM meta WHERE name = ?", (HEAD,)).fetchone()
    return [Waiting(*entry) for entry in loaded(row[0])[:n]] if row else []


def hosts_of(db: sqlite3.Connection) -> list[HostNow]:
    """All hosts with visits or candidates: those with the most relevant pages first."""
    visits = {row[0]: row[1:] for row in db.execute("SELECT host, visited, relevant, failed FROM hosts")}
    waiting: dict[str, tuple[Any, ...]] = {}
    if db.execute("SELECT 1 FROM pragma_table_info('waiting_hosts')").fetchone():
        waiting = {row[0]: row[1:] for row in db.execute("SELECT host, waiting, best, ready_at FROM waiting_hosts")}
    found = [HostNow(host, *counts, *waiting.get(host, ())) for host, counts in visits.items()]
    found += [HostNow(host, 0, 0, 0, *rest) for host, rest in waiting.items() if host not in visits and rest[0]]
    return sorted(found, key=_by_finds)


def _by_finds(host: HostNow) -> tuple[int, int, float, str]:
    return -host.relevant, -host.visited, -(host.best if host.best is not None else 0.0), host.host
