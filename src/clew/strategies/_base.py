"""What a strategy is: it learns from pages and gives candidates scores; it never acts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, ClassVar, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from clew.base import codec
from clew.types import Candidate, Page

HOLD: Final = -math.inf
"""The score of a candidate that is kept but not fetched now."""


class All(Enum):
    """The one value of `ALL`: every candidate is stale."""

    ALL = "all"


ALL: Final = All.ALL
Stale = Iterable[str] | All


class Rating(Protocol):
    """The part of an interest that strategies use."""

    @property
    def threshold(self) -> float: ...
    def rate(self, text: str) -> float: ...
    def value(self, topics: Any) -> float: ...
    def wider(self, method: str = ..., counts: Any = ...) -> Any: ...


class Graph(Protocol):
    """The links of all visited pages; URLs go by the number of their discovery (`Candidate.found`)."""

    def out(self, source: int) -> Sequence[int]:
        """What a visited page links to."""
        ...

    def into(self, target: int) -> Sequence[int]:
        """The visited pages that link to a URL, in the order of their visits."""
        ...

    def edges(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Sources and targets of all links."""
        ...


class SearchSource(Protocol):
    """What a search engine knows of the web; the user gives one, and either method may be missing.

    Answers are recorded with the crawl: a crawl that is replayed gets the same ones, whatever the source says then.
    """

    def search(self, words: str, most: int = 20) -> Sequence[str]:
        """Pages that a search for these words finds, the best first."""
        ...

    def backlinks(self, url: str, most: int = 20) -> Sequence[str]:
        """Pages that link to this one."""
        ...


class TextSource(SearchSource, Protocol):
    """A search source as strategies see it: it may know texts and sites as well, as earlier crawls do."""

    def terms(self, url: str) -> Mapping[str, int]:
        """The terms of a page, without a visit; empty when they are not known."""
        ...

    def listed(self, host: str, most: int = 100) -> Sequence[str]:
        """Pages of a host; empty when they are not known."""
        ...


class Crawl(Protocol):
    """What a strategy may look at; read-only."""

    @property
    def interest(self) -> Rating:
        """The interest, which rates short texts: `interest.rate(link.anchor)`."""
        ...

    @property
    def seeds(self) -> Sequence[str]:
        """The start pages."""
        ...

    @property
    def reserve(self) -> Sequence[str]:
        """The start pages that are visited only when no candidates are left."""
        ...

    @property
    def visited(self) -> int:
        """The number of visits so far."""
        ...

    @property
    def relevant(self) -> int:
        """The number of relevant pages so far."""
        ...

    @property
    def waiting(self) -> int:
        """The number of candidates."""
        ...

    def page(self, url: str) -> Page | None:
        """A visited page, or None."""
        ...

    def pages(self) -> Iterator[Page]:
        """All visited pages, in the order of their visits."""
        ...

    def candidate(self, url: str) -> Candidate | None:
        """A candidate, or None if the URL is unknown or was visited."""
        ...

    def candidates(self) -> Iterator[Candidate]:
        """All candidates."""
        ...

    def relevance(self, url: str) -> float:
        """The relevance of a visited page, without the negated parts of the interest; 0 for any other URL."""
        ...

    @property
    def graph(self) -> Graph:
        """All links so far; only for strategies with `needs_graph = True`."""
        ...

    @property
    def search_source(self) -> TextSource | None:
        """Searches and back-links, where the user has given a source for them."""
        ...

    def number(self, url: str) -> int | None:
        """The number of a known URL in the graph; None if it is unknown."""
        ...

    def url(self, number: int) -> str:
        """The URL behind a number."""
        ...

    def links_to(self, url: str) -> int:
        """How many visited pages link to a known URL."""
        ...

    def relevances(self) -> NDArray[np.float64]:
        """By number: the relevance of each visited page, NaN for other URLs."""
        ...

    def chance(self, *key: object) -> float:
        """Uniform in (0, 1), a pure function of the crawl's seed and the key."""
        ...


@dataclass
class Strategy:
    """Base of all strategies: a plain one is `value` alone, a fast one overrides `score`.

    Fields with defaults are parameters. Fields with `init=False` are state: plain values and NumPy arrays, which may
    grow with pages, never with links. A field that starts with an underscore is neither: it is not saved.

    What else a strategy can do is optional: see the protocols in `strategies/_optional.py`.
    """

    shards: ClassVar[bool] = False  # whether it works where each process of a crawl sees a part of the pages
    added_later: ClassVar[tuple[str, ...]] = ()  # fields that checkpoints of earlier versions do not have

    _crawl: Crawl = field(init=False, repr=False, compare=False)

    def start(self, crawl: Crawl) -> None:
        """Bind to a crawl; called again after a resume, so it must not reset anything."""
        self._crawl = crawl

    def learn(self, page: Page) -> Stale:
        """Take in one visit, also a failed one; return the URLs whose score is stale."""
        return ()

    def score(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """Higher is sooner; must not change state."""
        return [self.value(candidate) for candidate in candidates]

    def value(self, candidate: Candidate) -> float:
        """The score of one candidate."""
        raise TypeError(f"{type(self).__name__} must define value() or score()")

    def save(self) -> bytes:
        """The state as bytes, without pickle."""
        return codec.dumps({name: getattr(self, name) for name in self._saved()})

    def load(self, data: bytes) -> None:
        """Take over a state that `save` wrote; the parameters stay as they are."""
        state = codec.loads(data)
        optional = set(self.added_later) - set(state)
        codec.same_tags(type(self).__name__, state, [name for name in self._saved() if name not in optional])
        for each in fields(self):
            if not each.init and each.name in state:
                setattr(self, each.name, state[each.name])

    def _saved(self) -> list[str]:
        """Parameters and state: whoever reads a saved state can see how it came about."""
        return [each.name for each in fields(self) if not each.name.startswith("_")]
