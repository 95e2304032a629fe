"""Every setting, once: the same name in the TOML file, on the command line and in Python.

The tree below is the only list. A name is unique across its sections, so a flag or a Python argument needs no
section, and a TOML file may use `[fetch] delay = 2` or plain `delay = 2`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, Literal, get_type_hints


def _set(default: Any, help: str, least: float = 0) -> Any:
    """A setting with its default, the one line that `--help` and crawl.toml show, and the least it can be."""
    return field(default=default, metadata={"help": help, "least": least})


@dataclass(frozen=True, slots=True)
class What:
    """The interest and where to look for it."""

    interest: str = _set("", "what is wanted: a formula such as 'sailing AND (ruegen OR hiddensee)'")
    seeds: tuple[str, ...] = _set((), "start pages")
    reserve: tuple[str, ...] = _set((), "further start pages, used when nothing else is left")
    threshold: float | None = _set(None, "relevance from which a page counts; default: from the start pages")
    semantics: Literal["possibilistic", "probabilistic"] = _set(
        "possibilistic", "how AND and OR combine: min and max, or as independent chances"
    )
    judge: str = _set(
        "linear",
        "how topics with examples are judged (linear, bayes, hierarchy, vocabulary), or your own 'module:name'",
    )
    strategy: str = _set("adaptive", "where to go next: a name, or a name with parameters: 'best_first(n=8)'")
    seed: int = _set(0, "seed of every chance decision")
    learned_from: str = _set("", "an earlier crawl folder, whose strategy hands on what it has learnt")
    link_sources: tuple[str, ...] = _set((), "earlier crawl folders that tell of back-links, texts and site lists")


@dataclass(frozen=True, slots=True)
class Scope:
    """Which URLs may become candidates."""

    within: Literal["web", "domains", "hosts"] = _set("web", "stay in the start pages' domains or hosts")
    allow: tuple[str, ...] = _set((), "only URLs that begin with one of these")
    deny: tuple[str, ...] = _set((), "no URLs that begin with one of these")
    max_depth: int | None = _set(None, "links from a start page at most")
    max_url: int = _set(2000, "characters of a URL at most")
    url_rules: tuple[str, ...] = _set(
        ("tracking", "sessions", "dots", "canonical", "index", "variants", "parameters"),
        "by which URLs are known to mean the same page; 'none' for no rule",
    )
    duplicates: Literal["skip", "keep"] = _set("skip", "whether near-duplicates are expanded and count as found")
    soft_404: bool = _set(True, "pages that only say that there is no such page count as failed")
    traps: bool = _set(True, "leave out calendars, growing paths and other URLs without end")
    host_pages: int = _set(50, "visits of a host, redirects too, and 20 more for each relevant page; 0 for no limit")
    max_host_pages: int | None = _set(None, "visits of a host at most, whatever it brings", least=1)
    nofollow: Literal["pages", "links", "ignore"] = _set(
        "pages", "whose nofollow is obeyed: a page's (meta robots, X-Robots-Tag), also a link's (rel), or nobody's"
    )
    noindex: Literal["drop", "keep"] = _set("drop", "whether pages that say noindex count as found")
    sitemaps: int = _set(0, "sitemaps read of one site at most, beginning with the Sitemap lines of its robots.txt")
    feeds: bool = _set(False, "follow the RSS and Atom feeds that pages announce")
    script_links: bool = _set(False, "follow the plain URLs in scripts and in attributes such as data-href, onclick")


@dataclass(frozen=True, slots=True)
class Fetch:
    """How pages are fetched."""

    parallel: int = _set(16, "fetches at the same time", least=1)
    delay: float = _set(1.0, "seconds between two fetches from one host")
    delay_factor: float = _set(
        2.0, "times its usual response time that a host is left alone at least; not if delay is 0"
    )
    max_delay: float = _set(60.0, "longest Crawl-delay of a robots.txt that is honoured, in seconds")
    per_host: int = _set(1, "fetches from one host at the same time; they share the delay", least=1)
    per_domain: int = _set(4, "fetches from one registered domain at the same time, and within one delay; 0: any")
    per_address: int = _set(8, "fetches from one address at the same time, and within one delay; 0: any")
    timeout: float = _set(30.0, "seconds for one fetch, all in all")
    min_rate: float = _set(100.0, "bytes a second that an answer must reach after its first 10 seconds")
    max_bytes: int = _set(10_000_000, "bytes of one page at most, on the wire")
    max_body: int = _set(30_000_000, "bytes of one page at most, decompressed")
    pdf: bool = _set(True, "read PDF files too, where the extra clew-crawler[pdf] is installed")
    max_redirects: int = _set(10, "redirects in a row")
    retries: int = _set(2, "further tries after a passing failure")
    host_failures: int = _set(5, "failures in a row after which a host is given up")
    robots: bool = _set(True, "obey robots.txt")
    user_agent: str = _set("", "how the crawler names itself; default: clew/VERSION with the contact")
    contact: str = _set("", "a URL or mail address for webmasters, sent in the user agent")
    allow_private: bool = _set(False, "fetch from private and loopback addresses too (laboratories)")
    resolve: tuple[str, ...] = _set((), "addresses for host names: '*.example=127.0.0.1:8000'")
    ports: tuple[str, ...] = _set((), "ports that may be asked; default: 80, 443, 8000-8999, or any with allow_private")
    proxy: str = _set(
        "", "an HTTP proxy, 'http://proxy.example:3128'; it looks up names itself, past the address guard"
    )
    render: Literal["never", "auto", "always"] = _set(
        "never", "run the scripts of pages in a browser: of none, of those that say little without, or of all"
    )
    render_pages: int = _set(1000, "pages rendered in one run at most")
    render_seconds: float = _set(30.0, "seconds for rendering one page; what is there by then is taken", least=1)
    fetcher: str = _set("", "your own fetcher, 'module:name'; default: HTTP")
    browser: str = _set("", "the browser that renders; default: Playwright's own, or Chromium or Chrome of the system")


@dataclass(frozen=True, slots=True)
class Until:
    """When to stop; the first that holds."""

    pages: int | None = _set(1000, "visits at most", least=1)
    minutes: float | None = _set(None, "time at most")
    megabytes: float | None = _set(None, "traffic at most")
    relevant: int | None = _set(None, "relevant pages found")
    irrelevant: int | None = _set(None, "irrelevant pages visited")
    drought: int | None = _set(None, "visits in a row without a relevant page")
    min_precision: float | None = _set(None, "harvest rate below which it is not worth going on (after 100 visits)")
    min_score: float | None = _set(None, "best candidate's score below which to stop")
    min_forecast: float | None = _set(
        None, "relevant pages expected of the next 500 visits below which it is not worth going on (after 100 visits)"
    )
    at_ceiling: bool = _set(False, "when the strategy would widen its focus and cannot")
    community: bool = _set(False, "when the relevant pages form a community of links")
    stop_rules: tuple[str, ...] = _set((), "your own stop rules, 'module:name' each")


@dataclass(frozen=True, slots=True)
class Keep:
    """What is kept, and where."""

    folder: str = _set("", "the crawl folder; default: crawls/ and a name made from the interest")
    sinks: tuple[str, ...] = _set((), "where pages go beside the folder: \"jsonl(path='pages.jsonl')\", 'module:name'")
    warc_megabytes: int = _set(1000, "size at which a new WARC file is begun", least=1)
    capacity: int = _set(1_000_000, "candidates at most; the worst are dropped", least=1)
    commit_seconds: float = _set(1.0, "time between two commits at most")
    commit_pages: int = _set(200, "visits between two commits at most", least=1)
    checkpoint_seconds: float = _set(30.0, "time between two checkpoints at least")


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of the user's taxonomy: keywords, examples, or both; or concepts of an ontology."""

    parent: str = "ANY"
    keywords: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()  # files, folders or URLs
    ontology: str = ""  # a file of concepts, of which the keywords or the topic's name are the wanted ones
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Config:
    """The whole tree."""

    what: What = What()
    scope: Scope = Scope()
    fetch: Fetch = Fetch()
    until: Until = Until()
    keep: Keep = Keep()
    topics: Mapping[str, Topic] = field(default_factory=dict)


SECTIONS: dict[str, type] = {"what": What, "scope": Scope, "fetch": Fetch, "until": Until, "keep": Keep}
SETTINGS: dict[str, tuple[str, Field[Any]]] = {
    f.name: (section, f) for section, cls in SECTIONS.items() for f in fields(cls)
}
HINTS: dict[str, Any] = {name: hint for cls in SECTIONS.values() for name, hint in get_type_hints(cls).items()}
