"""Back-links, searches and page lists for simulated crawls, answered from the world itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from clew.core.history import SearchIndex
from clew.lab.link_graph import LinkGraph
from clew.lab.worlds import World
from clew.parse import host
from clew.text.terms import terms


@dataclass(frozen=True, eq=False)
class SnapshotSearchSource:
    """Back-links, searches and page lists of hosts in a world; each index is built on first use."""

    world: World

    def prepared(self) -> SnapshotSearchSource:
        """The same link source with all indexes built."""
        # Cached properties: the first strategy that asks must not pay for all others.
        _ = (self._reversed, self._index, self._hosts)
        return self

    def backlinks(self, url: str, most: int = 20) -> list[str]:
        """Up to `most` pages that link to a URL, in the order of the world."""
        page = self.world.id_of(url)
        if page is None:
            return []
        return [self.world.urls[source] for source in self._reversed.out(page)[:most].tolist()]

    def search(self, words: str, most: int = 20) -> list[str]:
        """Up to `most` pages that match the words, the best first."""
        return self._index.search(terms(words), most)

    def listed(self, host: str, most: int = 100) -> list[str]:
        """Up to `most` pages of a host."""
        return self._hosts.get(host, [])[:most]

    def terms(self, url: str) -> Mapping[str, int]:
        """The terms of a page; none if it is not in the world."""
        page = self.world.id_of(url)
        return {} if page is None else self.world.doc(page).terms

    @cached_property
    def _reversed(self) -> LinkGraph:
        return self.world.graph.reverse()

    @cached_property
    def _index(self) -> SearchIndex:
        return SearchIndex((url, self.world.doc(page).terms) for page, url in enumerate(self.world.urls))

    @cached_property
    def _hosts(self) -> dict[str, list[str]]:
        pages: dict[str, list[str]] = {}
        for url in self.world.urls:
            pages.setdefault(host(url), []).append(url)
        return pages
