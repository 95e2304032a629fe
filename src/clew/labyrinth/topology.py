"""Which page links to which, computed for one page at a time from its number."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from math import exp
from random import Random
from typing import Final, NamedTuple

from clew.labyrinth.shape import Shape
from clew.labyrinth.sites import BELL, Pool, Section, Site, build
from clew.labyrinth.wordlists import ADS, GENERAL, siblings

# The form of a link's URL. Links from DEAD on do not reach their target.
PLAIN, MOVED, AWAY, CHAIN, DEAD, PRINT = range(6)
MEDIAN_LINKS: Final = 28  # in texts and lists; the frame of a host has about twenty more
HUB_LINK_SHARE: Final = 0.35  # of the content pages, which link to a hub of their topic
HINT_SHARE: Final = 0.04  # of the content pages anywhere, which link into a tunnel of their topic
MAX_HUBS_ON_HOME_PAGE: Final = 30


class Edge(NamedTuple):
    """A link: host, number and topic of its target, and the form of its URL."""

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
class PageLinks:
    """The links of one page by their place in the document, without the frame of its host."""

    bulk: float  # of the page, in standard deviations
    fixed: list[Edge] = field(default_factory=list)  # to the home page, neighbours and tunnels: never broken
    loose: list[Edge] = field(default_factory=list)  # in the text and in lists

    @property
    def usual_count(self) -> int:
        """How many loose links a page of this bulk has."""
        return max(4, min(150, int(MEDIAN_LINKS * exp(0.4 * self.bulk))))


class Topology:
    """The link structure of a labyrinth.

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
        self.gates = [self._gates(topic) for topic in range(GENERAL)]
        self.pools, self.anything = self._pools()
        self.topics = [topic for topic in range(GENERAL) if self.pools[topic] is not self.anything]
        self.near = [self._near(topic) for topic in range(GENERAL)]
        self.frame = lru_cache(maxsize=4096)(self._frame)

    def _gates(self, topic: int) -> list[Site]:
        """The hosts of a topic from which tunnels lead to islands."""
        return [site for site in self.mainland if site.chains and site.topic == topic]

    def _near(self, topic: int) -> list[int]:
        """The siblings of a topic that have pages here; the topic itself if there are none."""
        return [sibling for sibling in siblings(topic) if sibling in self.topics] or [topic]

    def _pools(self) -> tuple[list[Pool], Pool]:
        """Mainland pages by topic, and all of them together, which also stand in for topics without pages."""
        sections = _sections(self.mainland)
        anything = Pool(sections)
        by_topic: list[list[Section]] = [[] for _ in range(GENERAL + 1)]
        for section in sections:
            by_topic[section.topic].append(section)
        pools = [Pool(own) for own in by_topic]
        pools.append(Pool(_sections(self.noise)))
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

    def page_links(self, number: int) -> PageLinks:
        """The links of a page besides the frame of its host."""
        spot = self.spot(number)
        # The page number seeds the generator: any page can be computed without the pages before it.
        chance = Random(self.shape.seed << 32 ^ number << 1)
        page = PageLinks(BELL.inv_cdf(chance.random() or 0.5))
        if number != spot.site.start:
            page.fixed.append(Edge(spot.site.index, spot.site.start, GENERAL))
        if spot.kind == "content" and spot.section:
            self._add_content_links(page, number, spot.site, spot.section, chance)
        elif spot.kind == "hub":
            self._add_hub_links(page, spot.topic, chance)
        elif spot.kind == "tunnel":
            self._add_tunnel_links(page, number, spot.site, chance)
        elif spot.kind == "noise":
            self._spread(page, self.pools[ADS], page.usual_count, chance)
        else:
            self._add_home_links(page, spot.site, chance)
        return page

    def links(self, number: int) -> list[int]:
        """The pages that a page leads to, in the order of the document, with redirects followed."""
        page = self.page_links(number)
        frame = self.frame(self.spot(number).site.index)
        edges = (*frame, *page.fixed, *page.loose)
        targets = dict.fromkeys(edge.number for edge in edges if edge.form < DEAD)
        targets.pop(number, None)
        return list(targets)

    def _add_content_links(self, page: PageLinks, number: int, site: Site, section: Section, chance: Random) -> None:
        place = number - section.first
        last = section.first + section.size - 1
        for beside in (section.first, number - 1, number + 1):
            if section.first <= beside <= last:
                page.fixed.append(Edge(site.index, beside, section.topic))
        if site.chains and section.topic == site.topic:
            # There may be more tunnels than pages: each page takes every n-th one, so that none is left out.
            turns = list(range(place, site.chains, section.size))
            if place % 3 == 0:
                turns.append(place // 3)
            page.fixed += [_gate(site, turn) for turn in dict.fromkeys(turns)]
        hint = chance.random()
        hub = chance.random()
        gates = self.gates[section.topic]
        if hint < HINT_SHARE and gates:
            page.fixed.append(_gate(gates[int(len(gates) * hint / HINT_SHARE)], number))
        self._wander(page, site, section, chance)
        if hub < HUB_LINK_SHARE and (edge := self._hub_of(section.topic, hub / HUB_LINK_SHARE)):
            page.loose.append(edge)

    def _wander(self, page: PageLinks, site: Site, section: Section, chance: Random) -> None:
        """Add links of which most stay near, in the section, on the topic or on a sibling; the others go anywhere."""
        near = self.near[section.topic]
        local = self.shape.locality
        away = 1 - local
        random = chance.random
        for _ in range(page.usual_count):
            where = random()
            share = random()
            if where < 0.4 * local:
                target = section
                number = section.first + int(section.size * share)
            elif where < 0.8 * local:
                target, number = self.pools[section.topic].draw(share)
            elif where < local:
                target, number = self.pools[near[int(len(near) * random())]].draw(share)
            elif where < local + 0.3 * away:
                target, number = site.pool.draw(share)
            elif where < local + 0.85 * away:
                target, number = self.anything.draw(share)
            else:
                target, number = self.pools[ADS].draw(share)
            page.loose.append(Edge(target.site, number, target.topic, self._form(target.site, random())))

    def _form(self, site: int, share: float) -> int:
        """The form of a link: a few are redirected, broken or forbidden by robots.txt."""
        shape = self.shape
        if share >= shape.redirects + shape.dead + shape.blocked:
            return PLAIN
        if share < shape.redirects:
            return (MOVED, AWAY, CHAIN)[int(3 * share / shape.redirects)]
        if share < shape.redirects + shape.dead:
            return DEAD
        return PRINT if self.sites[site].robots else PLAIN

    def _spread(self, page: PageLinks, pool: Pool, count: int, chance: Random) -> None:
        """Add links that cover a pool evenly."""
        count = min(count, pool.total)
        for step in range(count):
            target, number = pool.draw((step + chance.random()) / count)
            page.loose.append(Edge(target.site, number, target.topic, self._form(target.site, chance.random())))

    def _add_hub_links(self, page: PageLinks, topic: int, chance: Random) -> None:
        self._spread(page, self.pools[topic], 30 + int(70 * chance.random() ** 1.5), chance)

    def _hub_of(self, topic: int, share: float) -> Edge | None:
        """A link to one of the hubs of a topic, or None if it has no hub."""
        if topic not in self.topics:
            return None
        # Hubs take turns through the topics, so those of one topic are `step` apart.
        turn = self.topics.index(topic)
        step = len(self.topics)
        if turn >= self.hubs:
            return None
        ordinal = turn + step * int(share * ((self.hubs - 1 - turn) // step + 1))
        site = self.sites[bisect_right(self.first_hubs, ordinal) - 1]
        return Edge(site.index, site.start + 1 + ordinal - site.first_hub, GENERAL)

    def _add_tunnel_links(self, page: PageLinks, number: int, site: Site, chance: Random) -> None:
        """Add links that lead nowhere in particular, and one to the next page of the tunnel or to its island."""
        self._spread(page, self.pools[ADS], page.usual_count // 4, chance)
        self._spread(page, self.anything, page.usual_count // 3, chance)
        is_last = (number - site.tunnels + 1) % site.length == 0
        if not is_last:
            page.fixed.append(Edge(site.index, number + 1, GENERAL))
            return
        shore = self.sites[site.island].pool
        doors = min(shore.total, 5 + int(8 * chance.random()))
        for door in range(doors):
            target, target_number = shore.draw((door + chance.random()) / doors)
            page.fixed.append(Edge(target.site, target_number, target.topic))

    def _add_home_links(self, page: PageLinks, site: Site, chance: Random) -> None:
        page.fixed += [Edge(site.index, section.first, section.topic) for section in site.pool.sections]
        hubs = range(min(site.hubs, MAX_HUBS_ON_HOME_PAGE))
        page.fixed += [Edge(site.index, site.start + 1 + hub, GENERAL) for hub in hubs]
        self._spread(page, site.pool, page.usual_count, chance)

    def _frame(self, index: int) -> list[Edge]:
        """The links that every page of a host repeats: menu, favourites, partners, advertisements."""
        site = self.sites[index]
        is_noise = site.kind == "noise"
        chance = Random(f"frame {self.shape.seed} {index}")
        edges: list[Edge] = []
        if not is_noise:
            edges += [Edge(index, section.first, section.topic) for section in site.pool.sections]
            if site.hubs:
                edges.append(Edge(index, site.start + 1, GENERAL))
        edges += _drawn(site.pool, 4 + int(5 * chance.random()), chance)
        # Noise hosts link only to each other, so that they lead nowhere.
        partners = self.noise if is_noise else self.mainland
        partner_topic = ADS if is_noise else GENERAL
        for _ in range(4 + int(4 * chance.random())):
            partner = partners[int(len(partners) * chance.random())]
            edges.append(Edge(partner.index, partner.start, partner_topic))
        edges += _drawn(self.pools[ADS], 2 + int(3 * chance.random()), chance)
        return edges


def _sections(sites: list[Site]) -> list[Section]:
    return list(chain.from_iterable(site.pool.sections for site in sites))


def _drawn(pool: Pool, count: int, chance: Random) -> list[Edge]:
    """Links to pages drawn from a pool at random."""
    drawn = [pool.draw(chance.random()) for _ in range(count)]
    return [Edge(section.site, number, section.topic) for section, number in drawn]


def _gate(site: Site, turn: int) -> Edge:
    """A link to the first page of one of a host's tunnels."""
    return Edge(site.index, site.tunnels + turn % site.chains * site.length, GENERAL)
