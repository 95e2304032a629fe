"""The list of all settings: TOML files, the command line and Python use the same names.

A name is unique across sections, so flags and Python arguments need no section, and a TOML file may say
`[fetch] delay = 2` or simply `delay = 2`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, Final, Literal, get_type_hints

VISITS_PER_PAGE: Final = 3
"""The limit of visits for each page of the limit of pages, unless the user sets one."""


def _set(default: Any, help: str, minimum: float = 0) -> Any:
    """A setting: its default, the line that `--help` and crawl.toml show, and the smallest value it accepts."""
    return field(default=default, metadata={"help": help, "minimum": minimum})


# The docstrings of these classes are the headings of `clew crawl --help`. Every help line is also the comment above
# its setting in crawl.toml, so it must make sense without the command line around it.


@dataclass(frozen=True, slots=True)
class What:
    """Interest, start pages and strategy."""

    interest: str = _set("", "what to look for: a formula such as 'sailing AND (ruegen OR hiddensee)'")
    seeds: tuple[str, ...] = _set(
        (),
        "start pages: the URLs at which the crawl begins; default: the best hubs of learned_from, what search_sources "
        "find, or the examples of its topics that are web pages",
    )
    reserve: tuple[str, ...] = _set((), "extra start pages, used only when no candidates are left")
    threshold: float | Literal["start-pages"] = _set(
        0.5,
        "minimum relevance for a page to count as relevant; with the judge plain also 'start-pages': the lowest "
        "relevance above 0 among the start pages (Ariadne's rule)",
    )
    semantics: Literal["possibilistic", "probabilistic"] = _set(
        "possibilistic",
        "how AND and OR combine: possibilistic (minimum, maximum) or probabilistic (independent events)",
    )
    judge: str = _set(
        "learning",
        "who decides which pages are relevant: learning (starts with your words and examples and learns from the pages "
        "of the crawl), plain (your words and examples alone), or a judge of your own, 'module:name'",
    )
    topic_model: str = _set(
        "linear",
        "how topics learn from examples: linear, bayes, hierarchy (bayes along the topics) or vocabulary, which has "
        "parameters: 'vocabulary(k=2, min_occurrence=2, clusters=5)'",
    )
    judge_seconds: float = _set(
        30.0, 'time limit for judging one page, in seconds: for judges and python("…") of your own; 0: no limit'
    )
    strategy: str = _set(
        "adaptive", "how to choose the next page: a name, or a name with parameters such as 'best_first(n=8)'"
    )
    seed: int = _set(0, "seed for all random choices")
    users: tuple[str, ...] = _set(
        (), "users for whom the strategy fab crawls: names of profiles (clew label --user NAME), or files of profiles"
    )
    learned_from: str = _set(
        "",
        "earlier crawl folder: the strategy starts with what it learned there and, if no start pages are given, at the "
        "best hubs of that crawl",
    )
    search_sources: tuple[str, ...] = _set(
        (),
        "what the strategy may search and ask for back-links: earlier crawl folders, a search service such as "
        "'https://host/search.json?q={searchTerms}', or 'module:name'",
    )


@dataclass(frozen=True, slots=True)
class Scope:
    """Scope of the crawl."""

    within: Literal["web", "domains", "hosts"] = _set(
        "web", "where to crawl: on the whole web, on the domains of the start pages, or on their hosts"
    )
    allow: tuple[str, ...] = _set(
        (), "visit only these: hosts, '*.domain', beginnings of URLs, globs ('*' stands for anything) or 're:REGEX'"
    )
    deny: tuple[str, ...] = _set((), "never visit these; notation as in allow")
    max_depth: int | None = _set(None, "maximum number of links between a start page and a visited page")
    max_url: int = _set(2000, "maximum length of a URL, in characters")
    url_rules: tuple[str, ...] = _set(
        ("tracking", "sessions", "dots", "canonical", "index", "variants", "parameters"),
        "URL normalisation rules to apply; 'none' for no rules",
    )
    duplicates: Literal["skip", "keep"] = _set(
        "skip", "near-duplicates: skip them (neither follow their links nor count them as relevant) or keep them"
    )
    boilerplate: Literal["drop", "keep"] = _set(
        "drop",
        "text that repeats on most pages of a host, such as menus: drop it (it says nothing about a page) or keep it",
    )
    soft_404: bool = _set(True, "treat error pages that come with status 200 as failures")
    traps: bool = _set(True, "avoid crawler traps: calendars, ever-growing paths and other endless URLs")
    host_pages: int = _set(
        50, "page budget of a host: this many visits (redirects included), plus 20 per relevant page; 0: no limit"
    )
    max_host_pages: int | None = _set(
        None, "maximum number of visits to a host, however many relevant pages it has", minimum=1
    )
    nofollow: Literal["pages", "links", "ignore"] = _set(
        "pages",
        "nofollow to obey: pages (meta robots, X-Robots-Tag), links (rel=nofollow as well) or ignore (none)",
    )
    noindex: Literal["drop", "keep"] = _set(
        "drop", "pages marked noindex: drop them (never count them as relevant) or keep them"
    )
    sitemaps: int = _set(
        5,
        "maximum number of sitemaps to read of a site that has a relevant page: those named in robots.txt, or else "
        "/sitemap.xml; 0: none; with max_depth, which counts links, none either",
    )
    feeds: bool = _set(False, "follow the RSS and Atom feeds that pages announce")
    script_links: bool = _set(
        False, "follow plain URLs found in scripts and in attributes such as data-href and onclick"
    )
    media: bool = _set(
        False,
        "visit images, audio and video as well: those that pages show, and those that they link to; the words of the "
        "links that lead there decide whether they are relevant",
    )
    forms: bool = _set(
        False,
        "fill in search forms on relevant pages with words from relevant pages, to reach pages that no link leads to; "
        "only forms sent with GET",
    )


@dataclass(frozen=True, slots=True)
class Fetch:
    """Fetching and politeness."""

    parallel: int = _set(16, "maximum number of simultaneous fetches", minimum=1)
    parse_processes: int = _set(
        0,
        "processes that parse pages beside the crawl, for crawls that are as fast as one core lets them be; "
        "one is usually enough; 0: the crawl parses its pages itself",
    )
    delay: float = _set(1.0, "minimum delay between two fetches from the same host, in seconds")
    delay_factor: float = _set(2.0, "minimum delay, as a multiple of the host's response time; not used if delay is 0")
    max_delay: float = _set(
        60.0, "longest delay, in seconds, that a Crawl-delay in robots.txt or a slow host can demand"
    )
    per_host: int = _set(1, "maximum number of simultaneous fetches from one host; they share its delay", minimum=1)
    per_domain: int = _set(
        4, "maximum number of simultaneous fetches from one registered domain, and of fetches per delay; 0: any"
    )
    per_address: int = _set(
        8, "maximum number of simultaneous fetches from one IP address, and of fetches per delay; 0: any"
    )
    patience: float = _set(
        2.0,
        "how long a worthless page is put off for a better one whose host must wait: this many turns of that host; "
        "0: never wait; not used without a limit of pages or visits",
    )
    timeout: float = _set(30.0, "time limit for one whole fetch, in seconds")
    min_rate: float = _set(100.0, "minimum transfer rate after the first 10 seconds, in bytes per second; 0: any")
    max_bytes: int = _set(10_000_000, "maximum size of a response as transferred, in bytes")
    max_body: int = _set(30_000_000, "maximum size of a response after decompression, in bytes")
    pdf: bool = _set(True, "read PDF files; needs the extra clew-crawler[pdf]")
    max_redirects: int = _set(10, "maximum number of redirects in a row")
    retries: int = _set(2, "number of retries after a temporary failure")
    host_failures: int = _set(5, "number of failures in a row after which to give up a host; 0: never")
    robots: bool = _set(True, "obey robots.txt")
    user_agent: str = _set("", "User-Agent header to send; default: clew/VERSION and the contact")
    contact: str = _set("", "URL or mail address at which webmasters can reach you, sent in the User-Agent header")
    allow_private: bool = _set(False, "also fetch from private and loopback addresses; meant for tests")
    resolve: tuple[str, ...] = _set((), "fixed addresses for host names, such as '*.example=127.0.0.1:8000'")
    ports: tuple[str, ...] = _set(
        (), "ports that may be used; default: 80, 443 and 8000-8999, or any with allow_private"
    )
    proxy: str = _set(
        "", "HTTP proxy such as 'http://proxy.example:3128'; it resolves names itself, so addresses are not checked"
    )
    render: Literal["never", "auto", "always"] = _set(
        "never", "when to run scripts in a browser: never, auto (pages that say little without them) or always"
    )
    render_pages: int = _set(1000, "maximum number of pages to render in one run")
    render_seconds: float = _set(
        30.0, "time limit for rendering one page, in seconds; what has loaded by then is used", minimum=1
    )
    cache: tuple[str, ...] = _set(
        (),
        "folders that answer before the web is asked: a cache, which is filled as well and made if it does not exist, "
        "or earlier crawl folders, which are only read",
    )
    cache_days: float | None = _set(7.0, "maximum age of an answer from a cache, in days")
    fetcher: str = _set("", "fetcher of your own, 'module:name'; default: HTTP")
    browser: str = _set("", "browser to render with; default: Playwright's own, or the system's Chromium or Chrome")
    shards: int = _set(
        1,
        "number of processes that share the crawl, each with its own part of the domains; a laptop needs no more than "
        "1; more need the extra clew-crawler[cluster]",
        minimum=1,
    )
    cluster: str = _set(
        "",
        "Ray cluster on which the shards run: 'auto' on one of its machines, or an address; default: clew starts Ray "
        "on this machine and ends it",
    )


@dataclass(frozen=True, slots=True)
class Until:
    """When to stop (as soon as one of these holds)."""

    pages: int | None = _set(
        1000, "stop after this many pages; redirects, failures, duplicates, soft 404s and refused URLs do not count", 1
    )
    visits: int | None = _set(
        None, "stop after this many visits, whether they bring pages or not; default: three times the pages", minimum=1
    )
    minutes: float | None = _set(None, "stop after this running time, in minutes")
    megabytes: float | None = _set(None, "stop after this much traffic, in megabytes")
    relevant: int | None = _set(None, "stop after this many relevant pages")
    irrelevant: int | None = _set(None, "stop after this many irrelevant pages")
    drought: int | None = _set(None, "stop after this many visits in a row without a relevant page")
    min_precision: float | None = _set(
        None, "stop when the share of relevant pages falls below this; checked after 100 visits"
    )
    min_score: float | None = _set(None, "stop when the score of the best candidate falls below this")
    min_forecast: float | None = _set(
        None,
        "stop when the next 500 visits are expected to bring fewer relevant pages than this, even at the upper end of "
        "the forecast",
    )
    min_free: float = _set(
        200.0, "stop when less than this is left on the disk of the crawl folder, in megabytes; 0: never"
    )
    at_ceiling: bool = _set(False, "stop when the strategy needs to widen its focus and cannot")
    community: bool = _set(False, "stop when relevant pages form a community: more links inside than to the outside")
    stop_rules: tuple[str, ...] = _set((), "stop rules of your own, such as 'module:name' or 'module:name(limit=50)'")

    @property
    def visit_limit(self) -> int | None:
        """The limit of visits: the user's, or one that ends the crawl of a web without pages."""
        if self.visits is None and self.pages is not None:
            return VISITS_PER_PAGE * self.pages
        return self.visits


