"""The labyrinth as a world: all its pages asked for once, as if they had been recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from clew.lab.known_labels import Labels
from clew.lab.recording import HOPS, Progress, opened
from clew.lab.snapshot import Snapshot
from clew.labyrinth import Labyrinth
from clew.parse import canonical, parse
from clew.types import Doc

PROBES = 20  # pages that tell whether the labyrinth is still made in the same way


@dataclass(frozen=True)
class LabyrinthWorld:
    """The pages of a labyrinth; dead links, print versions and circles lead out of it."""

    labyrinth: Labyrinth
    warnings: Sequence[str] = ()

    @property
    def place(self) -> tuple[object, ...]:
        """The labyrinth itself."""
        return (repr(self.labyrinth),)

    @property
    def inputs(self) -> tuple[object, ...]:
        """All that the packed form depends on."""
        probes = range(0, self.labyrinth.pages, max(1, self.labyrinth.pages // PROBES))
        bodies = b"".join(self.labyrinth.page(self.labyrinth.url(number)).body for number in probes)
        return repr(self.labyrinth), blake2b(bodies).hexdigest()

    @property
    def urls(self) -> Sequence[str]:
        """Of the pages, in order."""
        return list(self._pages)

    def docs(self) -> Iterator[Doc]:
        """The pages parsed."""
        for url in self._pages:
            answer = self.labyrinth.page(url)
            yield parse(answer.body, url, dict(answer.headers)["Content-Type"])

    def follow(self, url: str) -> int | None:
        """The page to which a URL leads."""
        for _ in range(HOPS):
            target = "" if url in self._pages else dict(self.labyrinth.page(url).headers).get("Location", "")
            if not target:
                break
            url = canonical(target, url) or ""
        return self._pages.get(url)

    @cached_property
    def _pages(self) -> dict[str, int]:
        return {self.labyrinth.url(number): number for number in range(self.labyrinth.pages)}


def snapshot(labyrinth: Labyrinth, name: str = "labyrinth", progress: Progress | None = None) -> Snapshot:
    """The labyrinth standing still, with its own truth."""
    packed = opened("labyrinth", LabyrinthWorld(labyrinth), progress)
    pages = {topic: list(labyrinth.pages_on(topic)) for topic in labyrinth.taxonomy}
    parents = {topic: parent for topic, parent in labyrinth.taxonomy.items() if parent in labyrinth.taxonomy}
    return Snapshot(name, packed, Labels({topic: found for topic, found in pages.items() if found}, parents=parents))
