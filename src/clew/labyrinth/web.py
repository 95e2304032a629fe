"""What a synthetic web is to the server and to the laboratory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from clew.labyrinth.answer import Answer


class Web(Protocol):
    """A web whose pages are numbered and whose topics are known."""

    @property
    def pages(self) -> int:
        """How many pages it has."""
        ...

    @property
    def hosts(self) -> list[str]:
        """All host names."""
        ...

    @property
    def topics(self) -> list[str]:
        """The topics that have pages."""
        ...

    @property
    def taxonomy(self) -> Mapping[str, str]:
        """Each topic and its parent; the parent of the topmost topics is ANY."""
        ...

    def keywords(self, topic: str) -> Sequence[str]:
        """The words that texts on a topic use."""
        ...

    def url(self, number: int) -> str:
        """The URL of a page."""
        ...

    def pages_on(self, topic: str) -> Iterable[int]:
        """All relevant pages of a topic."""
        ...

    def seeds(self, topic: str, n: int) -> list[str]:
        """Up to n start pages on a topic."""
        ...

    def page(self, url: str) -> Answer:
        """The answer to a request for a URL."""
        ...

    def reply(self, url: str, nth: int = 0, now: float = 0.0) -> Answer:
        """The answer to a request after the host has had `nth` others."""
        ...
