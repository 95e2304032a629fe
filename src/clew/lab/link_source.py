"""What lies outside the link graph of a crawl on a world that stands still: the world knows it all."""

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
class SnapshotLinkSource:
    """Back-links, search and lists of hosts of a world; nothing is worked out before it is asked for."""

    world: World

    def prepared(self) -> SnapshotLinkSource:
        """With everything worked out now: it should not count for whoever asks first."""
        _ = self._back, self._index, self._hosts
        return self

    def linking_to(self, url: str, most: int = 20) -> list[str]:
        """Pages that link there, in the order of the world."""
        page = self.world.id_of(url)
        return [] if page is None else [self.world.urls[source] for source in self._back.out(page)[:most].tolist()]

    def about(self, words: str, most: int = 20) -> list[str]:
        """Pages that fit the words."""
        return self._index.search(terms(words), most)

    def listed(self, host: str, most: int = 100) -> list[str]:
        """Pages of a host."""
        return self._hosts.get(host, [])[:most]

    def terms(self, url: str) -> Mapping[str, int]:
        """Of a page."""
        page = self.world.id_of(url)
        return {} if page is None else self.world.doc(page).terms

    @cached_property
    def _back(self) -> LinkGraph:
        return self.world.graph.reverse()

    @cached_property
    def _index(self) -> SearchIndex:
        return SearchIndex((url, self.world.doc(page).terms) for page, url in enumerate(self.world.urls))

    @cached_property
    def _hosts(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for url in self.world.urls:
            found.setdefault(host(url), []).append(url)
        return found
