"""What a crawl knows of other shards: where a URL is at home, and the letters that go there and come from there.

A shard is one process of a crawl that several share. Its home decides who visits a URL: the shard of its registered
domain. A crawl on its own has one shard, and `Alone` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from clew.frontier import Moved
from clew.types import Link


class Links(NamedTuple):
    """The links of one visited page to the pages of one other shard."""

    url: str  # of the page
    depth: int
    relevance: float  # its relevance under the guiding interest
    links: tuple[Link, ...]
    note: Any = None  # what the strategy must know of the page there


class News(NamedTuple):
    """Links that a page has got since its visit, to pages of one other shard."""

    url: str  # of the page
    depth: int
    relevance: float
    links: tuple[Link, ...]


class Redirect(NamedTuple):
    """A visit that led to a page of another shard: what spoke for it now speaks for that page."""

    url: str  # the target
    moved: Moved
    relevances: tuple[float, ...]  # of the pages from which its links come
    score: float
    start: str = ""  # the start page that has this new address


class Home(NamedTuple):
    """A start page has moved here: the place counts as one of the start pages in all shards."""

    url: str


class Lesson(NamedTuple):
    """What the strategy of another shard has learned from a visit."""

    state: Any


Letter = Links | News | Redirect | Home | Lesson


class Port(Protocol):
    """The way to the other shards; silent while a crawl is replayed, for its letters have been sent."""

    @property
    def is_alone(self) -> bool:
        """Whether there are no other shards."""
        ...

    def is_home(self, url: str) -> bool:
        """Whether this shard visits the URL."""
        ...

    def split(self, links: tuple[Link, ...]) -> tuple[tuple[Link, ...], Mapping[int, list[Link]]]:
        """The links to pages of this shard, and those to pages of others, by shard."""
        ...

    def home_of(self, url: str) -> int:
        """The number of the shard that visits the URL."""
        ...

    def send(self, to: int | None, letter: Letter) -> None:
        """Send a letter to one shard, or to all others."""
        ...

    def received_before(self, order: float) -> Iterator[Sequence[Letter]]:
        """In a replay: the pieces of mail that were taken in before this visit and that were not asked for yet."""
        ...


@dataclass(frozen=True)
class Alone:
    """The port of a crawl that is one process: everything is at home.

    >>> Alone().is_home("http://a.example/"), list(Alone().received_before(7))
    (True, [])
    """

    is_alone: bool = True

    def is_home(self, url: str) -> bool:
        """Every URL is."""
        return True

    def home_of(self, url: str) -> int:
        """The only shard there is."""
        return 0

    def split(self, links: tuple[Link, ...]) -> tuple[tuple[Link, ...], Mapping[int, list[Link]]]:
        """All links stay here."""
        return links, {}

    def send(self, to: int | None, letter: Letter) -> None:
        """There is nobody to send it to."""

    def received_before(self, order: float) -> Iterator[Sequence[Letter]]:
        """Nobody writes."""
        return iter(())


def at_home(port: Port, urls: Iterable[str]) -> list[str]:
    """Those of the URLs that this shard visits."""
    return [url for url in urls if port.is_home(url)]
