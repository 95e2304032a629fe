"""Small webs drawn in a line of text, crawled by the ordinary engine: for tests and examples."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

from clew.api import Simulation, simulate
from clew.errors import ConfigError
from clew.strategies import Strategy
from clew.testing.fixed_interest import Given
from clew.types import Fetched

HOME = "http://sketch.example/"
GAP = f"\n<hr>{'-' * 60}\n"  # wider than the text that counts as near a link, so that no link sees its neighbours
_TOKEN = re.compile(r"\s*(->|=>|\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|[^\s\[({]+)")
_NUMBER = re.compile(r"(?<![\w.])(?:0?\.\d+|0|1(?:\.0+)?)(?![\w.])")


class Arrow(NamedTuple):
    """A link as it is drawn."""

    target: str
    anchor: str = ""
    around: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A page as it is drawn."""

    relevance: float = 0.0
    status: int = 200
    text: str = ""
    arrows: tuple[Arrow, ...] = ()
    location: str = ""  # where it redirects to


@dataclass(frozen=True)
class Sketch:
    """A hand-made web.

    Statements are parted by semicolons or line ends. Each begins with the name of a page; then come, as
    needed, its relevance (or the status of a page that fails), its text in braces, and its links, each with
    the anchor in brackets and the text around it in parentheses. `a => b` is a redirect. A page that is only
    linked to is empty.

    >>> web = Sketch.read("a .9 {boats} -> b [.3 sails] (harbour) c; b 404; c => a")
    >>> web.spots["a"].arrows[0]
    Arrow(target='b', anchor='.3 sails', around='harbour')
    >>> web.spots["b"].status, web.spots["c"].location
    (404, 'a')
    """

    spots: Mapping[str, Spot] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> Sketch:
        """From the text form."""
        drawn = dict(_statement(part) for line in text.splitlines() for part in line.split(";") if part.strip())
        linked = [arrow.target for spot in drawn.values() for arrow in spot.arrows]
        linked += [spot.location for spot in drawn.values() if spot.location]
        return cls(drawn | {name: Spot() for name in dict.fromkeys(linked) if name not in drawn})

    @property
    def first(self) -> str:
        """The page that is drawn first."""
        return next(iter(self.spots))

    def html(self, name: str) -> str:
        """The page as a browser would get it."""
        spot = self.spots[name]
        items = GAP.join(
            f'<p><a href="{escape(url_of(to))}">{escape(anchor)}</a> {escape(around)}</p>'
            for to, anchor, around in spot.arrows
        )
        head = f"<!doctype html><html><head><title>{escape(name)}</title></head>"
        return f"{head}<body><p>{escape(spot.text)}</p>{GAP}{items}</body></html>"


class Broken(Exception):
    """Stands for a kill: nothing is written after it."""


@dataclass
class SketchFetcher:
    """Answers from a sketch with real bytes, so that parser and engine do their ordinary work.

    After `left` fetches, if that is given, it breaks.
    """

    sketch: Sketch
    left: float = math.inf

    async def get(self, url: str) -> Fetched:
        """The page, its failure, or 404 for what is not drawn."""
        self.left -= 1
        if self.left < 0:
            raise Broken
        spot = self.sketch.spots.get(name_of(url), Spot(status=404))
        if spot.location:
            return Fetched(url, 301, location=url_of(spot.location))
        if spot.status != 200:
            return Fetched(url, spot.status, error="status", detail=f"the server answered {spot.status}")
        body = self.sketch.html(name_of(url)).encode()
        return Fetched(url, 200, (("Content-Type", "text/html; charset=utf-8"),), body, body)

    def pause(self, url: str) -> float:
        """Nobody needs to wait."""
        return 0.0

    async def close(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True, eq=False)
class SketchInterest(Given):
    """Knows the relevance of pages from the sketch, and that of a text from the largest number in it.

    >>> SketchInterest(Sketch()).rate("about .3 boats")
    0.3
    """

    sketch: Sketch

    def relevance(self, url: str) -> float:
        """As drawn."""
        return self.sketch.spots[name_of(url)].relevance

    def rate(self, text: str) -> float:
        """The largest number from 0 to 1 in the text."""
        return max(map(float, _NUMBER.findall(text)), default=0.0)


def order(strategy: str | Strategy, web: str | Sketch, start: str = "", **settings: Any) -> list[str]:
    """The names of the pages in the order of their visits; start pages parted by spaces, else the first page.

    >>> order("breadth_first", "a -> b c; b -> d")
    ['a', 'b', 'c', 'd']
    """
    return [name_of(url) for url in explore(strategy, web, start, **settings).order]


def explore(strategy: str | Strategy, web: str | Sketch, start: str = "", **settings: Any) -> Simulation:
    """Crawl a sketch to its end, unless the settings say otherwise."""
    sketch = Sketch.read(web) if isinstance(web, str) else web
    seeds = [url_of(name) for name in start.split() or [sketch.first]]
    interest = SketchInterest(sketch).at(settings.get("threshold", 0.5))
    return simulate(SketchFetcher(sketch), interest, seeds, strategy=strategy, **{"pages": None} | settings)


def url_of(name: str) -> str:
    """The address of a page: a name with a slash is host and path, any other lives on one common host."""
    return f"http://{name}" if "/" in name else HOME + name


def name_of(url: str) -> str:
    """The name behind an address."""
    return url.removeprefix(HOME) if url.startswith(HOME) else url.removeprefix("http://")


def _statement(text: str) -> tuple[str, Spot]:
    name, *tokens = _TOKEN.findall(text)
    relevance, status, words, location, arrows = 0.0, 200, "", "", list[Arrow]()
    while tokens:
        match tokens.pop(0), tokens:
            case "->", _:
                arrows, tokens = _arrows(tokens), []
            case "=>", [location]:
                tokens = []
            case token, _ if token.startswith("{"):
                words = token[1:-1]
            case token, _ if _NUMBER.fullmatch(token):
                relevance = float(token)
            case token, _ if token.isdigit():
                status = int(token)
            case token, _:
                raise ConfigError(f"cannot read {token!r} in the sketch of {name!r}: {text.strip()}")
    return name, Spot(relevance, status, words, tuple(arrows), location)


def _arrows(tokens: list[str]) -> list[Arrow]:
    arrows: list[Arrow] = []
    for token in tokens:
        if token[0] == "[" and arrows:
            arrows[-1] = arrows[-1]._replace(anchor=token[1:-1])
        elif token[0] == "(" and arrows:
            arrows[-1] = arrows[-1]._replace(around=token[1:-1])
        else:
            arrows.append(Arrow(token))
    return arrows
