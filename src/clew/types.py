"""The values that the parts of clew exchange; this module imports no other one of clew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple, Self

HORIZON: Final = 500
"""Visits that a forecast looks ahead."""


class UrlState(StrEnum):
    """The state of a URL: a text for people and the store, and a number for the table of the frontier.

    The numbers are part of saved checkpoints: they never change, and a new state gets a new number.

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
    SITEMAP = "sitemap", 9  # or a robots.txt: read for the URLs it lists, found or not; no page
    ELSEWHERE = "elsewhere", 10  # visited by another shard; known here because it links here

    number: int

    def __new__(cls, text: str, number: int) -> Self:
        # Each member is its text, so that it compares equal to the word in the store.
        state = str.__new__(cls, text)
        state._value_ = text
        state.number = number
        return state

    @classmethod
    def from_number(cls, number: int) -> UrlState:
        """The state with this number."""
        return next(state for state in cls if state.number == number)

    @classmethod
    def from_text(cls, text: str) -> UrlState:
        """The state with this text."""
        return next(state for state in cls if state == text)


class Link(NamedTuple):
    """A link from one page to another, with its context."""

    # A NamedTuple because a page has about a hundred of them: it takes a third of the time of a frozen dataclass.

    source: str
    url: str
    anchor: str = ""
    around: str = ""  # text near the link, with a tab in place of the anchor
    heading: str = ""  # the nearest heading before the link
    path: str = ""  # tags from the body to the link, with class and id: "div#main>ul.menu>li>a"
    position: int = 0  # number among the links of its page
    kind: str = "a"  # a, area, frame, refresh, redirect, next, alternate, index, sitemap, feed, form, …
    nofollow: bool = False
    block: int = 0  # number of the list, table, paragraph or region of the page that contains it
    menu: bool = False  # whether most pages of its host have this link


class FormField(NamedTuple):
    """A field of a form: what it holds, and what may be put in."""

    name: str
    value: str = ""  # as the page has it
    options: tuple[tuple[str, str], ...] = ()  # value and label of each choice of a list
    is_text: bool = False  # words can be put in


class Form(NamedTuple):
    """A form that asks for pages: it is sent with GET, and filling it in changes nothing."""

    action: str  # the address, without its query
    fields: tuple[FormField, ...] = ()
    label: str = ""  # what the form calls itself, as "Search"
    charset: str = "utf-8"  # in which it is sent
    is_search: bool = False  # whether it looks like a search box


