"""Tiny webs written in a line of text and crawled by the ordinary engine, for tests and examples."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

from clew.core.simulation import Simulation, run_simulation
from clew.errors import ConfigError
from clew.strategies import Strategy
from clew.testing.fixed_interest import FixedInterest
from clew.types import Fetched

HOME = "http://sketch.example/"
# Wider than the text that counts as near a link, so that no link sees the text around its neighbours.
GAP = f"\n<hr>{'-' * 60}\n"
IMAGE = ".png"
PNG = b"\x89PNG\r\n\x1a\n"
_TOKEN = re.compile(r"\s*(->|=>|\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|[^\s\[({]+)")
_NUMBER = re.compile(r"(?<![\w.])(?:0?\.\d+|0|1(?:\.0+)?)(?![\w.])")


class TinyLink(NamedTuple):
    """A link of a tiny web."""

    target: str
    anchor: str = ""
    around: str = ""


@dataclass(frozen=True, slots=True)
class TinyPage:
    """A page of a tiny web."""

    relevance: float = 0.0
    status: int = 200
    text: str = ""
    links: tuple[TinyLink, ...] = ()
    location: str = ""  # where it redirects to


@dataclass(frozen=True)
class TinyWeb:
    """A web written by hand.

    Statements are separated by semicolons or line breaks. Each begins with the name of a page, followed by any of:
    its relevance, or the status of a page that fails; its text in braces; and, after `->`, the pages it links to, each
    with the anchor in brackets and the text around the link in parentheses. `a => b` is a redirect. A page that
    appears only as a target is empty. A name that ends in ".png" is that of an image, which is shown by the pages that
    link to it.

    >>> web = TinyWeb.read("a .9 {boats} -> b [.3 sails] (harbour) c; b 404; c => a")
    >>> web.pages["a"].links[0]
    TinyLink(target='b', anchor='.3 sails', around='harbour')
    >>> web.pages["b"].status, web.pages["c"].location
    (404, 'a')
    """

    pages: Mapping[str, TinyPage] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> TinyWeb:
        """The web that a text describes."""
        # A line break separates statements just as a semicolon does.
        statements = ";".join(text.splitlines()).split(";")
        pages = dict(_statement(statement) for statement in statements if statement.strip())
        targets: list[str] = []
        for page in pages.values():
            targets += [link.target for link in page.links]
        targets += [page.location for page in pages.values() if page.location]
        return cls(pages | {name: TinyPage() for name in dict.fromkeys(targets) if name not in pages})

    @property
    def first(self) -> str:
        """The first page in the text."""
        return next(iter(self.pages))

    def html(self, name: str) -> str:
        """The HTML of a page."""
        page = self.pages[name]
        items = GAP.join(f"<p>{_element(link)} {escape(link.around)}</p>" for link in page.links)
        head = f"<!doctype html><html><head><title>{escape(name)}</title></head>"
        return f"{head}<body><p>{escape(page.text)}</p>{GAP}{items}</body></html>"


class Broken(Exception):
    """Simulates a kill: nothing is written after it."""


@dataclass
class TinyWebFetcher:
    """Answers from a tiny web with real bytes, so that parser and engine do their ordinary work.

    After `left` fetches it raises `Broken`.
    """

    web: TinyWeb
    left: float = math.inf

    async def get(self, url: str) -> Fetched:
        """The page, its failure, or 404 for a page that does not exist."""
        self.left -= 1
        if self.left < 0:
            raise Broken
        page = self.web.pages.get(name_of(url), TinyPage(status=404))
        if page.location:
            return Fetched(url, 301, location=url_of(page.location))
        if page.status != 200:
            return Fetched(url, page.status, error="status", detail=f"the server answered {page.status}")
        if url.endswith(IMAGE):
            return Fetched(url, 200, (("Content-Type", "image/png"),), PNG, PNG)
        body = self.web.html(name_of(url)).encode()
        return Fetched(url, 200, (("Content-Type", "text/html; charset=utf-8"),), body, body)

    def pause(self, url: str) -> float:
        """No waiting: there is no server to be polite to."""
        return 0.0

    async def close(self) -> None:
        """Nothing to close."""


@dataclass(frozen=True, eq=False)
class TinyWebInterest(FixedInterest):
    """Knows the relevance of each page, and rates a text by the largest number in it.

    >>> TinyWebInterest(TinyWeb()).rate("about .3 boats")
    0.3
    """

    web: TinyWeb

    def relevance(self, url: str) -> float:
        """The relevance that the tiny web gives the page."""
        return self.web.pages[name_of(url)].relevance

    def rate(self, text: str) -> float:
        """The largest number from 0 to 1 in the text."""
        return max(map(float, _NUMBER.findall(text)), default=0.0)


def order(strategy: str | Strategy, web: str | TinyWeb, start: str = "", **settings: Any) -> list[str]:
    """The names of the pages in the order of the visits.

    `start` names the start pages, separated by spaces; by default the crawl starts at the first page.

    >>> order("breadth_first", "a -> b c; b -> d")
    ['a', 'b', 'c', 'd']
    """
    return [name_of(url) for url in explore(strategy, web, start, **settings).order]


def explore(strategy: str | Strategy, web: str | TinyWeb, start: str = "", **settings: Any) -> Simulation:
    """Crawl a tiny web until no page is left, unless the settings say otherwise; what the strategy raises is raised."""
    web = TinyWeb.read(web) if isinstance(web, str) else web
    seeds = [url_of(name) for name in start.split() or [web.first]]
    interest = TinyWebInterest(web).at(settings.get("threshold", 0.5))
    return run_simulation(
        TinyWebFetcher(web), interest, seeds, strategy=strategy, **{"pages": None, "strict": True} | settings
    )


def url_of(name: str) -> str:
    """The URL of a page: a name with a slash is a host and a path, all other pages share one host."""
    return f"http://{name}" if "/" in name else HOME + name


def name_of(url: str) -> str:
    """The name of the page with this URL."""
    return url.removeprefix(HOME) if url.startswith(HOME) else url.removeprefix("http://")


def _element(link: TinyLink) -> str:
    """What links a page to another one, or shows an image."""
    address = escape(url_of(link.target))
    if link.target.endswith(IMAGE):
        return f'<img src="{address}" alt="{escape(link.anchor)}">'
    return f'<a href="{address}">{escape(link.anchor)}</a>'


def _statement(text: str) -> tuple[str, TinyPage]:
    name, *tokens = _TOKEN.findall(text)
    relevance = 0.0
    status = 200
    words = ""
    location = ""
    links: list[TinyLink] = []
    while tokens:
        token = tokens.pop(0)
        if token == "->":
            # Links come last: everything behind the arrow belongs to them.
            links = _links(tokens)
            break
        if token == "=>" and len(tokens) == 1:
            location = tokens[0]
            break
        if token.startswith("{"):
            words = token[1:-1]
        elif _NUMBER.fullmatch(token):
            relevance = float(token)
        elif token.isdigit():
            status = int(token)
        else:
            raise ConfigError(f"cannot read {token!r} in the page {name!r}: {text.strip()}")
    return name, TinyPage(relevance, status, words, tuple(links), location)


def _links(tokens: list[str]) -> list[TinyLink]:
    links: list[TinyLink] = []
    # Anchor and surrounding text follow the target they belong to.
    for token in tokens:
        if token[0] == "[" and links:
            links[-1] = links[-1]._replace(anchor=token[1:-1])
        elif token[0] == "(" and links:
            links[-1] = links[-1]._replace(around=token[1:-1])
        else:
            links.append(TinyLink(token))
    return links
