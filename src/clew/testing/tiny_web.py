"""Small webs drawn in a line of text, crawled by the ordinary engine: for tests and examples."""

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
GAP = f"\n<hr>{'-' * 60}\n"  # wider than the text that counts as near a link, so that no link sees its neighbours
_TOKEN = re.compile(r"\s*(->|=>|\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|[^\s\[({]+)")
_NUMBER = re.compile(r"(?<![\w.])(?:0?\.\d+|0|1(?:\.0+)?)(?![\w.])")


class TinyLink(NamedTuple):
    """A link as it is drawn."""

    target: str
    anchor: str = ""
    around: str = ""


@dataclass(frozen=True, slots=True)
class TinyPage:
    """A page as it is drawn."""

    relevance: float = 0.0
    status: int = 200
    text: str = ""
    links: tuple[TinyLink, ...] = ()
    location: str = ""  # where it redirects to


@dataclass(frozen=True)
class TinyWeb:
    """A hand-made web.

    Statements are parted by semicolons or line ends. Each begins with the name of a page; then come, as
    needed, its relevance (or the status of a page that fails), its text in braces, and its links, each with
    the anchor in brackets and the text around it in parentheses. `a => b` is a redirect. A page that is only
    linked to is empty.

    >>> web = TinyWeb.read("a .9 {boats} -> b [.3 sails] (harbour) c; b 404; c => a")
    >>> web.pages["a"].links[0]
    TinyLink(target='b', anchor='.3 sails', around='harbour')
    >>> web.pages["b"].status, web.pages["c"].location
    (404, 'a')
    """

    pages: Mapping[str, TinyPage] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> TinyWeb:
        """From the text form."""
        drawn = dict(_statement(part) for line in text.splitlines() for part in line.split(";") if part.strip())
        linked = [arrow.target for page in drawn.values() for arrow in page.links]
        linked += [page.location for page in drawn.values() if page.location]
        return cls(drawn | {name: TinyPage() for name in dict.fromkeys(linked) if name not in drawn})

    @property
    def first(self) -> str:
        """The page that is drawn first."""
        return next(iter(self.pages))

    def html(self, name: str) -> str:
        """The page as a browser would get it."""
        page = self.pages[name]
        items = GAP.join(
            f'<p><a href="{escape(url_of(to))}">{escape(anchor)}</a> {escape(around)}</p>'
            for to, anchor, around in page.links
        )
        head = f"<!doctype html><html><head><title>{escape(name)}</title></head>"
        return f"{head}<body><p>{escape(page.text)}</p>{GAP}{items}</body></html>"


class Broken(Exception):
    """Stands for a kill: nothing is written after it."""


@dataclass
class TinyWebFetcher:
    """Answers from a tiny web with real bytes, so that parser and engine do their ordinary work.

    After `left` fetches, if that is given, it breaks.
    """

    web: TinyWeb
    left: float = math.inf

    async def get(self, url: str) -> Fetched:
        """The page, its failure, or 404 for what is not drawn."""
        self.left -= 1
        if self.left < 0:
            raise Broken
        page = self.web.pages.get(name_of(url), TinyPage(status=404))
        if page.location:
            return Fetched(url, 301, location=url_of(page.location))
        if page.status != 200:
            return Fetched(url, page.status, error="status", detail=f"the server answered {page.status}")
        body = self.web.html(name_of(url)).encode()
        return Fetched(url, 200, (("Content-Type", "text/html; charset=utf-8"),), body, body)

    def pause(self, url: str) -> float:
        """Nobody needs to wait."""
        return 0.0

    async def close(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True, eq=False)
class TinyWebInterest(FixedInterest):
    """Knows the relevance of pages from the tiny web, and that of a text from the largest number in it.

    >>> TinyWebInterest(TinyWeb()).rate("about .3 boats")
    0.3
    """

    web: TinyWeb

    def relevance(self, url: str) -> float:
        """As drawn."""
        return self.web.pages[name_of(url)].relevance

    def rate(self, text: str) -> float:
        """The largest number from 0 to 1 in the text."""
        return max(map(float, _NUMBER.findall(text)), default=0.0)


def order(strategy: str | Strategy, web: str | TinyWeb, start: str = "", **settings: Any) -> list[str]:
    """The names of the pages in the order of their visits; start pages parted by spaces, else the first page.

    >>> order("breadth_first", "a -> b c; b -> d")
    ['a', 'b', 'c', 'd']
    """
    return [name_of(url) for url in explore(strategy, web, start, **settings).order]


def explore(strategy: str | Strategy, web: str | TinyWeb, start: str = "", **settings: Any) -> Simulation:
    """Crawl a tiny web to its end, unless the settings say otherwise."""
    web = TinyWeb.read(web) if isinstance(web, str) else web
    seeds = [url_of(name) for name in start.split() or [web.first]]
    interest = TinyWebInterest(web).at(settings.get("threshold", 0.5))
    return run_simulation(TinyWebFetcher(web), interest, seeds, strategy=strategy, **{"pages": None} | settings)


def url_of(name: str) -> str:
    """The address of a page: a name with a slash is host and path, any other lives on one common host."""
    return f"http://{name}" if "/" in name else HOME + name


def name_of(url: str) -> str:
    """The name behind an address."""
    return url.removeprefix(HOME) if url.startswith(HOME) else url.removeprefix("http://")


def _statement(text: str) -> tuple[str, TinyPage]:
    name, *tokens = _TOKEN.findall(text)
    relevance, status, words, location, links = 0.0, 200, "", "", list[TinyLink]()
    while tokens:
        match tokens.pop(0), tokens:
            case "->", _:
                links, tokens = _links(tokens), []
            case "=>", [location]:
                tokens = []
            case token, _ if token.startswith("{"):
                words = token[1:-1]
            case token, _ if _NUMBER.fullmatch(token):
                relevance = float(token)
            case token, _ if token.isdigit():
                status = int(token)
            case token, _:
                raise ConfigError(f"cannot read {token!r} in the page {name!r}: {text.strip()}")
    return name, TinyPage(relevance, status, words, tuple(links), location)


def _links(tokens: list[str]) -> list[TinyLink]:
    links: list[TinyLink] = []
    for token in tokens:
        if token[0] == "[" and links:
            links[-1] = links[-1]._replace(anchor=token[1:-1])
        elif token[0] == "(" and links:
            links[-1] = links[-1]._replace(around=token[1:-1])
        else:
            links.append(TinyLink(token))
    return links