@dataclass(frozen=True, slots=True)
class Fetched:
    """The answer to a request, or the reason why there is none. Redirects are answers, too."""

    url: str
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()  # as received, decoded as latin-1; look them up with `header`
    body: bytes = b""  # decompressed; a large one may be left out where `raw` has it
    raw: bytes = b""  # as received, for the archive
    error: str = ""  # a word or two: timeout, dns, refused, tls, address, robots, too large, content type, …
    detail: str = ""  # the error as a sentence
    location: str = ""  # target of a redirect, canonical
    seconds: float = 0.0
    transient: bool = False  # whether a later try may succeed
    retry_after: float = 0.0  # seconds that the server asks to wait
    notes: tuple[str, ...] = ()  # news about the host, for the journal
    doc: Doc | None = None  # the parsed document, if it was parsed already
    rendered: bytes = b""  # HTML in UTF-8 after a browser has run the scripts of the page
    address: str = ""  # IP address of the server; "" if it is unknown, as behind a proxy
    request_headers: tuple[tuple[str, str], ...] = ()  # as sent, for the archive
    cache: str = ""  # the folder from whose archive the answer comes; "" for one that the server has just sent
    fetched_at: float = 0.0  # when an answer from a cache was fetched, in seconds since 1970
    truncated: str = ""  # why `raw` is not the whole body, in the words of WARC: length, time, disconnect, unspecified

    @property
    def ok(self) -> bool:
        """Whether there is a document to read."""
        return not self.error and not self.location and 200 <= self.status < 300

    @property
    def is_redirect(self) -> bool:
        """Whether the answer is a redirect."""
        return bool(self.location) and not self.error

    def header(self, name: str, default: str = "") -> str:
        """The value of the first header with this name; the case of letters does not matter."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), default)


class HostState(NamedTuple):
    """What a host asks for beyond the usual delay; kept for the next run, even if this one is killed."""

    host: str
    until: float = 0.0  # when its back-off or Retry-After ends, in seconds since 1970
    wish: float = 0.0  # its Crawl-delay
    backoff: float = 0.0
    failures: int = 0
    trouble: str = ""  # the last failure
    usual: float = 0.0  # usual response time in seconds


class SharedLimit(NamedTuple):
    """A limit that several hosts share, because they belong to one domain or one address."""

    place: str  # "domain example.org", "address 192.0.2.1"
    requests: int = 1  # at the same time
    gap: float = 0.0  # seconds from the beginning of one request to that of the next


@dataclass(frozen=True, slots=True)
class Doc:
    """A parsed document."""

    url: str
    title: str = ""
    text: str = ""
    terms: Mapping[str, int] = field(default_factory=dict)  # stem -> count, without stop words
    links: tuple[Link, ...] = ()
    language: str = ""  # two letters, or "" if it is unknown
    charset: str = "utf-8"
    canonical: str = ""  # rel=canonical, if the page has one
    nofollow: bool = False
    noindex: bool = False
    feeds: tuple[tuple[str, str], ...] = ()  # URL and title of the feeds of the page
    error: str = ""  # why the page could not be parsed
    forms: tuple[Form, ...] = ()  # that may be filled in, where they are wanted (the setting forms)
    meta: str = ""  # description and keywords from the meta elements
    headers: tuple[tuple[str, str], ...] = ()  # of the response: names in lower case, values cut, the first few
    main_text: str = ""  # what it says, without menus, as light Markdown; where it is wanted
    media: bool = False  # an image, a sound or a film, which has neither words nor links (the setting media)


class Judgement(NamedTuple):
    """The judgement of a page under an interest; with all topics, so that other formulas can be tried later."""

    relevance: float
    relevant: bool
    topics: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Page:
    """A URL that was visited; a failed visit is a page, too (`ok` is False)."""

    url: str
    order: int = 0
    depth: int = 0  # number of links from a start page, on the path that led here
    ok: bool = True
    relevance: float = 0.0
    relevant: bool = False
    topics: Mapping[str, float] = field(default_factory=dict)
    terms: Mapping[str, int] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    inlinks: tuple[Link, ...] = ()  # the in-links that were known before the visit
    score: float = 0.0  # of the candidate when it was chosen
    title: str = ""
    language: str = ""
    status: int = 0
    reason: str = ""  # why it failed
    bytes: int = 0  # transferred
    seconds: float = 0.0  # that the answer took
    meta: str = ""  # description and keywords, as the page gives them
    headers: tuple[tuple[str, str], ...] = ()  # of the response: names in lower case, values cut, the first few


class Candidate(NamedTuple):
    """A URL that was found and is not visited yet.

    `links` holds the first few in-links, and each later one whose source is more relevant than all sources before it.
    `n_links` counts all pages that link here.
    """

    url: str
    found: int = 0  # number in the order of discovery
    depth: int = 0
    links: tuple[Link, ...] = ()
    n_links: int = 0
    score: float = 0.0


class UrlEntry(NamedTuple):
    """The texts of a URL in the frontier; its numbers are in the table."""

    url: str
    links: tuple[Link, ...] = ()  # in-links
    reason: str = ""  # why it is out of scope


@dataclass(frozen=True, slots=True)
class Stats:
    """The numbers of a crawl, made after every page."""

    visited: int = 0  # documents and failures; redirects do not count
    relevant: int = 0
    failed: int = 0
    duplicates: int = 0  # visits to pages that were copies of earlier ones
    redirects: int = 0
    refused: int = 0  # URLs that robots.txt disallows; not fetched, so not visited
    sitemaps: int = 0  # sitemaps, and robots.txt files asked for them; neither pages nor visits
    since_relevant: int = 0  # visits since the last relevant page
    bytes: int = 0  # transferred
    seconds: float = 0.0
    waiting: int = 0  # candidates in the frontier
    dropped: int = 0  # candidates dropped because the frontier was full
    best: float = 0.0  # score of the best candidate
    recent: float = 0.0  # harvest rate over the last 100 visits
    hosts: int = 0
    focus: str = ""  # the interest that the strategy follows now
    at_ceiling: bool = False  # the strategy would widen its focus and cannot
    forecast: float | None = None  # relevant pages expected in the next HORIZON visits; None while nothing is known
    expected_waiting: float | None = None  # those of them that are candidates now; None without chances
    pages: int = 0  # documents that count: no failures, duplicates, soft 404s, robots.txt files or sitemaps
    faults: int = 0  # exceptions in parser, judge and strategy
    waited: float = 0.0  # seconds in which a page was put off for a better one (the setting patience)
    waits_for: str = ""  # the host of the better page that is waited for now
    waits_score: float = 0.0  # of that page
    waits_seconds: float = 0.0  # until the wait is over at the latest
    forecast_low: float | None = None  # the range in which the forecast pages lie, most of the time
    forecast_high: float | None = None
    focus_reason: str = ""  # why the strategy follows another focus than before
    paused: bool = False  # the user told the crawl to pause
    cached: int = 0  # answers that came from a cache instead of the web; they are visits all the same

    @property
    def irrelevant(self) -> int:
        """Pages that were not relevant."""
        return self.pages - self.relevant

    @property
    def harvest(self) -> float:
        """The share of relevant pages among all visits."""
        return self.relevant / self.visited if self.visited else 0.0
