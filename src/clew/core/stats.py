"""Counts the visits of a crawl, for its numbers and its harvest curve."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.types import Page, Stats

RECENT_VISITS = 100  # for the recent harvest rate


class Tally:
    """Counts visits as they come; one byte is kept for each.

    >>> tally = Tally()
    >>> tally.visit(Page("http://a.example/", relevant=True), 1200)
    >>> tally.visit(Page("http://b.example/", ok=False), 0)
    >>> stats = tally.snapshot(seconds=2.0, waiting=7)
    >>> stats.visited, stats.pages, stats.relevant, stats.failed, stats.hosts, stats.harvest
    (2, 1, 1, 1, 2, 0.5)
    >>> tally.curve()
    array([1. , 0.5])
    >>> tally.judge(0, relevant=False)
    >>> tally.relevant
    0
    """

    def __init__(self) -> None:
        self._flags = bytearray()  # 1 for each relevant visit
        self.relevant = 0
        self.pages = 0
        self._failed = 0
        self._duplicates = 0
        self._redirects = 0
        self._refused = 0
        self._sitemaps = 0
        self._bytes = 0
        self._cached = 0
        self._since_relevant = 0  # visits since the last relevant page
        self._hosts: set[str] = set()
        self._others: list[int] = []  # the orders of redirects, refused URLs and sitemaps, which do not count as visits

    @property
    def visited(self) -> int:
        """Documents and failures so far."""
        return len(self._flags)

    def visit(self, page: Page, bytes: int = 0, duplicate: bool = False) -> None:
        """Count a page, a failure or a duplicate, and the bytes that were transferred for it."""
        self._flags.append(page.relevant)
        self.relevant += page.relevant
        self.pages += page.ok and not duplicate
        self._failed += not page.ok and not duplicate
        self._duplicates += duplicate
        self._bytes += bytes
        self._since_relevant = 0 if page.relevant else self._since_relevant + 1
        self._hosts.add(_host(page.url))

    def fail(self, order: int) -> None:
        """Count an earlier visit, a page, as a failure after all."""
        self.judge(order, relevant=False)
        self.pages -= 1
        self._failed += 1

    def judge(self, order: int, relevant: bool) -> None:
        """Count an earlier visit as relevant or not, after a label or under another interest."""
        # Orders also number redirects, refused URLs and sitemaps, which have no flag.
        index = order - bisect_left(self._others, order)
        self.relevant += relevant - self._flags[index]
        self._flags[index] = relevant
        self._since_relevant = len(self._flags) - 1 - self._flags.rfind(1)

    def redirect(self, bytes: int = 0) -> None:
        """Count a redirect, and the bytes that were transferred for it."""
        self._others.append(self._order)
        self._redirects += 1
        self._bytes += bytes

    def refuse(self) -> None:
        """Count a URL that robots.txt disallows."""
        self._others.append(self._order)
        self._refused += 1

    def sitemap(self, bytes: int = 0) -> None:
        """Count a sitemap, or a robots.txt that was asked for one, and the bytes that were transferred for it."""
        self._others.append(self._order)
        self._sitemaps += 1
        self._bytes += bytes

    def snapshot(
        self,
        *,
        seconds: float = 0.0,
        waiting: int = 0,
        dropped: int = 0,
        best: float = 0.0,
        focus: str = "",
        focus_reason: str = "",
        paused: bool = False,
        at_ceiling: bool = False,
        forecast: float | None = None,
        forecast_low: float | None = None,
        forecast_high: float | None = None,
        expected_waiting: float | None = None,
        faults: int = 0,
        waited: float = 0.0,
        waits_for: str = "",
        waits_score: float = 0.0,
        waits_seconds: float = 0.0,
    ) -> Stats:
        """The numbers of the crawl; those that only the frontier, the strategy and the clock know are passed in."""
        return Stats(
            visited=self.visited,
            pages=self.pages,
            relevant=self.relevant,
            failed=self._failed,
            duplicates=self._duplicates,
            redirects=self._redirects,
            refused=self._refused,
            sitemaps=self._sitemaps,
            since_relevant=self._since_relevant,
            bytes=self._bytes,
            seconds=seconds,
            waiting=waiting,
            dropped=dropped,
            best=best,
            recent=self._recent(),
            hosts=len(self._hosts),
            focus=focus,
            focus_reason=focus_reason,
            paused=paused,
            cached=self._cached,
            at_ceiling=at_ceiling,
            forecast=forecast,
            forecast_low=forecast_low,
            forecast_high=forecast_high,
            expected_waiting=expected_waiting,
            faults=faults,
            waited=waited,
            waits_for=waits_for,
            waits_score=waits_score,
            waits_seconds=waits_seconds,
        )

    def from_cache(self) -> None:
        """Count an answer that came from a cache."""
        self._cached += 1

    def curve(self) -> NDArray[np.float64]:
        """The harvest rate after each visit."""
        found = np.cumsum(np.frombuffer(bytes(self._flags), dtype=np.uint8), dtype=np.int64)
        return found / np.arange(1, len(found) + 1)

    def save(self) -> dict[str, Any]:
        """Plain values for a checkpoint."""
        # One bit for each visit instead of one byte.
        bits = np.packbits(np.frombuffer(bytes(self._flags), dtype=np.uint8))
        return {
            "visited": self.visited,
            "flags": bits.tobytes().hex(),
            "pages": self.pages,
            "failed": self._failed,
            "duplicates": self._duplicates,
            "redirects": self._redirects,
            "refused": self._refused,
            "sitemaps": self._sitemaps,
            "bytes": self._bytes,
            "cached": self._cached,
            "hosts": sorted(self._hosts),
            "others": self._others,
        }

    def load(self, data: dict[str, Any]) -> None:
        """Restore what `save` returned."""
        bits = np.frombuffer(bytes.fromhex(data["flags"]), dtype=np.uint8)
        self._flags = bytearray(np.unpackbits(bits, count=data["visited"]).tobytes())
        self.relevant = self._flags.count(1)
        self._since_relevant = len(self._flags) - 1 - self._flags.rfind(1)
        self.pages = data["pages"]
        self._failed = data["failed"]
        self._duplicates = data["duplicates"]
        self._redirects = data["redirects"]
        self._refused = data["refused"]
        self._sitemaps = data.get("sitemaps", 0)  # earlier versions counted them as pages
        self._bytes = data["bytes"]
        self._cached = data.get("cached", 0)  # earlier versions had no cache
        self._hosts = set(data["hosts"])
        self._others = data["others"]

    @property
    def _order(self) -> int:
        """The order of the next visit, redirect, refused URL or sitemap."""
        return self.visited + self._redirects + self._refused + self._sitemaps

    def _recent(self) -> float:
        last = self._flags[-RECENT_VISITS:]
        return last.count(1) / len(last) if last else 0.0


def _host(url: str) -> str:
    return url.split("/", 3)[2] if url.count("/") >= 2 else url
