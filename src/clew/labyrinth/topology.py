"""Who links to whom, computed for one page at a time from its number."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp
from random import Random
from typing import Final, NamedTuple

from clew.labyrinth.shape import Shape
from clew.labyrinth.sites import BELL, Pool, Section, Site, build
from clew.labyrinth.wordlists import ADS, GENERAL, siblings

PLAIN, MOVED, AWAY, CHAIN, DEAD, PRINT = range(6)  # how the URL of an edge reaches its target, if at all
LINKS: Final = 28  # median of those in texts and lists; the frame of a host has about twenty more
HUB_LINKS: Final = 0.35  # content pages that link to a hub of their topic
HINTS: Final = 0.04  # content pages anywhere that link into a tunnel of their topic


class Edge(NamedTuple):
    """A link of the labyrinth: its target's host, number and topic, and the form of its URL."""

    site: int
    number: int
    topic: int
    form: int = PLAIN


class Spot(NamedTuple):
    """What a page number stands for."""

    site: Site
    kind: str
    topic: int
    section: Section | None = None


@dataclass(slots=True)
class Ways:
    """The links of one page, by where they stand in the document; the frame of its host comes on top."""

    bulk: float  # of the page, in standard deviations
    fixed: list[Edge] = field(default_factory=list)  # the way home, neighbours, tunnels: never broken
    loose: list[Edge] = field(default_factory=list)  # in the text and in lists


