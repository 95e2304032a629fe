"""What the user says of what waits: a yes sends the crawl to a page next, a no drops it; favoured hosts come first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from clew.frontier import Frontier
from clew.parse import host
from clew.types import Candidate, UrlState

LABELLED_SCORE: Final = 2e6  # above sitemaps, and above the scores that strategies give to pages
WANTED: Final = "you asked for it"
DROPPED: Final = "you labelled it as not relevant"
TOLD_TO_DROP: Final = "you told the crawl to drop it"
FAVOURED_BONUS: Final = 5e5  # below sitemaps, and above the scores that strategies give to pages
FAVOURED: Final = "you favour its host"


class Wish(NamedTuple):
    """A label of a page that was not visited when it was labelled, or an order to fetch or drop it."""

    label: int  # its id: of two labels of a page, the later one counts; 0 for an order
    relevant: bool

    @property
    def reason(self) -> str:
        """Why a page that is not wanted is out of scope."""
        return DROPPED if self.label else TOLD_TO_DROP


@dataclass
class Steering:
    """Which of the pages that wait the user wants, and which not.

    >>> frontier = Frontier()
    >>> slot = frontier.slot_for("http://a.example/")
    >>> steering = Steering(frontier)
    >>> steering.label("http://a.example/", Wish(1, False)), frontier.is_queued(slot)
    (True, False)
    >>> steering.refuse("http://a.example/")
    'you labelled it as not relevant'
    >>> steering.label("http://a.example/", Wish(2, True)), frontier.is_queued(slot)
    (True, True)
    >>> steering.first(frontier.candidates([slot]), [0.3])
    [2000000.0]
    """

    frontier: Frontier
    wishes: dict[str, Wish] = field(default_factory=dict)  # by URL
    favoured: set[str] = field(default_factory=set)  # hosts

    def label(self, url: str, wish: Wish) -> bool:
        """Take in a label; whether it changes the way of the crawl."""
        slot = self.frontier.find(url)
        earlier = self.wishes.get(url)
        if slot is None or (earlier and (earlier.label > wish.label or earlier == wish)):
            return False
        if earlier and not earlier.relevant and self.frontier.state(slot) == UrlState.OUT_OF_SCOPE:
            self.frontier.readmit(slot)
        if not self.frontier.is_queued(slot):
            return False
        self.wishes[url] = wish
        if not wish.relevant:
            self.frontier.exclude(slot, wish.reason)
        return True

    def wish_for(self, url: str) -> str:
        """What the user said of a candidate, in a few words; "" for nothing."""
        if self._is_wanted(url):
            return WANTED
        return FAVOURED if self._is_favoured(url) else ""

    def refuse(self, url: str) -> str:
        """Why a URL must not become a candidate again, or ""."""
        wish = self.wishes.get(url)
        return wish.reason if wish and not wish.relevant else ""

    def visited(self, url: str, location: str = "") -> None:
        """A visit fulfils a wish; if it leads elsewhere, the wish holds for the target."""
        wish = self.wishes.pop(url, None)
        if wish and location:
            self.label(location, wish)

    def first(self, candidates: Sequence[Candidate], scores: Sequence[float]) -> Sequence[float]:
        """The scores of candidates, with those that the user wants above all others, then those of favoured hosts."""
        if not self.wishes and not self.favoured:
            return scores
        pairs = zip(candidates, scores, strict=True)
        return [self._score(candidate.url, score) for candidate, score in pairs]

    def load(self, wishes: Mapping[str, Sequence[Any]]) -> None:
        """Go on with the wishes of a checkpoint."""
        self.wishes = {url: Wish(*wish) for url, wish in wishes.items()}

    def _score(self, url: str, score: float) -> float:
        if self._is_wanted(url):
            return LABELLED_SCORE
        # Whatever comes first anyway, as sitemaps do, or is held back, stays so.
        is_plain = -FAVOURED_BONUS < score < FAVOURED_BONUS
        return score + FAVOURED_BONUS if is_plain and self._is_favoured(url) else score

    def _is_favoured(self, url: str) -> bool:
        return bool(self.favoured) and host(url) in self.favoured

    def _is_wanted(self, url: str) -> bool:
        wish = self.wishes.get(url)
        return wish is not None and wish.relevant
