"""The record of one visit, and the protocols of the stores that keep records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, runtime_checkable

from clew.parse.url import is_robots_file
from clew.store.labels import Label
from clew.store.orders import OrderBook
from clew.types import Doc, Fetched, HostState, Judgement, Link, Page, UrlEntry, UrlState

if TYPE_CHECKING:
    from clew.store.head import HostNow, Waiting
    from clew.store.reasons import Reason, TopicReason

LOST: Final = "its archived answer is lost"
"""What the reason of a visit says when the archive no longer has its answer."""
RESULTS: Final = "results of a form: they do not count as found"
"""What the reason of a visit says when the page lists what a search form has found."""


MEDIA: Final = "a media file: judged by the links that lead there"
"""What the reason of a visit says when the answer is an image, a sound or a film."""
FROM_CACHE: Final = "from the cache"
"""What the reason of a visit says, followed by the folder, when a cache has answered for the web."""


@dataclass(frozen=True, slots=True)
class Record:
    """One visit, as the crawl folder keeps it."""

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
        """Whether this visit fetched a robots.txt: it is read for its sitemaps and is not a page of the site."""
        return is_robots_file(self.url)

    @property
    def is_media(self) -> bool:
        """Whether it is an image, a sound or a film, which has neither words nor links."""
        return MEDIA in self.reason

    @property
    def is_cached(self) -> bool:
        """Whether the answer came from a cache."""
        return f"; {FROM_CACHE} " in f"; {self.reason}"

    @property
    def transferred(self) -> int:
        """The bytes that the network has carried for it."""
        return 0 if self.is_cached else self.bytes

    @property
    def is_lost(self) -> bool:
        """Whether there was an answer that the archive no longer has."""
        return self.status > 0 and not self.file


Rows = Sequence[tuple[int, UrlEntry]]
"""Slots and texts of the URLs that are new since the last commit."""


Content = Callable[[Doc, int], Doc]
"""The part of a document that strategies see, by the order of the visit."""


def whole_content(doc: Doc, order: int) -> Doc:
    """Everything."""
    return doc


class Store(Protocol):
    """Keeps visits, in-links and checkpoints; each `commit` is one transaction."""

    def add(self, record: Record, fetched: Fetched, page: Page | None) -> None:
        """Add one visit; it is durable after the next commit."""
        ...

    def commit(
        self, entries: Rows, progress: Mapping[str, Any], checkpoint: Mapping[str, bytes | None] | None = None
    ) -> None:
        """Make everything durable that was added since the last commit; readers see `progress`."""
        ...

    def page(self, url: str) -> Page | None:
        """A visited page, with its terms and links."""
        ...

    def pages(self) -> Iterator[Page]:
        """All visited pages in order, with their terms and links."""
        ...

    def set(self, name: str, value: str) -> None:
        """Set a fact about the whole crawl; it is durable after the next commit."""
        ...

    def judge(self, order: int, url: str, judgement: Judgement) -> None:
        """Replace the judgement of a page that was added; it is durable after the next commit."""
        ...

    def labels(self) -> list[Label]:
        """The user's labels that are not applied yet."""
        ...

    def mark_applied(self, label: Label, order: int) -> None:
        """Note that a label was applied before this visit; it is durable after the next commit."""
        ...

    def note(self, event: str, detail: str) -> None:
        """Add an entry to the journal."""
        ...


@runtime_checkable
class ReadsAgain(Protocol):
    """A store that does not keep pages in memory but reads them again from an archive."""

    def set_content(self, content: Content) -> None:
        """Show pages with this part of their documents only, as they were shown when they were visited."""
        ...


@runtime_checkable
class KeepsReasons(Protocol):
    """A store that keeps why each visit was made, and shows readers what comes next."""

    def keep_reason(self, order: int, reason: Reason) -> None:
        """Keep why a visit was made; it is durable after the next commit."""
        ...

    def keep_topics(self, order: int, topics: tuple[TopicReason, ...]) -> None:
        """Replace what speaks for the relevance of a page; it is durable after the next commit."""
        ...

    def keep_head(self, head: Sequence[Waiting], hosts: Sequence[HostNow]) -> None:
        """Show readers the best candidates, and the hosts that have changed, from the next commit on."""
        ...


