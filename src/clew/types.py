"""The values that pass between the parts; this module imports nothing of clew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple, Self

HORIZON: Final = 500
"""Visits that the forecast of a crawl looks ahead."""


class UrlState(StrEnum):
    """Where a URL stands: a word for people and the store, a number for the frontier's table.

    The numbers are part of saved checkpoints: they never change, and a new state gets a new one.

    >>> UrlState.from_text("fetched").number, UrlState.from_number(8)
    (2, <UrlState.DUPLICATE: 'duplicate'>)
    """

    QUEUED = "queued", 0
    IN_FLIGHT = "in flight", 1
    FETCHED = "fetched", 2
    FAILED = "failed", 3
    REDIRECTED = "redirected", 4
    REFUSED = "refused", 5
    OUT_OF_SCOPE = "out of scope", 6
    OVER_CAPACITY = "over capacity", 7
    DUPLICATE = "duplicate", 8

    number: int

    def __new__(cls, text: str, number: int) -> Self:
        state = str.__new__(cls, text)
        state._value_ = text
        state.number = number
        return state

    @classmethod
    def from_number(cls, number: int) -> UrlState:
        """The state behind a number of the table."""
        return next(state for state in cls if state.number == number)

    @classmethod
    def from_text(cls, text: str) -> UrlState:
        """The state behind a word of the store."""
        return next(state for state in cls if state == text)


class Link(NamedTuple):
    """An edge of the web with its context.

    A NamedTuple because there are a hundred of them a page: it is made in a third of the time of a
    frozen dataclass.
    """

    source: str
    url: str
    anchor: str = ""
    around: str = ""  # text near the link, with a tab in the place of the anchor
    heading: str = ""  # the nearest heading before the link
    path: str = ""  # tags from the body down, with class and id: "div#main>ul.menu>li>a"
    position: int = 0  # ordinal among the links of its page
    kind: str = "a"  # a, area, frame, refresh, redirect, next, alternate, index, sitemap, feed, …
    nofollow: bool = False
    block: int = 0  # number of the list, table, paragraph or region on its page that holds it


@dataclass(frozen=True, slots=True)
class Fetched:
    """One answer of the web, or the reason why there is none. Redirects are answers too."""

    url: str
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()  # as they came, bytes read as latin-1; look up with `header`
    body: bytes = b""  # decompressed
    raw: bytes = b""  # as it came over the wire, for the archive
    error: str = ""  # a word or two: timeout, dns, refused, tls, address, robots, too large, content type, …
    detail: str = ""  # the error in a sentence
    location: str = ""  # where a redirect leads, canonical
    seconds: float = 0.0
    transient: bool = False  # worth another try later
    retry_after: float = 0.0  # seconds the server asks us to wait
    notes: tuple[str, ...] = ()  # for the journal: what is new about the host
    doc: Doc | None = None  # what the parser made of it, where that is known already
    rendered: bytes = b""  # the page as HTML in UTF-8 after its scripts have run, where a browser has run them

    @property
    def ok(self) -> bool:
        """Whether there is a document to read."""
        return not self.error and not self.location and 200 <= self.status < 300

    @property
    def is_redirect(self) -> bool:
        """Whether the answer leads elsewhere."""
        return bool(self.location) and not self.error

    def header(self, name: str, default: str = "") -> str:
        """The first header of that name, in any case of letters."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), default)


class HostState(NamedTuple):
    """What a host asks of us beyond the usual delay, for a run that goes on after this one was killed."""

    host: str
    until: float = 0.0  # when its rest (back-off, Retry-After) ends, in seconds of the calendar
    wish: float = 0.0  # its Crawl-delay
    backoff: float = 0.0
    failures: int = 0
    trouble: str = ""  # the last failure
    usual: float = 0.0  # seconds that an answer takes


@dataclass(frozen=True, slots=True)
class Doc:
    """What the parser makes of the bytes."""

    url: str
    title: str = ""
    text: str = ""
    terms: Mapping[str, int] = field(default_factory=dict)  # stem -> count, stop words left out
    links: tuple[Link, ...] = ()
    language: str = ""  # two letters, or "" when it cannot be told
    charset: str = "utf-8"
    canonical: str = ""  # rel=canonical, if the page names one
    nofollow: bool = False
    noindex: bool = False
    feeds: tuple[tuple[str, str], ...] = ()  # address and title of the feeds that the page announces


class Judgement(NamedTuple):
    """A page under an interest; topics hold every membership, so that other formulas can be tried later."""

    relevance: float
    relevant: bool
    topics: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Page:
    """A URL that was visited; a failed visit is a page too (`ok` is False)."""

    url: str
    order: int = 0
    depth: int = 0  # links from a start page, on the path that led here
    ok: bool = True
    relevance: float = 0.0
    relevant: bool = False
    topics: Mapping[str, float] = field(default_factory=dict)
    terms: Mapping[str, int] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    inlinks: tuple[Link, ...] = ()  # the evidence that was known before the visit
    score: float = 0.0  # with which it was chosen
    title: str = ""
    language: str = ""
    status: int = 0
    reason: str = ""  # why it failed


class Candidate(NamedTuple):
    """A URL that is known and not yet visited.

    `links` is the evidence: the first few in-links, and each later one whose source is more relevant than
    every source before it. `n_links` counts all the pages that link here.
    """

    url: str
    found: int = 0  # ordinal of its discovery
    depth: int = 0
    links: tuple[Link, ...] = ()
    n_links: int = 0
    score: float = 0.0


class UrlEntry(NamedTuple):
    """The texts that are kept of a URL, apart from its numbers."""

    url: str
    links: tuple[Link, ...] = ()  # the evidence of a candidate
    reason: str = ""  # why it is out of scope


@dataclass(frozen=True, slots=True)
class Stats:
    """Where a crawl stands; pure numbers, cheap to make after every page."""

    visited: int = 0  # documents and failures; redirect hops are not visits
    relevant: int = 0
    failed: int = 0
    duplicates: int = 0  # visits that only repeated what was known
    redirects: int = 0
    refused: int = 0  # by robots.txt; not fetched, so not visited
    since_relevant: int = 0  # visits since the last relevant page
    bytes: int = 0  # on the wire
    seconds: float = 0.0
    waiting: int = 0  # candidates in the frontier
    dropped: int = 0  # candidates given up for want of room
    best: float = 0.0  # score of the best candidate
    recent: float = 0.0  # harvest rate over the last 100 visits
    hosts: int = 0
    focus: str = ""  # the interest the strategy follows now
    at_ceiling: bool = False  # the strategy would widen its focus and cannot
    forecast: float | None = None  # relevant pages expected of the next HORIZON visits, once that can be told
    expected_waiting: float | None = (
        None  # relevant pages expected among the candidates; None if the strategy knows no chances
    )

    @property
    def irrelevant(self) -> int:
        """Visits that brought nothing."""
        return self.visited - self.relevant

    @property
    def harvest(self) -> float:
        """Share of relevant pages among all visits."""
        return self.relevant / self.visited if self.visited else 0.0
