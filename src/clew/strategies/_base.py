"""What a strategy is: it learns from pages and gives candidates scores; it never acts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, ClassVar, Final, Protocol

from clew.maths import codec
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


class Crawl(Protocol):
    """What a strategy may look at; read-only."""

    @property
    def interest(self) -> Rating: ...
    @property
    def seeds(self) -> Sequence[str]: ...
    @property
    def reserve(self) -> Sequence[str]: ...
    @property
    def visited(self) -> int: ...
    @property
    def relevant(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    def page(self, url: str) -> Page | None: ...
    def pages(self) -> Iterator[Page]: ...
    def candidate(self, url: str) -> Candidate | None: ...
    def candidates(self) -> Iterator[Candidate]: ...
    def relevance(self, url: str) -> float:
        """Of a visited page under the guiding interest (no negated parts), 0 for any other URL; always at hand."""
        ...

    def chance(self, *key: object) -> float:
        """Uniform in (0, 1), a pure function of the crawl's seed and the key."""
        ...


@dataclass
class Strategy:
    """Base of all strategies: a plain one is `value` alone, a fast one overrides `score`.

    State is the dataclass's fields that do not start with an underscore: plain values and NumPy arrays.
    It may grow with pages, never with links.
    """

    refresh: ClassVar[int] = 0  # how many of the best candidates to re-score before each choice
    sweep: ClassVar[int] = 0  # re-score every candidate each time so many pages have come; 0: never
    settled: ClassVar[bool] = False  # a score changes only with the evidence: other out-links need no second look
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

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The parts of a candidate's score by name, for `clew explain`."""
        return {"score": self.score([candidate])[0]}

    @property
    def focus(self) -> str:
        """The interest followed now, in words; "" when it is the user's own."""
        return ""

    @property
    def at_ceiling(self) -> bool:
        """Whether the strategy would widen its focus and cannot."""
        return False

    def save(self) -> bytes:
        """The state as bytes, without pickle."""
        return codec.dumps({name: getattr(self, name) for name in self._state()})

    def load(self, data: bytes) -> None:
        """Take over a state that `save` wrote."""
        for name, value in codec.loads(data).items():
            if name in self._state():
                setattr(self, name, value)

    def _state(self) -> list[str]:
        return [f.name for f in fields(self) if not f.name.startswith("_")]
