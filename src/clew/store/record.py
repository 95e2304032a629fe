"""What is kept of one visit, and who keeps it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

from clew.parse.url import is_robots_file
from clew.store.labels import Label
from clew.types import Doc, Fetched, HostState, Judgement, Link, Page, UrlEntry, UrlState


@dataclass(frozen=True, slots=True)
class Record:
    """One visit as it stands in the crawl folder."""

    order: int
    slot: int
    url: str
    host: str = ""
    depth: int = 0
    state: UrlState = UrlState.FETCHED
    reason: str = ""
    status: int = 0
    relevance: float = 0.0
    relevant: bool = False
    topics: Mapping[str, float] = field(default_factory=dict)
    title: str = ""
    language: str = ""
    words: int = 0
    score: float = 0.0
    bytes: int = 0
    seconds: float = 0.0
    at: float = 0.0
    location: str = ""
    file: str = ""
    offset: int = 0
    length: int = 0

    @property
    def is_robots_file(self) -> bool:
        """Whether this was a visit to a robots.txt, which is read for its sitemaps and is no page of the site."""
        return is_robots_file(self.url)


Rows = Sequence[tuple[int, UrlEntry]]
"""Slot and texts of what is new on the shelf."""


class Store(Protocol):
    """Keeps visits, evidence and checkpoints; one `commit` is one transaction."""

    def add(self, record: Record, fetched: Fetched, page: Page | None) -> None:
        """Take in one visit; it is durable after the next commit."""
        ...

    def commit(self, entries: Rows, progress: Mapping[str, Any], checkpoint: Mapping[str, bytes] | None = None) -> None:
        """Make everything durable that was added since the last commit; `progress` tells readers where it stands."""
        ...

    def page(self, url: str) -> Page | None:
        """A visited page, in full."""
        ...

    def pages(self) -> Iterator[Page]:
        """All visited pages in order, in full."""
        ...

    def set(self, name: str, value: str) -> None:
        """A fact about the whole crawl, durable after the next commit."""
        ...

    def judge(self, order: int, url: str, judgement: Judgement) -> None:
        """Another judgement of a page that was added; durable after the next commit."""
        ...

    def labels(self) -> list[Label]:
        """What the user has said of pages and is not taken in yet."""
        ...

    def mark_applied(self, label: Label, order: int) -> None:
        """A label has been taken in before this visit; durable after the next commit."""
        ...

    def note(self, event: str, detail: str) -> None:
        """An entry for the journal."""
        ...


class Durable(Protocol):
    """The part of a store that a crawl can be resumed from."""

    def progress(self) -> dict[str, Any]:
        """Where the crawl stood at the last commit."""
        ...

    def checkpoint(self) -> dict[str, bytes]:
        """The parts of the last checkpoint; empty when there is none."""
        ...

    def visits(self, after: int = -1) -> Iterator[Record]:
        """Committed visits in their order, those after a given one."""
        ...

    def said(self, interest: str = "") -> list[Label]:
        """What the user has said of pages, as far as it was taken in and holds under an interest, or that of now."""
        ...

    def whole(self, record: Record) -> tuple[Page, Fetched]:
        """A visit with everything that was known of it then."""
        ...


class CrawlFolder(Store, Durable, Protocol):
    """A store that lies in a folder: durable, resumable, open to other processes."""

    folder: Path
    reading: bool

    def entries(self, slots: Sequence[int]) -> dict[int, UrlEntry]:
        """The evidence of these slots."""
        ...

    def doc(self, url: str) -> Doc | None:
        """The document of a visited page."""
        ...

    def docs(self) -> Iterator[tuple[Record, Doc]]:
        """Every document with its visit; all must be committed."""
        ...

    def keep(self, examples: Mapping[str, list[Doc]]) -> None:
        """Keep what the interest was made from."""
        ...

    def examples(self) -> dict[str, list[Doc]]:
        """What the interest was made from."""
        ...

    def get(self, name: str, default: str = "") -> str:
        """A fact about the whole crawl."""
        ...

    def save_host_state(self, host_state: HostState) -> None:
        """Keep what a host asks of us, at once."""
        ...

    def load_host_state(self, seconds: float) -> list[HostState]:
        """What hosts have asked of us, and how fast those were that were visited in the last seconds."""
        ...

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...


def page_of(record: Record, doc: Doc, inlinks: tuple[Link, ...]) -> Page:
    """A record and its document as strategies see them: of what does not count only the name."""
    ok = record.state == UrlState.FETCHED
    return Page(
        url=record.url,
        order=record.order,
        depth=record.depth,
        ok=ok,
        relevance=record.relevance,
        relevant=record.relevant,
        topics=record.topics,
        terms=doc.terms if ok else {},
        links=doc.links if ok else (),
        inlinks=inlinks,
        score=record.score,
        title=record.title,
        language=record.language,
        status=record.status,
        reason=record.reason,
    )