@dataclass(frozen=True, slots=True)
class Keep:
    """Storage."""

    folder: str = _set("", "crawl folder; default: a new one in crawls/, named after the interest")
    sinks: tuple[str, ...] = _set(
        (), "where relevant pages go besides the folder, such as \"jsonl(path='pages.jsonl')\" or 'module:name'"
    )
    warc_megabytes: int = _set(1000, "size at which to start a new WARC file, in megabytes", minimum=1)
    main_text: bool = _set(True, "keep the main text of each page, and an index over it for clew search")
    capacity: int = _set(
        10_000_000, "maximum number of candidates; those with the lowest scores are dropped", minimum=1
    )
    report: bool = _set(True, "write a report of the crawl at its end: report/report.html, for a browser")
    commit_seconds: float = _set(1.0, "maximum time between two commits, in seconds")
    commit_pages: int = _set(200, "maximum number of visits between two commits", minimum=1)
    checkpoint_seconds: float = _set(5.0, "minimum time between two checkpoints, in seconds")


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of the user's taxonomy, defined by keywords, by examples, by both, or by concepts of an ontology."""

    parent: str = "ANY"  # the more general topic above it; ANY is the root of the taxonomy
    keywords: tuple[str, ...] = ()  # words and phrases that indicate the topic
    examples: tuple[str, ...] = ()  # pages on the topic, to learn from: files, folders, URLs or profile://NAME
    ontology: str = ""  # a file of concepts (SKOS or OWL); the keywords, or the name of the topic, select those wanted
    weight: float = 1.0  # how much the topic counts in AND and OR, where the formula gives no weight (`sailing^0.7`)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a crawl, by section."""

    what: What = What()
    scope: Scope = Scope()
    fetch: Fetch = Fetch()
    until: Until = Until()
    keep: Keep = Keep()
    topics: Mapping[str, Topic] = field(default_factory=dict)


SECTIONS: dict[str, type] = {"what": What, "scope": Scope, "fetch": Fetch, "until": Until, "keep": Keep}
# No name occurs in two sections (a test checks it), so one flat table serves flags and Python arguments alike.
SETTINGS: dict[str, tuple[str, Field[Any]]] = {}
HINTS: dict[str, Any] = {}
for _section, _class in SECTIONS.items():
    SETTINGS |= {_field.name: (_section, _field) for _field in fields(_class)}
    HINTS |= get_type_hints(_class)
