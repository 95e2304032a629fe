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
from clew.frontier import Frontier, State, Web
from clew.interests import Interest
from clew.store import Store
from clew.strategies import LinkSource
from clew.types import Candidate, Page

AT_HAND = 200
"""Pages kept in memory: reading one means parsing it again, and walkers come back to the same few."""


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
    _read: dict[str, Page] = field(default_factory=dict, init=False, repr=False)

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
        if not self.frontier.table.is_done(url):
            return None
        page = self._read.pop(url, None)
        if page is None and (page := self.store.page(url)):
            page = self._linked(page)
        if page:
            self._read[url] = page  # now the youngest
            if len(self._read) > AT_HAND:
                del self._read[next(iter(self._read))]
        return page

    def forget(self) -> None:
        """Pages have changed: read them again."""
        self._read.clear()

    def pages(self) -> Iterator[Page]:
        """All visited pages in order."""
        # While a crawl is replayed, the store is ahead of it.
        return (self._linked(page) for page in self.store.pages() if self.frontier.table.is_done(page.url))

    def candidate(self, url: str) -> Candidate | None:
        """A URL that waits, or None."""
        slot = self.frontier.table.find(url)
        if slot is None or self.frontier.table.state[slot] != State.QUEUED:
            return None
        return self.frontier.candidates([slot])[0]

    def candidates(self) -> Iterator[Candidate]:
        """All URLs that wait, in the order of their discovery."""
        return self.frontier.queued()

    def relevance(self, url: str) -> float:
        """How much a visited page is worth under the guiding interest; 0 for any other URL."""
        return self.frontier.relevance.of(url)

    @property
    def graph(self) -> Web:
        """All links so far."""
        if self.frontier.web is None:
            raise StrategyError("a strategy that looks at crawl.graph must say `graph = True`")
        return self.frontier.web

    def number(self, url: str) -> int | None:
        """Under which a known URL goes in the graph."""
        return self.frontier.table.find(url)

    def url(self, number: int) -> str:
        """The URL behind a number."""
        return self.frontier.entries([number])[0].url

    def links_to(self, url: str) -> int:
        """How many visited pages link to a known URL."""
        slot = self.frontier.table.find(url)
        return 0 if slot is None else self.frontier.table.n_links[slot]

    def relevances(self) -> NDArray[np.float64]:
        """By number: the relevance of each visited page, NaN for other URLs."""
        return self.frontier.relevance.all()

    def chance(self, *key: object) -> float:
        """Uniform in (0, 1), a pure function of the crawl's seed and the key."""
        return chance(self.what.seed, *key)

    def _linked(self, page: Page) -> Page:
        """With links as the frontier knows them."""
        if self.folded_url is None:
            return page
        return replace(page, links=tuple([link._replace(url=self.folded_url(link.url)) for link in page.links]))
