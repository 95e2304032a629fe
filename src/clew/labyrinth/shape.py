"""The settings of a labyrinth, and named sets of them, called regimes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from clew.errors import ConfigError

POOR: Final = {"anchors_informative": 0.06, "anchors_empty": 0.3, "anchors_misleading": 0.0, "urls": 0.06}
TUNNEL: Final = {"locality": 0.12, "purity": 0.35, "hubs": 0.05, "tunnels": 0.12, "islands": 0.4}

# Regimes differ in how far anchors and neighbouring pages can be trusted.
REGIMES: Final[dict[str, dict[str, float]]] = {
    "plain": {},
    "easy": {"anchors_informative": 0.95, "anchors_empty": 0.0, "anchors_misleading": 0.0},
    "poor": POOR,
    "mislead": {"anchors_informative": 0.4, "anchors_empty": 0.05, "anchors_misleading": 0.5, "urls": 0.2},
    "tunnel": TUNNEL,  # few topical links outside hubs, and many relevant pages behind irrelevant ones
    "deep": TUNNEL | POOR,
}


@dataclass(frozen=True)
class Shape:
    """The size and the character of a labyrinth; every share is between 0 and 1.

    >>> Shape(pages=2000).sites
    76
    """

    pages: int = 2000
    seed: int = 1
    sites: int = 0  # hosts; 0: pages ** 0.57
    kilobytes: float = 30.0  # median size of a page
    locality: float = 0.6  # of the links in texts, which stay on the topic or a sibling
    purity: float = 0.65  # of a host's pages, which are on its main topic
    hubs: float = 0.03  # of all pages: lists of links, not relevant themselves
    tunnels: float = 0.05  # of all pages: irrelevant ones, the only way to islands
    islands: float = 0.2  # of the hosts with a topic
    noise: float = 0.12  # of all hosts: they lead only to each other
    anchors_informative: float = 0.5  # of the links in texts: they name the target's topic
    anchors_empty: float = 0.15  # of the links in texts: they hold a picture and no words
    anchors_misleading: float = 0.1  # of the links in texts: they name the source's topic; the rest is small talk
    urls: float = 0.35  # of all hosts: their URLs name topics
    redirects: float = 0.04  # of the links in texts
    dead: float = 0.03  # of the links in texts
    blocked: float = 0.02  # of the links in texts: robots.txt forbids them
    german: float = 0.1  # of all hosts
    charsets: float = 0.15  # of all hosts: not in UTF-8
    wrong: float = 0.05  # of the pages of those hosts: they declare a charset other than the one they use
    crawl_delay: float = 0.0  # seconds; if above 0, one host in ten asks for it

    def __post_init__(self) -> None:
        if not 100 <= self.pages <= 10_000_000:
            raise ConfigError(f"a labyrinth must have 100 to 10,000,000 pages, not {self.pages:,}")
        if self.sites == 0:
            # Frozen, so that equal settings mean an equal web; this fills in a default.
            object.__setattr__(self, "sites", round(self.pages**0.57))
        if not 8 <= self.sites <= self.pages // 5:
            raise ConfigError(
                f"a labyrinth of {self.pages:,} pages must have 8 to {self.pages // 5:,} sites, not {self.sites:,}"
            )
        if self.anchors_informative + self.anchors_empty + self.anchors_misleading > 1:
            raise ConfigError(
                "anchors_informative, anchors_empty and anchors_misleading must not add up to more than 1"
            )
        # All settings after the sizes are shares, but for the Crawl-delay at the end.
        for setting in fields(Shape)[4:-1]:
            share = getattr(self, setting.name)
            if not 0 <= share <= 1:
                raise ConfigError(f"{setting.name} must be a share between 0 and 1, not {share:g}")
