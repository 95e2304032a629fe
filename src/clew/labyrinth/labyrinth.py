"""A synthetic web in which every page is a pure function of seed, shape and page number."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Final, NamedTuple, Self
from urllib.parse import urlsplit
from zlib import crc32

from clew.config import unknown
from clew.errors import ConfigError
from clew.labyrinth.answer import Answer
from clew.labyrinth.answer import text as _text
from clew.labyrinth.page_html import PageWriter
from clew.labyrinth.shape import REGIMES, Shape
from clew.labyrinth.sites import Site
from clew.labyrinth.topology import Topology
from clew.labyrinth.wordlists import GENERAL, LEAVES, PATHS, WORDS

PIXEL: Final = bytes.fromhex("47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b")
LOCAL_NUMBER: Final = re.compile(r"(\d+)(?:\.html?|/)?$")
# The statuses of redirects, by the first folder of their path.
REDIRECTS: Final = {"go": 301, "old": 301, "out": 302, "loop": 302}


class Truth(NamedTuple):
    """What a page really is: the path of its topic ("" for none) and its kind.

    A hub has the topic of its links, but only content is relevant.
    """

    topic: str
    kind: str  # content, hub, tunnel, noise, home


@dataclass(frozen=True)
class Labyrinth(Shape):
    """A web of many hosts with a known truth; it keeps tables of its hosts, but none of its pages.

    >>> web = Labyrinth(pages=500, seed=7)
    >>> start = web.seeds("sailing", 1)[0]
    >>> web.truth(web.number(start))
    Truth(topic='sports/water sports/sailing', kind='content')
    >>> web.page(start).status
    200
    """

    @classmethod
    def regime(cls, name: str, **settings: Any) -> Self:
        """A labyrinth of a named regime: plain, easy, poor, mislead, tunnel or deep."""
        if name not in REGIMES:
            raise ConfigError(unknown("regime", name, list(REGIMES)))
        return cls(**{**REGIMES[name], **settings})

    @cached_property
    def graph(self) -> Topology:
        """The link structure."""
        return Topology(self)

    @cached_property
    def _writer(self) -> PageWriter:
        return PageWriter(self.graph)

    @cached_property
    def _by_name(self) -> dict[str, Site]:
        return {site.name: site for site in self.graph.sites}

    @property
    def hosts(self) -> list[str]:
        """All host names."""
        return list(self._by_name)

    @property
    def taxonomy(self) -> Mapping[str, str]:
        """Each topic and its parent; the parent of the topmost topics is ANY."""
        return {name: _name(path.rpartition("/")[0]) or "ANY" for name, path in PATHS.items()}

    @property
    def topics(self) -> list[str]:
        """The leaf topics that have pages here; a small labyrinth lacks some of them."""
        return [_name(LEAVES[topic]) for topic in self.graph.topics]

    def keywords(self, topic: str) -> tuple[str, ...]:
        """The words that texts on a topic use; those of a leaf start with its name."""
        return WORDS[_path(topic)]

    def topics_toml(self) -> str:
        """The taxonomy in the form of clew's configuration."""
        tables = [
            f"[topics.{json.dumps(name)}]\nparent = {json.dumps(parent)}\n"
            f"keywords = {json.dumps(self.keywords(name))}\n"
            for name, parent in self.taxonomy.items()
        ]
        return "\n".join(tables)

    def home(self, host: str) -> str:
        """The URL of a host's home page."""
        return f"http://{self._by_name[host].name}/"

    def url(self, number: int) -> str:
        """The URL of a page."""
        if not 0 <= number < self.pages:
            raise IndexError(f"there is no page {number} among {self.pages}")
        spot = self.graph.spot(number)
        # The URL of a hub must not give away its topic: hubs are not relevant.
        topic = GENERAL if spot.kind == "hub" else spot.topic
        return f"http://{spot.site.name}{self._writer.path(spot.site, number, topic)}"

    def number(self, url: str) -> int | None:
        """The number of the page with this URL; None for redirects, print versions, dead links and other webs."""
        host, path = _split(url)
        site = self._by_name.get(host)
        return self._find(site, path) if site else None

    def _find(self, site: Site, path: str) -> int | None:
        found = LOCAL_NUMBER.search(path)
        local = int(found[1]) if found else 0
        if local >= site.size:
            return None
        # A page has one URL: the right number in a path of another style is a dead link.
        number = site.start + local
        return number if self.url(number) == f"http://{site.name}{path}" else None

    def truth(self, number: int) -> Truth:
        """What a page really is."""
        spot = self.graph.spot(number)
        return Truth(LEAVES[spot.topic] if spot.topic < GENERAL else "", spot.kind)

    def links(self, number: int) -> list[int]:
        """The pages that a page leads to; redirects are followed, dead and forbidden links are left out."""
        return self.graph.links(number)

    def relevant(self, topic: str) -> Callable[[int], bool]:
        """A test that tells whether a page is content on a topic or on one below it."""
        wanted = self._leaves(topic)

        def is_relevant(number: int) -> bool:
            spot = self.graph.spot(number)
            return spot.kind == "content" and spot.topic in wanted

        return is_relevant

    def pages_on(self, topic: str) -> Iterator[int]:
        """All relevant pages of a topic."""
        wanted = self._leaves(topic)
        # By sections, because testing every page would be slow in a large labyrinth.
        for site in self.graph.sites:
            for section in site.pool.sections:
                if section.topic in wanted:
                    yield from range(section.first, section.first + section.size)

    def seeds(self, topic: str, n: int, distance: int = 0) -> list[str]:
        """Up to n start pages at this distance in links from the topic; none of them is on an island.

        >>> len(Labyrinth().seeds("sailing", 3, distance=1))
        3
        """
        chance = Random(f"seeds {self.seed} {topic} {distance}")
        pools = [self.graph.pools[leaf] for leaf in sorted(self._leaves(topic) & set(self.graph.topics))]
        if not pools:
            return []
        found: dict[int, None] = {}
        # Some distances are rare, or do not occur: after 40 draws per page it gives up.
        for _ in range(40 * n):
            pool = pools[int(len(pools) * chance.random())] if distance == 0 else self.graph.anything
            _, number = pool.draw(chance.random())
            if distance == 0 or self.distance(number, topic, distance) == distance:
                found[number] = None
            if len(found) == n:
                break
        return [self.url(number) for number in found]

    def distance(self, number: int, topic: str, limit: int = 3) -> int | None:
        """The number of links from a page to the nearest relevant one; None if it is over the limit."""
        is_relevant = self.relevant(topic)
        seen = {number}
        ring = [number]
        for steps in range(limit + 1):
            if any(map(is_relevant, ring)):
                return steps
            if steps < limit:
                ring = self._next_ring(ring, seen)
        return None

    def _next_ring(self, ring: list[int], seen: set[int]) -> list[int]:
        """The pages one link further, which are added to those seen."""
        following: list[int] = []
        for number in ring:
            for target in self.links(number):
                if target not in seen:
                    seen.add(target)
                    following.append(target)
        return following

    def forbidden(self, url: str) -> bool:
        """Whether the robots.txt of its host forbids a URL."""
        host, path = _split(url)
        site = self._by_name.get(host)
        return site is not None and site.robots and path.startswith(("/print/", "/cgi-bin/"))

    def page(self, url: str) -> Answer:
        """The answer to a request for a URL."""
        host, path = _split(url)
        site = self._by_name.get(host)
        if site is None:
            return _text(404, f"there is no host {host}")
        first, _, rest = path[1:].partition("/")
        if first in REDIRECTS and rest.isdecimal():
            return self._redirect(site, first, int(rest))
        if first == "print" and rest.isdecimal() and int(rest) < site.size:
            return self._document(site, site.start + int(rest))
        if path == "/robots.txt":
            return _text(200, _robots(site)) if site.robots else _text(404, "not found")
        if first == "img":
            return Answer(200, (("Content-Type", "image/gif"),), PIXEL)
        number = self._find(site, path)
        if number is not None:
            return self._document(site, number)
        # Every fifth dead link is gone for good, and is so on every request.
        return _text(410, "gone") if crc32(path.encode()) % 5 == 0 else _text(404, "not found")

    def reply(self, url: str, nth: int = 0, now: float = 0.0) -> Answer:
        """The answer to a request after the host has had `nth` others; here it is always the same.

        Hostile labyrinths answer differently from request to request and from time to time.
        """
        return self.page(url)

    def _html(self, number: int) -> tuple[str, str]:
        """The document of a page, and the charset that it declares."""
        return self._writer.document(number)

    def _document(self, site: Site, number: int) -> Answer:
        text, charset = self._html(number)
        content_type = f"text/html; charset={charset}" if site.in_header else "text/html"
        # Encoded as the host does it, whatever the page declares.
        return Answer(200, (("Content-Type", content_type),), text.encode(site.charset, "xmlcharrefreplace"))

    def _redirect(self, site: Site, way: str, place: int) -> Answer:
        target = self._redirect_target(site, way, place)
        return _text(REDIRECTS[way], target, ("Location", target)) if target else _text(404, "not found")

    def _redirect_target(self, site: Site, way: str, place: int) -> str:
        """Where a moved page (go), a chain of two (old), another host's page (out) or a circle (loop) leads."""
        if way == "loop":
            return f"/loop/{3 - place}" if place in (1, 2) else ""
        if way == "out":
            return self.url(place) if place < self.pages else ""
        if place >= site.size:
            return ""
        return f"/go/{place}" if way == "old" else self.url(site.start + place)

    def _leaves(self, topic: str) -> set[int]:
        path = _path(topic)
        return {i for i, leaf in enumerate(LEAVES) if leaf == path or leaf.startswith(f"{path}/")}


def _split(url: str) -> tuple[str, str]:
    """The host, and the path with its query."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return (parts.hostname or ""), (parts.path or "/") + query


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _path(topic: str) -> str:
    if _name(topic) not in PATHS:
        raise ConfigError(unknown("topic", topic, list(PATHS)))
    return PATHS[_name(topic)]


def _robots(site: Site) -> str:
    delay = f"Crawl-delay: {site.delay:g}\n" if site.delay else ""
    return f"User-agent: *\nDisallow: /print/\nDisallow: /cgi-bin/\n{delay}"
