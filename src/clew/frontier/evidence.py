"""The in-links that speak for a candidate: the latest in memory, the rest in the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from clew.types import UrlEntry

ALWAYS_KEPT_INLINKS = 3
"""In-links kept in any case; later ones only if their source is more relevant than all before."""


class EvidenceStore(Protocol):
    """Where evidence is put when memory is short."""

    def entries(self, slots: Sequence[int]) -> dict[int, UrlEntry]:
        """What was put there for these slots."""
        ...


@dataclass(slots=True)
class Evidence:
    """Texts of candidates; append-only for each, so that a resumed crawl can tell old from new."""

    store: EvidenceStore | None = None
    max_cached: int = 200_000
    cache: dict[int, UrlEntry] = field(default_factory=dict)
    dirty: dict[int, None] = field(default_factory=dict)

    def put(self, slot: int, entry: UrlEntry) -> None:
        """Remember, and write down at the next commit."""
        self.cache[slot] = entry
        self.dirty[slot] = None

    def get(self, slots: Iterable[int], counts: Callable[[str], bool]) -> list[UrlEntry]:
        """What is known of these slots; links whose source does not count are left out.

        On disk there may be links of pages that a resumed crawl has not come to again: they do not count yet.
        """
        slots = list(slots)
        missing = [slot for slot in slots if slot not in self.cache]
        if missing and self.store:
            for slot, (url, links, reason) in self.store.entries(missing).items():
                kept = tuple(link for link in links if counts(link.source))
                self.cache[slot] = UrlEntry(url, kept, reason)
        found = [self.cache[slot] for slot in slots]
        if missing and len(self.cache) > 2 * self.max_cached:
            self._trim()
        return found

    def drain(self) -> list[tuple[int, UrlEntry]]:
        """What is to be written down; afterwards the oldest texts may leave the memory."""
        rows = [(slot, self.cache[slot]) for slot in self.dirty]
        self.dirty = {}
        if len(self.cache) > self.max_cached:
            self._trim()
        return rows

    def _trim(self) -> None:
        if not self.store:
            return
        # Trim below the limit, so that the next few pages do not trim again.
        surplus = len(self.cache) - self.max_cached * 9 // 10
        # What is not written down yet has no other home.
        clean = (slot for slot in self.cache if slot not in self.dirty)
        for slot in list(islice(clean, surplus)):
            del self.cache[slot]