@runtime_checkable
class KeepsTexts(Protocol):
    """A store that keeps main texts for searching."""

    @property
    def keeps_text(self) -> bool:
        """Whether it does so in this crawl: then pages are read with their main text."""
        ...

    def keep_text(self, record: Record, text: str) -> None:
        """Keep the main text of a visit, if such visits have one; it is durable after the next commit."""
        ...


class Durable(Protocol):
    """The part of a store from which a crawl can be resumed."""

    def progress(self) -> dict[str, Any]:
        """Where the crawl stood at the last commit."""
        ...

    def checkpoint(self) -> dict[str, bytes]:
        """The parts of the last checkpoint; empty when there is none."""
        ...

    def rewind_judgements(self) -> None:
        """Show pages as they were judged at the last checkpoint; the replay from there judges them again."""
        ...

    def visits(self, after: int = -1) -> Iterator[Record]:
        """Committed visits in order, starting after the given one."""
        ...

    def applied_labels(self, interest: str = "") -> list[Label]:
        """The applied labels that are valid under an interest, by default the current one."""
        ...

    def read_visit(self, record: Record) -> tuple[Page, Fetched]:
        """The page and the answer of a visit, with all that was known at the time."""
        ...

    def spellings(self) -> dict[str, str]:
        """The URLs that an earlier version knew by another spelling, by their canonical form."""
        ...

    def is_parsed_today(self) -> bool:
        """Whether the pages since the last checkpoint were read by the parser of today."""
        ...

    def renumber(self, first: int, visits: Iterable[Record]) -> None:
        """With the next commit the slots from `first` on are those of today's parser, also in these visits."""
        ...


class CrawlFolder(Store, Durable, Protocol):
    """A store in a folder: durable, resumable, and open to other processes."""

    folder: Path
    reading: bool
    orders: OrderBook

    def entries(self, slots: Sequence[int]) -> dict[int, UrlEntry]:
        """The URLs and in-links of these slots."""
        ...

    def doc(self, url: str) -> Doc | None:
        """The document of a visited page."""
        ...

    def docs(self, after: int = -1) -> Iterator[tuple[Record, Doc]]:
        """Every document with the record of its visit, after the given one; all visits must be committed."""
        ...

    def keep(self, examples: Mapping[str, list[Doc]]) -> None:
        """Keep the example documents of the interest, by their place."""
        ...

    def examples(self) -> dict[str, list[Doc]]:
        """The example documents of the interest, by their place."""
        ...

    def get(self, name: str, default: str = "") -> str:
        """Get a fact about the whole crawl."""
        ...

    def save_host_state(self, host_state: HostState) -> None:
        """Save the state of a host at once, without waiting for the next commit."""
        ...

    def keep_answer(self, fetched: Fetched) -> None:
        """Keep an answer that belongs to no visit, such as a robots.txt; it is durable after the next commit."""
        ...

    def load_host_state(self, seconds: float) -> list[HostState]:
        """The state of all hosts, with the response time of those visited within the last `seconds`."""
        ...

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...


def page_of(record: Record, doc: Doc, inlinks: tuple[Link, ...]) -> Page:
    """A record and its document as the page that strategies see."""
    # Failures and duplicates are pages without terms and links: strategies must not learn from their content. Sitemaps
    # have nothing but links.
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
        links=doc.links if ok or record.state == UrlState.SITEMAP else (),
        inlinks=inlinks,
        score=record.score,
        title=record.title,
        language=record.language,
        status=record.status,
        reason=record.reason,
        bytes=record.bytes,
        seconds=record.seconds,
        meta=doc.meta if ok else "",
        headers=doc.headers,
    )
