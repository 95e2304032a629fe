"""The hosts of a labyrinth: the only tables that it keeps, so its memory grows with hosts, not with pages."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from math import exp
from random import Random
from statistics import NormalDist
from typing import Final, NamedTuple

from clew.labyrinth.host_names import CHARSETS, NAMING, STYLES, host_names
from clew.labyrinth.shape import Shape
from clew.labyrinth.wordlists import ADS, LEAVES, siblings

MIN_SITE_PAGES: Final = 3
MIN_GATEWAY_PAGES: Final = 12  # of a host with tunnels
MAX_TUNNEL_SHARE: Final = 0.4  # of the pages of a host
BELL: Final = NormalDist()
# The three topics below one parent differ in size, as topics of the real web do.
TOPIC_WEIGHTS: Final = (1.15, 1.0, 0.85)


class Section(NamedTuple):
    """A run of pages of one host on one topic."""

    site: int
    first: int
    size: int
    topic: int


class Pool:
    """Sections to draw pages from; the first pages of a section are drawn more often, like front pages."""

    def __init__(self, sections: list[Section]) -> None:
        self.sections = sections
        self.ends = list(accumulate(section.size for section in sections))
        self.total = self.ends[-1] if sections else 0

    def draw(self, share: float) -> tuple[Section, int]:
        """The section and the page at this share of the pool, between 0 and 1."""
        place = share * self.total
        index = bisect_right(self.ends, place)
        section = self.sections[index]
        within = 1 - (self.ends[index] - place) / section.size
        return section, section.first + int(section.size * within**1.5)


@dataclass(slots=True)
class Site:
    """One host: home page, hubs, tunnels, then sections of content; on a noise host all pages are noise."""

    index: int
    start: int
    size: int
    kind: str = "topical"  # or "noise" or "island"
    topic: int = ADS
    plan: list[tuple[int, float]] = field(default_factory=list)  # topics and their shares
    hubs: int = 0
    first_hub: int = 0  # the number of hubs on earlier hosts
    chains: int = 0  # of tunnel pages
    length: int = 3  # of each chain
    island: int = -1  # the host at the end of its tunnels
    pool: Pool = field(default_factory=lambda: Pool([]))
    name: str = ""
    style: str = "node"
    german: bool = False
    charset: str = "utf-8"
    in_header: bool = True  # whether the charset stands in the HTTP header, or in the document
    robots: bool = True
    delay: float = 0.0
    weight: float = 1.0  # how bulky its pages are

    @property
    def tunnels(self) -> int:
        """The number of its first tunnel page."""
        return self.start + 1 + self.hubs

    @property
    def content(self) -> int:
        """The number of its first content page."""
        return self.tunnels + self.chains * self.length


def build(shape: Shape) -> list[Site]:
    """All hosts of a labyrinth."""
    chance = Random(f"sites {shape.seed}")
    sites = _sized(shape, chance)
    _choose_kinds(sites, shape, chance)
    _plan_topics(sites, shape, chance)
    _dig_tunnels(sites, shape, chance)
    _lay_out_pages(sites, shape)
    _choose_styles(sites, shape, chance)
    return sites


def _sized(shape: Shape, chance: Random) -> list[Site]:
    """Hosts whose sizes are log-normal and add up to the number of pages."""
    weights = [exp(0.8 * BELL.inv_cdf(chance.random() or 0.5)) for _ in range(shape.sites)]
    ends = list(accumulate(weights))
    # Every host gets the minimum; the rest is shared by weight. Rounding the borders, not the sizes, keeps the sum.
    rest = shape.pages - MIN_SITE_PAGES * shape.sites
    borders = [MIN_SITE_PAGES * i + round(rest * end / ends[-1]) for i, end in enumerate([0.0, *ends])]
    return [Site(i, start, end - start) for i, (start, end) in enumerate(pairwise(borders))]


def _some(sites: list[Site], share: float, chance: Random) -> list[Site]:
    """Exactly this share of the hosts, in a random order."""
    shuffled = sorted(sites, key=lambda site: (chance.random(), site.index))
    return shuffled[: round(share * len(sites))]


def _choose_kinds(sites: list[Site], shape: Shape, chance: Random) -> None:
    for site in _some(sites, shape.noise, chance):
        site.kind = "noise"
    topical = [site for site in sites if site.kind == "topical"]
    for site in _some(topical, shape.islands, chance):
        site.kind = "island"


def _plan_topics(sites: list[Site], shape: Shape, chance: Random) -> None:
    """Give each host the topics that have too few pages so far."""
    # A small labyrinth has fewer topics, so that each of them has enough pages.
    topics = min(len(LEAVES), max(4, shape.pages // 20))
    planned_pages = [chance.random() for _ in range(topics)]

    def most_wanted() -> int:
        return min(range(topics), key=lambda topic: planned_pages[topic] / TOPIC_WEIGHTS[topic % 3])

    # Islands come last, so that their topics also exist on the mainland.
    for site in sorted(sites, key=lambda site: (site.kind == "island", site.index)):
        if site.kind == "noise":
            continue
        site.topic = most_wanted()
        others = _other_topics(site, topics, chance) if site.kind == "topical" else []
        main_share = min(0.95, shape.purity * (0.85 + 0.3 * chance.random())) if others else 1.0
        site.plan = [(site.topic, main_share)]
        planned_pages[site.topic] += main_share * site.size
        for other in others:
            topic = most_wanted() if other is None or other == site.topic else other
            share = (1 - main_share) / len(others)
            site.plan.append((topic, share))
            planned_pages[topic] += share * site.size


def _other_topics(site: Site, topics: int, chance: Random) -> list[int | None]:
    """The topics of further sections: siblings take turns with None, which stands for the most wanted topic."""
    near = [topic for topic in siblings(site.topic) if topic < topics]
    # A few hosts have many topics, but no more than leave about five pages for each section.
    wanted = 5 if chance.random() < 0.12 else int(4 * chance.random())
    others: list[int | None] = []
    for place in range(min(site.size // 5, wanted)):
        is_sibling = place % 2 == 0 and place // 2 < len(near)
        others.append(near[place // 2] if is_sibling else None)
    return others


def _dig_tunnels(sites: list[Site], shape: Shape, chance: Random) -> None:
    """Lead tunnels to every island from a host on its topic; an island that gets none joins the mainland."""
    gates: list[Site] = []
    if shape.tunnels:
        for topic in range(len(LEAVES)):
            gates += _connect_islands(sites, topic)
    room = sum(site.size for site in gates)
    for site in gates:
        site.length = 2 + int(3 * chance.random())
        pages = min(shape.tunnels * shape.pages / room, MAX_TUNNEL_SHARE) * site.size
        site.chains = max(1, round(pages / site.length))
    reached = {site.island for site in gates}
    for site in sites:
        if site.kind == "island" and site.index not in reached:
            site.kind = "topical"


def _connect_islands(sites: list[Site], topic: int) -> list[Site]:
    """Assign the islands of a topic to its larger mainland hosts in turn; return these hosts."""
    on_topic = [site for site in sites if site.topic == topic]
    islands = [site for site in on_topic if site.kind == "island"]
    if not islands:
        return []
    gates = [site for site in on_topic if site.kind == "topical" and site.size >= MIN_GATEWAY_PAGES]
    for number, site in enumerate(gates):
        site.island = islands[number % len(islands)].index
    return gates


def _lay_out_pages(sites: list[Site], shape: Shape) -> None:
    """Spread the hubs over the mainland, then fill each host with its sections."""
    room = sum(site.size for site in sites if site.kind == "topical")
    # Both are running totals: what one host is too small for, or what rounding takes, the next host makes up.
    due = 0.0
    hubs = 0
    for site in sites:
        if site.kind == "topical":
            due += shape.hubs * shape.pages * site.size / room
        site.first_hub = hubs
        site.hubs = max(0, min(int(due) - hubs, site.size // 3 - 1))
        hubs += site.hubs
        site.pool = Pool(_sections(site))


def _sections(site: Site) -> list[Section]:
    """The sections of a host, one after the other, with the shares of its plan."""
    if site.kind == "noise":
        return [Section(site.index, site.start, site.size, ADS)]
    left = site.start + site.size - site.content
    sections: list[Section] = []
    first = site.content
    shares = accumulate(share for _, share in site.plan)
    for (topic, _), share_so_far in zip(site.plan, shares, strict=True):
        end = site.content + round(left * share_so_far)
        if end > first:
            sections.append(Section(site.index, first, end - first, topic))
        first = end
    return sections


def _choose_styles(sites: list[Site], shape: Shape, chance: Random) -> None:
    for site in _some(sites, shape.charsets, chance):
        site.charset = CHARSETS[int(len(CHARSETS) * chance.random())]
        site.in_header = chance.random() < 0.5
    for site in _some(sites, shape.german, chance):
        site.german = True
    for site in sites:
        site.style = STYLES[int(len(STYLES) * chance.random())]
        site.weight = exp(0.45 * BELL.inv_cdf(chance.random() or 0.5))
        site.robots = chance.random() < 0.85
    for site in _some(sites, 0.1, chance):
        site.delay = shape.crawl_delay
    naming_topics = _some(sites, shape.urls, chance)
    for site in naming_topics:
        site.style = NAMING[int(len(NAMING) * chance.random())]
    names = host_names([site.topic for site in sites], {site.index for site in naming_topics}, chance)
    for site, name in zip(sites, names, strict=True):
        site.name = name
