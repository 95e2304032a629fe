"""The read-only view of a crawl that its strategy gets."""

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
from clew.strategies import TextSource
from clew.types import Candidate, Page

MAX_CACHED_PAGES = 200
"""Reading a page means parsing it again, and strategies that walk the graph return to the same few pages."""


@dataclass
class CrawlView:
    """Implements `strategies.Crawl` with the parts of the engine; the interest is the one that guides the strategy."""

    interest: Interest
    what: What
    frontier: Frontier
    store: Store
    tally: Tally
    search_source: TextSource | None = None
    folded_url: Callable[[str], str] | None = None  # maps the URL of a link to the one the frontier uses
    current: Page | None = None  # the page of the visit that is being taken in; the store does not have it yet
    _cached: dict[str, Page] = field(default_factory=dict, init=False, repr=False)

    @property
    def seeds(self) -> Sequence[str]:
        """The start pages."""
        return self.what.seeds

    @property
    def reserve(self) -> Sequence[str]:
        """Extra start pages, used only when no candidates are left."""
        return self.what.reserve

    @property
    def visited(self) -> int:
        """The number of visits so far, failures included."""
        return self.tally.visited

    @property
    def relevant(self) -> int:
        """The number of relevant pages so far."""
        return self.tally.relevant

    @property
    def waiting(self) -> int:
        """The number of candidates in the frontier."""
        return self.frontier.waiting

    def page(self, url: str) -> Page | None:
        """A visited page; None for any other URL."""
        if not self.frontier.is_visited(url):
            return None
        if self.current and url == self.current.url:
            return self._linked(self.current)
        page = self._cached.pop(url, None) or self._from_store(url)
        if page:
            # A dictionary keeps the order of insertion: this page is now the newest, and the oldest makes room.
            self._cached[url] = page
            if len(self._cached) > MAX_CACHED_PAGES:
                del self._cached[next(iter(self._cached))]
        return page

    def forget(self) -> None:
        """Empty the cache, because pages have changed."""
        self._cached.clear()

    def pages(self) -> Iterator[Page]:
        """All visited pages in order."""
        current = self.current
        for page in self.store.pages():
            # During a replay, the store also has the current page, and pages that the crawl has not reached yet.
            if self.frontier.is_visited(page.url) and not (current and page.url == current.url):
                yield self._linked(page)
        if current and self.frontier.is_visited(current.url):
            yield self._linked(current)

    def candidate(self, url: str) -> Candidate | None:
        """A candidate; None for any other URL."""
        return self.frontier.candidate(url)

    def candidates(self) -> Iterator[Candidate]:
        """All candidates, in the order of their discovery."""
        return self.frontier.queued()

    def relevance(self, url: str) -> float:
        """The relevance of a visited page under the guiding interest; 0 for any other URL."""
        return self.frontier.relevance_of(url)

    @property
    def graph(self) -> CrawlGraph:
        """All links so far."""
        if self.frontier.graph is None:
            raise StrategyError("a strategy that uses crawl.graph must set `needs_graph = True`")
        return self.frontier.graph

    def number(self, url: str) -> int | None:
        """The number of a known URL in the graph; None for an unknown one."""
        return self.frontier.find(url)

    def url(self, number: int) -> str:
        """The URL behind a number."""
        return self.frontier.url(number)

    def links_to(self, url: str) -> int:
        """How many visited pages link to a known URL."""
        return self.frontier.inlinks(url)

    def relevances(self) -> NDArray[np.float64]:
        """The relevance of each visited page, by number; NaN for other URLs."""
        return self.frontier.relevances()

    def chance(self, *key: object) -> float:
        """A number from (0, 1), uniformly distributed: a pure function of the seed of the crawl and the key."""
        return chance(self.what.seed, *key)

    def _from_store(self, url: str) -> Page | None:
        page = self.store.page(url)
        return self._linked(page) if page else None

    def _linked(self, page: Page) -> Page:
        """The page with the URLs of its links as the frontier uses them."""
        if self.folded_url is None:
            return page
        links = [link._replace(url=self.folded_url(link.url)) for link in page.links]
        return replace(page, links=tuple(links))
