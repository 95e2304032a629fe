"""A web that stands still: its pages, parsed once, the links between them, and what they are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import chance
from clew.errors import ConfigError
from clew.interests import Taxonomy
from clew.interests.syntax import Node
from clew.lab import topics as labelling
from clew.lab.known_labels import Labels
from clew.lab.link_graph import LinkGraph, Mask, components
from clew.lab.packing import Packed
from clew.lab.recording import Progress, Recording, opened
from clew.parse import canonical, host
from clew.types import Doc, Fetched

Truth = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A closed web with a known truth; pages go by number, in the order of the recording."""

    name: str
    packed: Packed = field(repr=False)
    labels: Labels = field(default_factory=Labels, repr=False)
    gone: frozenset[int] = field(default=frozenset(), repr=False)  # pages that are no longer there

    @classmethod
    def load(
        cls,
        paths: str | Path | Iterable[str | Path],
        topics: str | Path | None = None,
        exclude: Iterable[str] = (),
        strip: Iterable[str] = (),
        name: str | None = None,
        progress: Progress | None = None,
    ) -> Snapshot:
        """The pages of WARC files, with the topics of a topics.json.

        Pages whose URLs begin with one of the prefixes in `exclude` are not there, and elements that a CSS selector
        in `strip` finds are cut out of the others. The first time everything is parsed, later it comes from the cache.
        """
        files = tuple(map(Path, [paths] if isinstance(paths, str | Path) else paths))
        if missing := [str(path) for path in files if not path.is_file()]:
            raise ConfigError(f"there is no file {', '.join(missing)}")
        name = name or (files[0].name.partition(".")[0] if files else "snapshot")
        labelled = labelling.read(Path(topics)) if topics else {}  # first: a mistake here is told before all the work
        recording = Recording(files, tuple(exclude), tuple(strip))
        packed = opened(name, recording, progress)
        labels = Labels.of(labelled, lambda url: packed.pages.get(canonical(url) or url), recording.exclude)
        return cls(name, packed, labels)

    def __len__(self) -> int:
        return len(self.packed)

    @property
    def warnings(self) -> list[str]:
        """What was amiss with the files, for whoever uses the world."""
        if not (missing := self.labels.missing):
            return self.packed.warnings
        told = f"{self.name}: {len(missing):,} labelled URLs are not among the pages, such as {missing[0]}"
        return [*self.packed.warnings, told if self.topics else f"{told}; so there are no topics"]

    @cached_property
    def digest(self) -> str:
        """Names the content: pages, parser, labels, and what is gone."""
        content = repr((self.packed.digest, self.labels, sorted(self.gone)))
        return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()

    @property
    def urls(self) -> Sequence[str]:
        """All pages."""
        return self.packed.urls

    @cached_property
    def graph(self) -> LinkGraph:
        """The links between pages, each once, redirects followed; nothing leads to a page that is gone, or from it."""
        return self.packed.graph.only(self._there) if self.gone else self.packed.graph

    @cached_property
    def hosts(self) -> list[str]:
        """All hosts, in the order of their first pages."""
        return list(dict.fromkeys(map(host, self.urls)))

    @cached_property
    def topics(self) -> Mapping[str, int]:
        """How many pages each topic has."""
        return {topic: len(pages) for topic, pages in self.labels.pages.items()}

    def title(self, topic: str) -> str:
        """The topic's name for people."""
        return self.labels.names.get(topic, topic)

    def id_of(self, url: str) -> int | None:
        """The page to which a canonical URL leads, or None when it is not here."""
        return self.packed.pages.get(url)

    def doc(self, page: int) -> Doc:
        """What the parser made of a page; links that leave the snapshot are gone."""
        return self.packed.doc(page)

    def fetcher(self) -> SnapshotFetcher:
        """For `clew.simulate`."""
        return SnapshotFetcher(self.packed, self.gone)

    @property
    def taxonomy(self) -> Taxonomy:
        """Which topic is more general than which."""
        return self.labels.taxonomy

    def formula(self, topic: str) -> Node:
        """A topic, or a formula over topics, as its parts; ConfigError if it names what is not there."""
        return self.labels.formula(topic)

    def truth(self, topic: str) -> Truth:
        """For every page: 1 relevant, 0 not, -1 when nobody knows; the topic may be a formula over topics."""
        return self.labels.truth(topic, len(self))

    def without(self, share: float, seed: int = 0) -> Snapshot:
        """The same web after a while: a share of its pages is gone, links to them fail; numbers stay as they are."""
        if not 0.0 <= share < 1.0:
            raise ConfigError(f"the share of pages that are gone must be at least 0 and less than 1, but is {share}")
        there = np.array([chance(seed, "gone", url) >= share for url in self.urls]) & self._there
        gone = frozenset(np.flatnonzero(~there).tolist())
        return replace(self, name=f"{self.name}~{share:g}:{seed}", labels=self.labels.without(~there), gone=gone)

    def reachable(self, pages: Iterable[int]) -> Mask:
        """For every page whether a path leads to it from these pages, themselves included."""
        return self.graph.reach(list(pages))

    def seeds(self, topic: str, n: int, distance: int = 0, seed: int = 0) -> list[str]:
        """Up to n start pages from which the nearest page on the topic is this many links away.

        Pages that lead into the main part of the web come first: from an island no strategy finds anything.
        """
        truth = self.truth(topic)
        fitting = (self._backwards.distances(np.flatnonzero(truth == 1)) == distance) & (truth >= 0)
        drawn = [
            (not self._mainland[page], chance(seed, "seeds", topic, distance, self.urls[page]), self.urls[page])
            for page in np.flatnonzero(fitting).tolist()
        ]
        return [url for *_, url in sorted(drawn)[:n]]

    @cached_property
    def core(self) -> NDArray[np.int64]:
        """The largest set of pages that all lead to each other."""
        parts = np.array(components(self.graph))
        return np.flatnonzero(parts == np.bincount(parts).argmax())

    @cached_property
    def _there(self) -> Mask:
        there = np.ones(len(self), bool)
        there[list(self.gone)] = False
        return there

    @cached_property
    def _backwards(self) -> LinkGraph:
        return self.graph.reverse()

    @cached_property
    def _mainland(self) -> Mask:
        return self._backwards.reach(self.core)


@dataclass(frozen=True)
class SnapshotFetcher:
    """Answers at once from a snapshot, with documents that are parsed already."""

    packed: Packed = field(repr=False)
    gone: frozenset[int] = field(default=frozenset(), repr=False)

    async def get(self, url: str) -> Fetched:
        """The page, a redirect straight to where it leads in the end, or 404."""
        page = self.packed.pages.get(url)
        if page is None or page in self.gone:
            return Fetched(url, 404)
        if (home := self.packed.urls[page]) != url:
            return Fetched(url, 301, location=home)
        return Fetched(url, 200, doc=self.packed.doc(page))

    def pause(self, url: str) -> float:
        """Nobody needs to wait."""
        return 0.0

    async def close(self) -> None:
        """Nothing is open."""