class Topology:
    """The structure of a labyrinth.

    >>> graph = Topology(Shape(pages=500))
    >>> graph.spot(0).kind, len(graph.links(7)) > 5
    ('home', True)
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.sites = build(shape)
        self.starts = [site.start for site in self.sites]
        self.first_hubs = [site.first_hub for site in self.sites]
        self.hubs = sum(site.hubs for site in self.sites)
        self.mainland = [site for site in self.sites if site.kind == "topical"]
        self.noise = [site for site in self.sites if site.kind == "noise"]
        self.gates = [[s for s in self.mainland if s.chains and s.topic == t] for t in range(GENERAL)]
        self.pools, self.anything = self._pools()
        self.topics = [t for t in range(GENERAL) if self.pools[t] is not self.anything]
        self.near = [[s for s in siblings(t) if s in self.topics] or [t] for t in range(GENERAL)]
        self.frame = lru_cache(maxsize=4096)(self._frame)

    def _pools(self) -> tuple[list[Pool], Pool]:
        """Mainland pages by topic; whatever has none is drawn from all of them."""
        sections = [section for site in self.mainland for section in site.pool.sections]
        pools = [Pool([s for s in sections if s.topic == topic]) for topic in range(GENERAL + 1)]
        pools.append(Pool([section for site in self.noise for section in site.pool.sections]))
        anything = Pool(sections)
        return [pool if pool.total else anything for pool in pools], anything

    def spot(self, number: int) -> Spot:
        """The host, kind and topic of a page."""
        site = self.sites[bisect_right(self.starts, number) - 1]
        if site.kind == "noise":
            return Spot(site, "noise", ADS)
        if number == site.start:
            return Spot(site, "home", GENERAL)
        if number < site.tunnels:
            ordinal = site.first_hub + number - site.start - 1
            return Spot(site, "hub", self.topics[ordinal % len(self.topics)])
        if number < site.content:
            return Spot(site, "tunnel", GENERAL)
        section = next(s for s in site.pool.sections if number < s.first + s.size)
        return Spot(site, "content", section.topic, section)

    def ways(self, number: int) -> Ways:
        """The links of a page besides the frame of its host."""
        spot = self.spot(number)
        chance = Random(self.shape.seed << 32 ^ number << 1)
        ways = Ways(BELL.inv_cdf(chance.random() or 0.5))
        if number != spot.site.start:
            ways.fixed.append(Edge(spot.site.index, spot.site.start, GENERAL))
        if spot.kind == "content" and spot.section:
            self._content(number, spot.site, spot.section, ways, chance)
        elif spot.kind == "hub":
            self._hub(spot.topic, ways, chance)
        elif spot.kind == "tunnel":
            self._tunnel(number, spot.site, ways, chance)
        elif spot.kind == "noise":
            self._spread(self.pools[ADS], _many(ways), ways, chance)
        else:
            self._home(spot.site, ways, chance)
        return ways

    def links(self, number: int) -> list[int]:
        """The pages a page leads to, in the order of the document, redirects followed."""
        ways = self.ways(number)
        frame = self.frame(self.spot(number).site.index)
        found = dict.fromkeys(e.number for e in (*frame, *ways.fixed, *ways.loose) if e.form < DEAD)
        found.pop(number, None)
        return list(found)

    def _content(self, number: int, site: Site, section: Section, ways: Ways, chance: Random) -> None:
        place, last = number - section.first, section.first + section.size - 1
        beside = [section.first, number - 1, number + 1]
        ways.fixed += [Edge(site.index, n, section.topic) for n in beside if section.first <= n <= last]
        if site.chains and section.topic == site.topic:
            some = [place // 3] if place % 3 == 0 else []
            turns = dict.fromkeys([*range(place, site.chains, section.size), *some])  # no tunnel is left out
            ways.fixed += [_gate(site, turn) for turn in turns]
        hint, hub = chance.random(), chance.random()
        if hint < HINTS and (gates := self.gates[section.topic]):
            ways.fixed.append(_gate(gates[int(len(gates) * hint / HINTS)], number))
        self._wander(site, section, _many(ways), ways.loose, chance)
        if hub < HUB_LINKS and (edge := self._hub_of(section.topic, hub / HUB_LINKS)):
            ways.loose.append(edge)

    def _wander(self, site: Site, section: Section, count: int, out: list[Edge], chance: Random) -> None:
        """Most links stay near: in the section, on the topic, on a sibling of it; the others go anywhere."""
        topic, near, local = section.topic, self.near[section.topic], self.shape.locality
        away, random = 1 - local, chance.random
        for _ in range(count):
            where, share = random(), random()
            if where < 0.4 * local:
                found, number = section, section.first + int(section.size * share)
            elif where < 0.8 * local:
                found, number = self.pools[topic].draw(share)
            elif where < local:
                found, number = self.pools[near[int(len(near) * random())]].draw(share)
            elif where < local + 0.3 * away:
                found, number = site.pool.draw(share)
            else:
                pool = self.anything if where < local + 0.85 * away else self.pools[ADS]
                found, number = pool.draw(share)
            out.append(Edge(found.site, number, found.topic, self._form(found.site, random())))

    def _form(self, site: int, share: float) -> int:
        """A few links are redirected, broken or forbidden."""
        shape = self.shape
        if share >= shape.redirects + shape.dead + shape.blocked:
            return PLAIN
        if share < shape.redirects:
            return (MOVED, AWAY, CHAIN)[int(3 * share / shape.redirects)]
        if share < shape.redirects + shape.dead:
            return DEAD
        return PRINT if self.sites[site].robots else PLAIN

    def _spread(self, pool: Pool, count: int, ways: Ways, chance: Random) -> None:
        """Links that cover a pool evenly."""
        count = min(count, pool.total)
        for step in range(count):
            found, number = pool.draw((step + chance.random()) / count)
            ways.loose.append(Edge(found.site, number, found.topic, self._form(found.site, chance.random())))

    def _hub(self, topic: int, ways: Ways, chance: Random) -> None:
        self._spread(self.pools[topic], 30 + int(70 * chance.random() ** 1.5), ways, chance)

    def _hub_of(self, topic: int, share: float) -> Edge | None:
        """One of the hubs of a topic: hubs take turns through the topics."""
        turn, topics = self.topics.index(topic) if topic in self.topics else self.hubs, len(self.topics)
        if turn >= self.hubs:
            return None
        ordinal = turn + topics * int(share * ((self.hubs - 1 - turn) // topics + 1))
        site = self.sites[bisect_right(self.first_hubs, ordinal) - 1]
        return Edge(site.index, site.start + 1 + ordinal - site.first_hub, GENERAL)

    def _tunnel(self, number: int, site: Site, ways: Ways, chance: Random) -> None:
        """Idle links, and the next page of the chain or the island behind it."""
        self._spread(self.pools[ADS], _many(ways) // 4, ways, chance)
        self._spread(self.anything, _many(ways) // 3, ways, chance)
        if (number - site.tunnels + 1) % site.length:
            ways.fixed.append(Edge(site.index, number + 1, GENERAL))
            return
        shore = self.sites[site.island].pool
        doors = min(shore.total, 5 + int(8 * chance.random()))
        for door in range(doors):
            found, page = shore.draw((door + chance.random()) / doors)
            ways.fixed.append(Edge(found.site, page, found.topic))

    def _home(self, site: Site, ways: Ways, chance: Random) -> None:
        ways.fixed += [Edge(site.index, s.first, s.topic) for s in site.pool.sections]
        ways.fixed += [Edge(site.index, site.start + 1 + hub, GENERAL) for hub in range(min(site.hubs, 30))]
        self._spread(site.pool, _many(ways), ways, chance)

    def _frame(self, index: int) -> list[Edge]:
        """The links that every page of a host repeats: menu, favourites, partners, advertisements."""
        site, chance = self.sites[index], Random(f"frame {self.shape.seed} {index}")
        sections = [Edge(index, s.first, s.topic) for s in site.pool.sections]
        hub = [Edge(index, site.start + 1, GENERAL)] if site.hubs else []
        own = [site.pool.draw(chance.random()) for _ in range(4 + int(5 * chance.random()))]
        noisy = site.kind == "noise"
        partners = self.noise if noisy else self.mainland
        friends = [partners[int(len(partners) * chance.random())] for _ in range(4 + int(4 * chance.random()))]
        ads = [self.pools[ADS].draw(chance.random()) for _ in range(2 + int(3 * chance.random()))]
        return [
            *([] if noisy else sections + hub),
            *(Edge(s.site, n, s.topic) for s, n in own),
            *(Edge(f.index, f.start, ADS if noisy else GENERAL) for f in friends),
            *(Edge(s.site, n, s.topic) for s, n in ads),
        ]


def _many(ways: Ways) -> int:
    return max(4, min(150, int(LINKS * exp(0.4 * ways.bulk))))


def _gate(site: Site, turn: int) -> Edge:
    """The first page of one of a host's tunnels."""
    return Edge(site.index, site.tunnels + turn % site.chains * site.length, GENERAL)
