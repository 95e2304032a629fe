"""A store for simulations and tests: everything in memory, nothing durable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from clew.store.labels import Label
from clew.store.record import Record, Rows
from clew.types import Fetched, Judgement, Page


@dataclass
class MemoryStore:
    """Keeps the pages themselves; commits cost nothing."""

    records: list[Record] = field(default_factory=list)
    kept: dict[str, Page] = field(default_factory=dict)
    journal: list[tuple[str, str]] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    said: list[Label] = field(default_factory=list)

    def add(self, record: Record, fetched: Fetched, page: Page | None) -> None:
        """Keep the record, and the page unless the visit was a redirect."""
        self.records.append(record)
        if page:
            self.kept[page.url] = page

    def commit(self, entries: Rows, progress: Mapping[str, Any], checkpoint: Mapping[str, bytes] | None = None) -> None:
        """Nothing to do."""

    def page(self, url: str) -> Page | None:
        """A visited page."""
        return self.kept.get(url)

    def pages(self) -> Iterator[Page]:
        """All visited pages in order."""
        return iter(list(self.kept.values()))

    def note(self, event: str, detail: str) -> None:
        """Keep the entry."""
        self.journal.append((event, detail))

    def set(self, name: str, value: str) -> None:
        """Keep the fact."""
        self.facts[name] = value

    def judge(self, order: int, url: str, judgement: Judgement) -> None:
        """Change record and page."""
        self.records[order] = replace(self.records[order], **judgement._asdict())
        self.kept[url] = replace(self.kept[url], **judgement._asdict())

    def labels(self) -> list[Label]:
        """What is said and not taken in yet."""
        return [label for label in self.said if label.taken is None]

    def mark_applied(self, label: Label, order: int) -> None:
        """Remember when it was taken in."""
        self.said[self.said.index(label)] = label._replace(taken=order)
