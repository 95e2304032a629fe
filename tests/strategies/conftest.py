from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from clew.testing.tiny_web import TinyWeb, TinyWebInterest
from clew.types import Candidate, Link, Page


@dataclass
class Desk:
    """A crawl on paper: the pages and candidates that a test lays down."""

    interest: TinyWebInterest = field(default_factory=lambda: TinyWebInterest(TinyWeb(), threshold=0.2))
    seeds: Sequence[str] = ("s",)
    reserve: Sequence[str] = ()
    relevant: int = 0
    waiting: int = 0
    seen: dict[str, Page] = field(default_factory=dict)

    @property
    def visited(self) -> int:
        return len(self.seen)

    def page(self, url: str) -> Page | None:
        return self.seen.get(url)

    def pages(self) -> Iterator[Page]:
        return iter(self.seen.values())

    def candidate(self, url: str) -> Candidate | None:
        return None

    def candidates(self) -> Iterator[Candidate]:
        return iter(())

    def relevance(self, url: str) -> float:
        return self.seen[url].relevance if url in self.seen else 0.0

    def chance(self, *key: object) -> float:
        return 0.5

    def lay(self, url: str, relevance: float, targets: str = "", inlinks: Sequence[Link] = ()) -> Page:
        links = tuple(Link(url, target) for target in targets)
        page = Page(
            url,
            relevance=relevance,
            relevant=relevance >= self.interest.threshold,
            links=links,
            inlinks=tuple(inlinks),
        )
        self.seen[url] = page
        return page


@pytest.fixture
def desk() -> Desk:
    return Desk()
