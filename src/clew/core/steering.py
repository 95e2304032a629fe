"""What the user says of pages that wait: a yes sends the crawl there next, a no drops the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from clew.frontier import Frontier
from clew.types import Candidate, UrlState

LABELLED_SCORE: Final = 2e6  # above sitemaps, and above the scores that strategies give to pages
WANTED: Final = "you asked for it"
DROPPED: Final = "you labelled it as not relevant"


class Wish(NamedTuple):
    """A label of a page that was not visited when it was labelled."""

    label: int  # its id: of two labels of a page, the later one counts
    relevant: bool


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

    def label(self, url: str, wish: Wish) -> bool:
        """Take in a label; whether it changes the way of the crawl."""
        slot = self.frontier.find(url)
        earlier = self.wishes.get(url)
        if slot is None or (earlier and earlier.label >= wish.label):
            return False
        if earlier and not earlier.relevant and self.frontier.state(slot) == UrlState.OUT_OF_SCOPE:
            self.frontier.readmit(slot)
        if not self.frontier.is_queued(slot):
            return False
        self.wishes[url] = wish
        if not wish.relevant:
            self.frontier.exclude(slot, DROPPED)
        return True

    def wish_for(self, url: str) -> str:
        """What the user said of a candidate, in a few words; "" for nothing."""
        return WANTED if self._is_wanted(url) else ""

    def refuse(self, url: str) -> str:
        """Why a URL must not become a candidate again, or ""."""
        wish = self.wishes.get(url)
        return DROPPED if wish and not wish.relevant else ""

    def visited(self, url: str, location: str = "") -> None:
        """A visit fulfils a wish; if it leads elsewhere, the wish holds for the target."""
        wish = self.wishes.pop(url, None)
        if wish and location:
            self.label(location, wish)

    def first(self, candidates: Sequence[Candidate], scores: Sequence[float]) -> Sequence[float]:
        """The scores of candidates, with those that the user wants above all others."""
        if not self.wishes:
            return scores
        pairs = zip(candidates, scores, strict=True)
        return [LABELLED_SCORE if self._is_wanted(candidate.url) else score for candidate, score in pairs]

    def load(self, wishes: Mapping[str, Sequence[Any]]) -> None:
        """Go on with the wishes of a checkpoint."""
        self.wishes = {url: Wish(*wish) for url, wish in wishes.items()}

    def _is_wanted(self, url: str) -> bool:
        wish = self.wishes.get(url)
        return wish is not None and wish.relevant
