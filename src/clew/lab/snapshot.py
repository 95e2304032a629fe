"""A snapshot of a web: its pages, parsed once, the links between them, and their topics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.base.chance import chance
from clew.errors import ConfigError
from clew.interests import Taxonomy
from clew.interests.syntax import Node, Predicate
from clew.lab import topics as topics_file
from clew.lab.known_labels import Labels, Truth
from clew.lab.link_graph import LinkGraph, Mask, components
from clew.lab.packing import Packed
from clew.lab.predicate_truth import passing
from clew.lab.recording import Progress, Recording, opened
from clew.parse import canonical, host
from clew.types import Doc, Fetched

__all__ = ["Snapshot", "SnapshotFetcher", "Truth"]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A closed web with known labels; pages are numbered in the order of the recording."""

    name: str
    packed: Packed = field(repr=False)
    labels: Labels = field(default_factory=Labels, repr=False)
    gone: frozenset[int] = field(default=frozenset(), repr=False)  # removed pages

    @classmethod
    def load(
        cls,
        paths: str | Path | Iterable[str | Path],
        topics: str | Path | Mapping[str, Any] | None = None,
        exclude: Iterable[str] = (),
        strip: Iterable[str] = (),
        name: str | None = None,
        progress: Progress | None = None,
    ) -> Snapshot:
        """The pages of WARC files, with the topics of a topics.json or of its content.

        Pages whose URLs begin with a prefix in `exclude` are left out, and elements that match a CSS selector in
        `strip` are removed from the others; a topics.json can name more of both (`exclude`, `leaks`). The files are
        parsed the first time, and read from the cache later.
        """
        files = tuple(map(Path, [paths] if isinstance(paths, str | Path) else paths))
        if missing := [str(path) for path in files if not path.is_file()]:
            raise ConfigError(f"there is no file {', '.join(missing)}")
        name = name or (files[0].name.partition(".")[0] if files else "snapshot")
        # Before the pages are parsed: a mistake in the topics should not cost minutes of work.
        labelled = topics_file.read(Path(topics)) if isinstance(topics, str | Path) else topics or {}
        exclude = (*exclude, *labelled.get("exclude", ()))
        strip = (*strip, *labelled.get("leaks", ()))
        recording = Recording(files, exclude, strip)
        packed = opened(name, recording, progress)
        labels = Labels.of(labelled, lambda url: packed.pages.get(canonical(url) or url), recording.exclude)
        return cls(name, packed, labels)

    def __len__(self) -> int:
        return len(self.packed)

    @property
    def warnings(self) -> list[str]:
        """Problems with the files, which results should mention."""
        missing = self.labels.missing
        if not missing:
            return self.packed.warnings
        warning = f"{self.name}: {len(missing):,} labelled URLs are not among the pages, such as {missing[0]}"
        if not self.topics:
            warning += "; so there are no topics"
        return [*self.packed.warnings, warning]

    @cached_property
    def digest(self) -> str:
        """Identifies the content: pages, parser, labels, and removed pages."""
        content = repr((self.packed.digest, self.labels, sorted(self.gone)))
        return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()

    @property
    def urls(self) -> Sequence[str]:
        """The URLs of all pages."""
        return self.packed.urls

    @cached_property
    def graph(self) -> LinkGraph:
        """The links between pages, each once, redirects followed; removed pages have none."""
        return self.packed.graph.only(self._present) if self.gone else self.packed.graph

    @cached_property
    def hosts(self) -> list[str]:
        """All hosts, in the order of their first pages."""
        return list(dict.fromkeys(map(host, self.urls)))

    @cached_property
    def topics(self) -> Mapping[str, int]:
        """The number of pages of each topic."""
        return {topic: len(pages) for topic, pages in self.labels.pages.items()}

    def title(self, topic: str) -> str:
        """The title of a topic."""
        return self.labels.names.get(topic, topic)

    def keywords(self, topic: str) -> tuple[str, ...]:
        """The words that texts on a topic use; () if nobody knows them."""
        return self.labels.keywords.get(topic, ())

    def id_of(self, url: str) -> int | None:
        """The page to which a canonical URL leads; None if it leads to none."""
        return self.packed.pages.get(url)

    def doc(self, page: int) -> Doc:
        """The parsed page, without the links that leave the snapshot."""
        return self.packed.doc(page)

    def fetcher(self) -> SnapshotFetcher:
        """A fetcher that answers from the snapshot."""
        return SnapshotFetcher(self.packed, self.gone)

    @property
    def taxonomy(self) -> Taxonomy:
        """The topics from general to special."""
        return self.labels.taxonomy

    def formula(self, topic: str) -> Node:
        """The syntax tree of a topic, or of a formula over topics and predicates; ConfigError if a topic is unknown."""
        return self.labels.formula(topic)

    def truth(self, topic: str) -> Truth:
        """For every page: 1 if it is relevant, 0 if not, -1 if unlabelled; the topic may be a formula."""
        return self.labels.truth(topic, len(self), self._test)

    def without(self, share: float, seed: int = 0) -> Snapshot:
        """The web after a share of its pages was removed; links to them fail, and page numbers stay the same."""
        if not 0.0 <= share < 1.0:
            raise ConfigError(f"the share of pages to remove must be at least 0 and less than 1, not {share}")
        present = np.array([chance(seed, "gone", url) >= share for url in self.urls]) & self._present
        gone = frozenset(np.flatnonzero(~present).tolist())
        # The name is the one by which `worlds.find` makes this world again.
        return replace(self, name=f"{self.name}~{share:g}:{seed}", labels=self.labels.without(~present), gone=gone)

    def reachable(self, pages: Iterable[int]) -> Mask:
        """For every page, whether it can be reached from these pages, which are included."""
        return self.graph.reach(list(pages))

    def seeds(self, topic: str, n: int, distance: int = 0, seed: int = 0) -> list[str]:
        """Up to n start pages from which the nearest page on the topic is this many links away.

        Pages from which the core of the web can be reached come first, in random order.
        """
        truth = self.truth(topic)
        # An unlabelled page may be on the topic itself, so its distance is not known.
        is_fitting = (self._reversed.distances(np.flatnonzero(truth == 1)) == distance) & (truth >= 0)
        candidates = []
        for page in np.flatnonzero(is_fitting).tolist():
            url = self.urls[page]
            # From an island no strategy finds anything, so islands come last.
            is_island = not self._reaches_core[page]
            candidates.append((is_island, chance(seed, "seeds", topic, distance, url), url))
        return [url for *_, url in sorted(candidates)[:n]]

    @cached_property
    def core(self) -> NDArray[np.int64]:
        """The largest set of pages that can all be reached from each other."""
        component = np.array(components(self.graph))
        return np.flatnonzero(component == np.bincount(component).argmax())

    def _test(self, predicate: Predicate) -> NDArray[np.float64]:
        """How far each page passes a predicate."""
        # Asked several times for each trial, and some predicates read the whole text of every page.
        if predicate not in self._tested:
            self._tested[predicate] = passing(self, predicate)
        return self._tested[predicate]

    @cached_property
    def _tested(self) -> dict[Predicate, NDArray[np.float64]]:
        return {}

    @cached_property
    def _present(self) -> Mask:
        present = np.ones(len(self), bool)
        present[list(self.gone)] = False
        return present

    @cached_property
    def _reversed(self) -> LinkGraph:
        return self.graph.reverse()

    @cached_property
    def _reaches_core(self) -> Mask:
        return self._reversed.reach(self.core)


@dataclass(frozen=True)
class SnapshotFetcher:
    """Answers at once from a snapshot, with parsed documents."""

    packed: Packed = field(repr=False)
    gone: frozenset[int] = field(default=frozenset(), repr=False)

    async def get(self, url: str) -> Fetched:
        """The page, a redirect to its final target, or 404."""
        page = self.packed.pages.get(url)
        if page is None or page in self.gone:
            return Fetched(url, 404)
        target = self.packed.urls[page]
        if target != url:
            return Fetched(url, 301, location=target)
        return Fetched(url, 200, doc=self.packed.doc(page))

    def pause(self, url: str) -> float:
        """No waiting: there is no server to be polite to."""
        return 0.0

    async def close(self) -> None:
        """Nothing to close."""
