"""The way of a crawl's focus: the user's interest, and more general ones as far as the crawl has widened it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Step = tuple[str, dict[str, float]]
"""Whether the focus was widened or narrowed, and the frequencies of the topics at that time."""

WIDEN = "widen"
NARROW = "narrow"


@dataclass
class FocusPath:
    """The foci from the user's interest to the one that the crawl follows; each is one step from the next.

    They are kept, not rebuilt for each question, because an interest caches its ratings of texts.
    """

    method: str  # of widening
    foci: list[Any] = field(default_factory=list)

    def follow(self, interest: Any, steps: list[Step]) -> list[Any]:
        """The foci after these steps from an interest."""
        self.foci = [interest]
        for way, counts in steps:
            self.move(way, counts)
        return self.foci

    def move(self, way: str, counts: dict[str, float]) -> None:
        """One more step."""
        if way == WIDEN:
            wider = self.foci[-1].wider(self.method, counts)
            # Another interest may reach its most general form earlier.
            self.foci.append(self.foci[-1] if wider is None else wider)
        elif len(self.foci) > 1:
            narrower = self._narrower(counts)
            # A focus that is one step narrower is one step nearer to the user's interest: it takes the place of two.
            self.foci[-2:] = self.foci[-2:-1] if narrower is None or len(self.foci) == 2 else [narrower]

    def _narrower(self, counts: dict[str, float]) -> Any:
        """The focus with its most frequent topic one step nearer to the user's; None if it has no such form."""
        narrow = getattr(self.foci[-1], "narrower", None)
        # A judge that learns has its formula inside.
        goal = getattr(self.foci[0], "formula", self.foci[0])
        return narrow(goal, counts) if narrow else None
