"""The in-links that speak for a candidate: the latest in memory, the rest in the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from clew.types import Link, UrlEntry

ALWAYS_KEPT_INLINKS = 3
"""In-links kept in any case; later ones only if their source is more relevant than all before."""
ENTRY_BYTES: Final = 300  # of an entry without its texts and links, its place in the cache included
LINK_BYTES: Final = 450  # of a link without its texts


class EvidenceStore(Protocol):
    """Where evidence is put when memory is short."""

    def entries(self, slots: Sequence[int]) -> dict[int, UrlEntry]:
        """What was put there for these slots."""
        ...


@dataclass(slots=True)
class Evidence:
    """Texts of candidates; append-only for each, so that a resumed crawl can tell old from new."""

    store: EvidenceStore | None = None
    max_bytes: int = 200_000_000
    bytes: int = 0  # of the cache, estimated
    cache: dict[int, UrlEntry] = field(default_factory=dict)
    dirty: dict[int, None] = field(default_factory=dict)

    def put(self, slot: int, entry: UrlEntry) -> None:
        """Remember, and write down at the next commit."""
        self._keep(slot, entry)
        self.dirty[slot] = None

    def extend(self, slot: int, entry: UrlEntry, link: Link) -> None:
        """Add a link to what `get` has just given for a slot."""
        self.cache[slot] = entry._replace(links=(*entry.links, link))
        self.bytes += link_weight(link)
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
                self._keep(slot, UrlEntry(url, kept, reason))
        found = [self.cache[slot] for slot in slots]
        if missing and self.bytes > 2 * self.max_bytes:
            self._trim()
        return found

    def drain(self) -> list[tuple[int, UrlEntry]]:
        """What is to be written down; afterwards the oldest texts may leave the memory."""
        rows = [(slot, self.cache[slot]) for slot in self.dirty]
        self.dirty = {}
        if self.bytes > self.max_bytes:
            self._trim()
        return rows

    def _keep(self, slot: int, entry: UrlEntry) -> None:
        if (before := self.cache.get(slot)) is not None:
            self.bytes -= weight(before)
        self.cache[slot] = entry
        self.bytes += weight(entry)

    def _trim(self) -> None:
        if not self.store:
            return
        # Trim below the limit, so that the next few pages do not trim again.
        surplus = self.bytes - self.max_bytes * 9 // 10
        leaving: list[int] = []
        for slot, entry in self.cache.items():
            if surplus <= 0:
                break
            # What is not written down yet has no other home.
            if slot not in self.dirty:
                leaving.append(slot)
                size = weight(entry)
                surplus -= size
                self.bytes -= size
        for slot in leaving:
            del self.cache[slot]


def weight(entry: UrlEntry) -> int:
    """The bytes that an entry takes in memory, nearly.

    >>> weight(UrlEntry("http://a.example/"))
    317
    """
    return ENTRY_BYTES + len(entry.url) + sum(map(link_weight, entry.links))


def link_weight(link: Link) -> int:
    """The bytes that a link takes in memory, nearly."""
    return LINK_BYTES + len(link.anchor) + len(link.around) + len(link.heading) + len(link.path)
