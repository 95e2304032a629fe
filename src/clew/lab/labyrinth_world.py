"""The labyrinth as a world: each page is requested once, as if it had been recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from clew.lab.known_labels import Labels
from clew.lab.recording import MAX_REDIRECTS, Progress, opened
from clew.lab.snapshot import Snapshot
from clew.labyrinth import Web
from clew.parse import canonical, parse
from clew.types import Doc

PROBE_PAGES = 20  # pages whose content shows whether the labyrinth is still generated in the same way


@dataclass(frozen=True)
class LabyrinthWorld:
    """The pages of a labyrinth; dead links, print versions and redirect loops lead out of it."""

    labyrinth: Web
    warnings: Sequence[str] = ()

    @property
    def place(self) -> tuple[object, ...]:
        """The labyrinth itself."""
        return (repr(self.labyrinth),)

    @property
    def inputs(self) -> tuple[object, ...]:
        """Everything that the packed form depends on."""
        # A sample: to hash every page, the whole labyrinth would have to be generated each time it is opened.
        probes = range(0, self.labyrinth.pages, max(1, self.labyrinth.pages // PROBE_PAGES))
        bodies = b"".join(self.labyrinth.page(self.labyrinth.url(number)).body for number in probes)
        return repr(self.labyrinth), blake2b(bodies).hexdigest()

    @property
    def urls(self) -> Sequence[str]:
        """The URLs of the pages, in order."""
        return list(self._pages)

    def docs(self) -> Iterator[Doc]:
        """The parsed pages."""
        for url in self._pages:
            response = self.labyrinth.page(url)
            yield parse(response.body, url, dict(response.headers)["Content-Type"])

    def follow(self, url: str) -> int | None:
        """The page to which a URL leads, after redirects."""
        for _ in range(MAX_REDIRECTS):
            if url in self._pages:
                break
            target = dict(self.labyrinth.page(url).headers).get("Location", "")
            if not target:
                break
            url = canonical(target, url) or ""
        return self._pages.get(url)

    @cached_property
    def _pages(self) -> dict[str, int]:
        return {self.labyrinth.url(number): number for number in range(self.labyrinth.pages)}


def snapshot(labyrinth: Web, name: str = "labyrinth", progress: Progress | None = None) -> Snapshot:
    """A snapshot of a labyrinth, labelled with the labyrinth's own truth."""
    packed = opened("labyrinth", LabyrinthWorld(labyrinth), progress)
    members = {topic: list(labyrinth.pages_on(topic)) for topic in labyrinth.taxonomy}
    # A small labyrinth has no pages on some topics; worlds know only topics that can be found.
    pages = {topic: found for topic, found in members.items() if found}
    parents = {topic: parent for topic, parent in labyrinth.taxonomy.items() if parent in labyrinth.taxonomy}
    keywords = {topic: tuple(labyrinth.keywords(topic)) for topic in pages}
    return Snapshot(name, packed, Labels(pages, parents=parents, keywords=keywords))
