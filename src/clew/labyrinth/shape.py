"""The settings of a labyrinth, and named regimes of them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from clew.errors import ConfigError

POOR: Final = {"anchors_informative": 0.06, "anchors_empty": 0.3, "anchors_misleading": 0.0, "urls": 0.06}
TUNNEL: Final = {"locality": 0.12, "purity": 0.35, "hubs": 0.05, "tunnels": 0.12, "islands": 0.4}

# How far can anchors and neighbours be trusted?
REGIMES: Final[dict[str, dict[str, float]]] = {
    "plain": {},
    "easy": {"anchors_informative": 0.95, "anchors_empty": 0.0, "anchors_misleading": 0.0},
    "poor": POOR,
    "mislead": {"anchors_informative": 0.4, "anchors_empty": 0.05, "anchors_misleading": 0.5, "urls": 0.2},
    "tunnel": TUNNEL,  # few topical links outside hubs, and much behind irrelevant pages
    "deep": TUNNEL | POOR,
}


@dataclass(frozen=True)
class Shape:
    """How big a labyrinth is and what it is like; every share is between 0 and 1.

    >>> Shape(pages=2000).sites
    76
    """

    pages: int = 2000
    seed: int = 1
    sites: int = 0  # hosts; 0: as many as pages ** 0.57
    kilobytes: float = 30.0  # median size of a page
    locality: float = 0.6  # of the links in texts that stay on the topic or a sibling
    purity: float = 0.65  # of a host's pages that are on its main topic
    hubs: float = 0.03  # of all pages: lists of links, not relevant themselves
    tunnels: float = 0.05  # of all pages: irrelevant ones that alone lead to islands
    islands: float = 0.2  # of the hosts with a topic
    noise: float = 0.12  # of all hosts: they lead nowhere
    anchors_informative: float = 0.5  # of the links in texts: these name the target's topic,
    anchors_empty: float = 0.15  # these say nothing at all,
    anchors_misleading: float = 0.1  # these name the source's topic; the rest is small talk
    urls: float = 0.35  # of all hosts: their URLs name topics
    redirects: float = 0.04  # of the links in texts
    dead: float = 0.03  # of the links in texts
    blocked: float = 0.02  # of the links in texts: robots.txt forbids them
    german: float = 0.1  # of all hosts
    charsets: float = 0.15  # of all hosts: not in UTF-8
    wrong: float = 0.05  # of the pages of those hosts: they declare another charset than they use
    crawl_delay: float = 0.0  # seconds; when above 0, one host in ten asks for it

    def __post_init__(self) -> None:
        if not 100 <= self.pages <= 10_000_000:
            raise ConfigError(f"a labyrinth has 100 to 10,000,000 pages, not {self.pages}")
        if self.sites == 0:
            object.__setattr__(self, "sites", round(self.pages**0.57))
        if not 8 <= self.sites <= self.pages // 5:
            raise ConfigError(f"{self.pages} pages need 8 to {self.pages // 5} sites, not {self.sites}")
        if self.anchors_informative + self.anchors_empty + self.anchors_misleading > 1:
            raise ConfigError("the shares of anchors are more than 1 together")
        for setting in fields(Shape)[4:-1]:
            if not 0 <= getattr(self, setting.name) <= 1:
                raise ConfigError(f"{setting.name} is a share between 0 and 1")
