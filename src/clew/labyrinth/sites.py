"""The hosts of a labyrinth: the only tables it keeps, and they grow with hosts, not with pages."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from math import exp
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from clew.labyrinth.host_names import CHARSETS, NAMING, STYLES, host_names
from clew.labyrinth.shape import Shape
from clew.labyrinth.wordlists import ADS, LEAVES, siblings

SMALLEST = 3  # pages of a host
GATEWAY = 12  # pages a host must have to hold tunnels
BELL = NormalDist()


class Section(NamedTuple):
    """A run of pages of one host on one topic."""

    site: int
    first: int
    size: int
    topic: int


class Pool:
    """Sections to draw pages from; a section's first pages are drawn more often, as front pages are."""

    def __init__(self, sections: list[Section]) -> None:
        self.sections = sections
        self.ends = list(accumulate(section.size for section in sections))
        self.total = self.ends[-1] if sections else 0

    def draw(self, share: float) -> tuple[Section, int]:
        """The section and the page that stand at this share of the pool."""
        place = share * self.total
        index = bisect_right(self.ends, place)
        section = self.sections[index]
        within = 1 - (self.ends[index] - place) / section.size
        return section, section.first + int(section.size * within**1.5)


@dataclass(slots=True)
class Site:
    """One host: home page, hubs, tunnels, then sections of content; of a noise host all pages are noise."""

    index: int
    start: int
    size: int
    kind: str = "topical"  # or "noise" or "island"
    topic: int = ADS
    plan: list[tuple[int, float]] = field(default_factory=list)  # topics and their shares
    hubs: int = 0
    first_hub: int = 0  # how many hubs stand on earlier hosts
    chains: int = 0  # of tunnel pages
    length: int = 3  # of each chain
    island: int = -1  # the host that its tunnels lead to
    pool: Pool = field(default_factory=lambda: Pool([]))
    name: str = ""
    style: str = "node"
    german: bool = False
    charset: str = "utf-8"
    in_header: bool = True  # where the charset is declared; otherwise in the document
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
    _cast(sites, shape, chance)
    _plan(sites, min(len(LEAVES), max(4, shape.pages // 20)), shape, chance)
    _dig(sites, shape, chance)
    _settle(sites, shape)
    _furnish(sites, shape, chance)
    return sites


def _sized(shape: Shape, chance: Random) -> list[Site]:
    """Sizes are log-normal and add up to the number of pages."""
    ends = list(accumulate(exp(0.8 * BELL.inv_cdf(chance.random() or 0.5)) for _ in range(shape.sites)))
    rest = shape.pages - SMALLEST * shape.sites
    starts = [SMALLEST * i + round(rest * end / ends[-1]) for i, end in enumerate([0.0, *ends])]
    return [Site(i, starts[i], starts[i + 1] - starts[i]) for i in range(shape.sites)]


def _some(sites: list[Site], share: float, chance: Random) -> list[Site]:
    """Exactly this share of the hosts, in a random order."""
    shuffled = sorted(sites, key=lambda site: (chance.random(), site.index))
    return shuffled[: round(share * len(sites))]


def _cast(sites: list[Site], shape: Shape, chance: Random) -> None:
    for site in _some(sites, shape.noise, chance):
        site.kind = "noise"
    for site in _some([site for site in sites if site.kind == "topical"], shape.islands, chance):
        site.kind = "island"


def _plan(sites: list[Site], topics: int, shape: Shape, chance: Random) -> None:
    """Give each host the topic that is most behind its due; islands last, so that theirs exist elsewhere."""
    given = [chance.random() for _ in range(topics)]

    def behind() -> int:
        return min(range(topics), key=lambda t: given[t] / (1.15, 1.0, 0.85)[t % 3])

    for site in sorted(sites, key=lambda site: (site.kind == "island", site.index)):
        if site.kind == "noise":
            continue
        site.topic = behind()
        others = _others(site, topics, chance) if site.kind == "topical" else []
        main = min(0.95, shape.purity * (0.85 + 0.3 * chance.random())) if others else 1.0
        site.plan = [(site.topic, main)]
        given[site.topic] += main * site.size
        for other in others:
            topic = behind() if other < 0 or other == site.topic else other
            site.plan.append((topic, (1 - main) / len(others)))
            given[topic] += site.plan[-1][1] * site.size


def _others(site: Site, topics: int, chance: Random) -> list[int]:
    """The further sections: half of them on a sibling topic, -1 for whatever is needed."""
    near = [topic for topic in siblings(site.topic) if topic < topics]
    count = min(site.size // 5, 5 if chance.random() < 0.12 else int(4 * chance.random()))
    return [near[k // 2] if k % 2 == 0 and k // 2 < len(near) else -1 for k in range(count)]


def _dig(sites: list[Site], shape: Shape, chance: Random) -> None:
    """Lead tunnels to every island from a host on its topic; an island that gets none joins the mainland."""
    gates = [site for topic in range(len(LEAVES)) for site in _gates(sites, topic) if shape.tunnels]
    room = sum(site.size for site in gates)
    for site in gates:
        site.length = 2 + int(3 * chance.random())
        pages = min(shape.tunnels * shape.pages / room, 0.4) * site.size
        site.chains = max(1, round(pages / site.length))
    reached = {site.island for site in gates}
    for site in sites:
        if site.kind == "island" and site.index not in reached:
            site.kind = "topical"


def _gates(sites: list[Site], topic: int) -> list[Site]:
    islands = [site for site in sites if site.kind == "island" and site.topic == topic]
    mainland = [s for s in sites if s.kind == "topical" and s.topic == topic and s.size >= GATEWAY]
    for number, site in enumerate(mainland if islands else ()):
        site.island = islands[number % len(islands)].index
    return mainland if islands else []


def _settle(sites: list[Site], shape: Shape) -> None:
    """Spread the hubs over the mainland, then fill each host with its sections."""
    room = sum(site.size for site in sites if site.kind == "topical")
    due, hubs = 0.0, 0
    for site in sites:
        if site.kind == "topical":
            due += shape.hubs * shape.pages * site.size / room
        site.first_hub = hubs
        site.hubs = max(0, min(int(due) - hubs, site.size // 3 - 1))
        hubs += site.hubs
        site.pool = Pool(_sections(site))


def _sections(site: Site) -> list[Section]:
    if site.kind == "noise":
        return [Section(site.index, site.start, site.size, ADS)]
    left = site.start + site.size - site.content
    cuts = [site.content + round(left * part) for part in accumulate((s for _, s in site.plan), initial=0.0)]
    runs = zip(site.plan, pairwise(cuts), strict=True)
    return [Section(site.index, first, end - first, topic) for (topic, _), (first, end) in runs if end > first]


def _furnish(sites: list[Site], shape: Shape, chance: Random) -> None:
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
    telling = _some(sites, shape.urls, chance)
    for site in telling:
        site.style = NAMING[int(len(NAMING) * chance.random())]
    names = host_names([site.topic for site in sites], {site.index for site in telling}, chance)
    for site, name in zip(sites, names, strict=True):
        site.name = name
