"""A store for simulations and tests that keeps everything in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from clew.store.labels import Label
from clew.store.record import Record, Rows
from clew.types import Fetched, Judgement, Page, UrlState


@dataclass
class MemoryStore:
    """Keeps records and pages in memory; commits cost nothing, and nothing is durable."""

    records: list[Record] = field(default_factory=list)
    pages_by_url: dict[str, Page] = field(default_factory=dict)
    journal: list[tuple[str, str]] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    all_labels: list[Label] = field(default_factory=list)  # applied and pending

    def add(self, record: Record, fetched: Fetched, page: Page | None) -> None:
        """Keep the record, and the page unless the visit was a redirect or a sitemap."""
        self.records.append(record)
        if page and record.state != UrlState.SITEMAP:
            self.pages_by_url[page.url] = page

    def commit(
        self, entries: Rows, progress: Mapping[str, Any], checkpoint: Mapping[str, bytes | None] | None = None
    ) -> None:
        """Do nothing: memory is never durable."""

    def page(self, url: str) -> Page | None:
        """A visited page."""
        return self.pages_by_url.get(url)

    def pages(self) -> Iterator[Page]:
        """All visited pages in order."""
        # A copy: the crawl may add pages while the caller iterates.
        return iter(list(self.pages_by_url.values()))

    def note(self, event: str, detail: str) -> None:
        """Add an entry to the journal."""
        self.journal.append((event, detail))

    def set(self, name: str, value: str) -> None:
        """Set a fact about the whole crawl."""
        self.facts[name] = value

    def judge(self, order: int, url: str, judgement: Judgement) -> None:
        """Replace the judgement of a record and its page."""
        self.records[order] = replace(self.records[order], **judgement._asdict())
        self.pages_by_url[url] = replace(self.pages_by_url[url], **judgement._asdict())

    def labels(self) -> list[Label]:
        """The labels that are not applied yet."""
        return [label for label in self.all_labels if not label.is_applied]

    def mark_applied(self, label: Label, order: int) -> None:
        """Remember that a label was applied before this visit."""
        self.all_labels[self.all_labels.index(label)] = label._replace(taken=order)
