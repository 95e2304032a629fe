"""A synthetic web whose every page is a pure function of seed, shape and page number."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit
from zlib import crc32

from clew.config import unknown
from clew.errors import ConfigError
from clew.labyrinth.answer import Answer
from clew.labyrinth.answer import text as _text
from clew.labyrinth.page_html import Press
from clew.labyrinth.shape import REGIMES, Shape
from clew.labyrinth.sites import Site
from clew.labyrinth.topology import Topology
from clew.labyrinth.wordlists import GENERAL, LEAVES, PATHS, WORDS

PIXEL = bytes.fromhex("47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b")
LOCAL = re.compile(r"(\d+)(?:\.html?|/)?$")
REDIRECTS = {"go": 301, "old": 301, "out": 302, "loop": 302}


class Truth(NamedTuple):
    """What a page is: the path of its topic ("" for none) and its kind.

    A hub has the topic of its links and is not relevant; only content is.
    """

    topic: str
    kind: str  # content, hub, tunnel, noise, home


@dataclass(frozen=True)
class Labyrinth(Shape):
    """A web of many hosts with a known truth; it keeps tables for hosts and none for pages.

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
        """Its structure."""
        return Topology(self)

    @cached_property
    def _press(self) -> Press:
        return Press(self.graph)

    @cached_property
    def _by_name(self) -> dict[str, Site]:
        return {site.name: site for site in self.graph.sites}

    @property
    def hosts(self) -> list[str]:
        """All host names."""
        return list(self._by_name)

    @property
    def taxonomy(self) -> Mapping[str, str]:
        """Each topic and its parent; the areas stand below ANY."""
        return {name: path.rpartition("/")[0].rpartition("/")[2] or "ANY" for name, path in PATHS.items()}

    @property
    def topics(self) -> list[str]:
        """The leaf topics that have pages here; a small labyrinth has only some of them."""
        return [_name(LEAVES[topic]) for topic in self.graph.topics]

    def keywords(self, topic: str) -> tuple[str, ...]:
        """The words that texts on a topic use, the topic's name first for a leaf."""
        return WORDS[_path(topic)]

    def topics_toml(self) -> str:
        """The taxonomy as clew's configuration takes it."""
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
        topic = GENERAL if spot.kind == "hub" else spot.topic
        return f"http://{spot.site.name}{self._press.path(spot.site, number, topic)}"

    def number(self, url: str) -> int | None:
        """The page that has this URL; None for redirects, print versions, dead links and other webs."""
        host, path = _split(url)
        site = self._by_name.get(host)
        return self._find(site, path) if site else None

    def _find(self, site: Site, path: str) -> int | None:
        found = LOCAL.search(path)
        local = int(found[1]) if found else 0
        if local >= site.size or self.url(site.start + local) != f"http://{site.name}{path}":
            return None
        return site.start + local

    def truth(self, number: int) -> Truth:
        """What a page is."""
        spot = self.graph.spot(number)
        return Truth(LEAVES[spot.topic] if spot.topic < GENERAL else "", spot.kind)

    def links(self, number: int) -> list[int]:
        """The pages a page leads to, redirects followed, dead and forbidden links left out."""
        return self.graph.links(number)

    def relevant(self, topic: str) -> Callable[[int], bool]:
        """The test whether a page is content on a topic or below it."""
        wanted = self._leaves(topic)
        return lambda number: (spot := self.graph.spot(number)).kind == "content" and spot.topic in wanted

    def pages_on(self, topic: str) -> Iterator[int]:
        """All relevant pages of a topic, without looking at the others."""
        wanted = self._leaves(topic)
        for site in self.graph.sites:
            for section in site.pool.sections:
                if section.topic in wanted:
                    yield from range(section.first, section.first + section.size)

    def seeds(self, topic: str, n: int, distance: int = 0) -> list[str]:
        """Up to n start pages that are this many links away from the topic; none of them on an island.

        >>> len(Labyrinth().seeds("sailing", 3, distance=1))
        3
        """
        chance = Random(f"seeds {self.seed} {topic} {distance}")
        pools = [self.graph.pools[leaf] for leaf in sorted(self._leaves(topic) & set(self.graph.topics))]
        found: dict[int, None] = {}
        for _ in range(40 * n if pools else 0):
            pool = pools[int(len(pools) * chance.random())] if distance == 0 else self.graph.anything
            number = pool.draw(chance.random())[1]
            if distance == 0 or self.distance(number, topic, distance) == distance:
                found[number] = None
            if len(found) == n:
                break
        return [self.url(number) for number in found]

    def distance(self, number: int, topic: str, limit: int = 3) -> int | None:
        """Links from a page to the nearest relevant one, None if there are more than the limit."""
        relevant, seen, ring = self.relevant(topic), {number}, [number]
        for steps in range(limit + 1):
            if any(map(relevant, ring)):
                return steps
            if steps < limit:
                ring = [n for n in dict.fromkeys(n for at in ring for n in self.links(at)) if n not in seen]
                seen.update(ring)
        return None

    def forbidden(self, url: str) -> bool:
        """Whether the robots.txt of its host forbids a URL."""
        host, path = _split(url)
        return host in self._by_name and self._by_name[host].robots and path.startswith(("/print/", "/cgi-bin/"))

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
        return _text(410, "gone") if crc32(path.encode()) % 5 == 0 else _text(404, "not found")

    def reply(self, url: str, nth: int = 0, now: float = 0.0) -> Answer:
        """The answer at this time to a request, of which the host has had `nth` before; here always the same."""
        return self.page(url)

    def _print(self, number: int) -> tuple[str, str]:
        return self._press.print(number)

    def _document(self, site: Site, number: int) -> Answer:
        text, charset = self._print(number)
        kind = f"text/html; charset={charset}" if site.in_header else "text/html"
        return Answer(200, (("Content-Type", kind),), text.encode(site.charset, "xmlcharrefreplace"))

    def _redirect(self, site: Site, way: str, place: int) -> Answer:
        """A moved page (go), a chain of two (old), another host's page (out), and a circle (loop)."""
        number = place if way == "out" else site.start + place
        if way == "loop":
            target = f"/loop/{3 - place}" if place in (1, 2) else ""
        elif way == "old":
            target = f"/go/{place}" if place < site.size else ""
        else:
            target = self.url(number) if number < (self.pages if way == "out" else site.start + site.size) else ""
        status = REDIRECTS[way]
        return _text(status, target, ("Location", target)) if target else _text(404, "not found")

    def _leaves(self, topic: str) -> set[int]:
        path = _path(topic)
        return {i for i, leaf in enumerate(LEAVES) if leaf == path or leaf.startswith(f"{path}/")}


def _split(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return (parts.hostname or ""), (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _path(topic: str) -> str:
    if _name(topic) not in PATHS:
        raise ConfigError(unknown("topic", topic, list(PATHS)))
    return PATHS[_name(topic)]


def _robots(site: Site) -> str:
    delay = f"Crawl-delay: {site.delay:g}\n" if site.delay else ""
    return f"User-agent: *\nDisallow: /print/\nDisallow: /cgi-bin/\n{delay}"
