"""What a strategy may look at of the crawl it guides; read-only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import chance
from clew.config import What
from clew.core.stats import Tally
from clew.errors import StrategyError
from clew.frontier import CrawlGraph, Frontier
from clew.interests import Interest
from clew.store import Store
from clew.strategies import LinkSource
from clew.types import Candidate, Page

MAX_CACHED_PAGES = 200
"""Reading a page means parsing it again, and walkers come back to the same few."""


@dataclass
class CrawlView:
    """Implements `strategies.Crawl` over the engine's parts; the interest is the guiding one."""

    interest: Interest
    what: What
    frontier: Frontier
    store: Store
    tally: Tally
    link_source: LinkSource | None = None
    folded_url: Callable[[str], str] | None = None  # the URL under which that of a link is known, if they may differ
    _cached: dict[str, Page] = field(default_factory=dict, init=False, repr=False)

    @property
    def seeds(self) -> Sequence[str]:
        """The start pages."""
        return self.what.seeds

    @property
    def reserve(self) -> Sequence[str]:
        """Further start pages, for when nothing else is left."""
        return self.what.reserve

    @property
    def visited(self) -> int:
        """Pages so far, failures included."""
        return self.tally.visited

    @property
    def relevant(self) -> int:
        """Relevant pages so far."""
        return self.tally.relevant

    @property
    def waiting(self) -> int:
        """Candidates in the frontier."""
        return self.frontier.waiting

    def page(self, url: str) -> Page | None:
        """A visited page."""
        if not self.frontier.is_visited(url):
            return None
        page = self._cached.pop(url, None) or self._from_store(url)
        if page:
            # Inserted again, it is the youngest; the oldest makes room.
            self._cached[url] = page
            if len(self._cached) > MAX_CACHED_PAGES:
                del self._cached[next(iter(self._cached))]
        return page

    def forget(self) -> None:
        """Pages have changed: read them again."""
        self._cached.clear()

    def pages(self) -> Iterator[Page]:
        """All visited pages in order."""
        # While a crawl is replayed, the store is ahead of it.
        return (self._linked(page) for page in self.store.pages() if self.frontier.is_visited(page.url))

    def candidate(self, url: str) -> Candidate | None:
        """A URL that waits, or None."""
        return self.frontier.candidate(url)

    def candidates(self) -> Iterator[Candidate]:
        """All URLs that wait, in the order of their discovery."""
        return self.frontier.queued()

    def relevance(self, url: str) -> float:
        """How much a visited page is worth under the guiding interest; 0 for any other URL."""
        return self.frontier.relevance_of(url)

    @property
    def graph(self) -> CrawlGraph:
        """All links so far."""
        if self.frontier.graph is None:
            raise StrategyError("a strategy that looks at crawl.graph must say `needs_graph = True`")
        return self.frontier.graph

    def number(self, url: str) -> int | None:
        """Under which a known URL goes in the graph."""
        return self.frontier.find(url)

    def url(self, number: int) -> str:
        """The URL behind a number."""
        return self.frontier.url(number)

    def links_to(self, url: str) -> int:
        """How many visited pages link to a known URL."""
        return self.frontier.inlinks(url)

    def relevances(self) -> NDArray[np.float64]:
        """By number: the relevance of each visited page, NaN for other URLs."""
        return self.frontier.relevances()

    def chance(self, *key: object) -> float:
        """Uniform in (0, 1), a pure function of the crawl's seed and the key."""
        return chance(self.what.seed, *key)

    def _from_store(self, url: str) -> Page | None:
        page = self.store.page(url)
        return self._linked(page) if page else None

    def _linked(self, page: Page) -> Page:
        """With links as the frontier knows them."""
        if self.folded_url is None:
            return page
        links = [link._replace(url=self.folded_url(link.url)) for link in page.links]
        return replace(page, links=tuple(links))
