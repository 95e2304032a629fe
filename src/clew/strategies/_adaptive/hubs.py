"""Which pages led to finds: a page that is not relevant itself may still list many that are.

Every page but the first ones was discovered by another. A find pays back along that chain, half as much with each
step; what links to pages that led to much have in common is then looked for in other links.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log1p
from typing import Any, Final

import numpy as np

from clew.strategies._adaptive import hashed_features as hashing
from clew.strategies._adaptive.counts import Counts, Slots, Values, strongest
from clew.strategies._adaptive.memory import roomy

STEPS: Final = 3  # back along the chain
SHARE: Final = 0.5  # of what the step before was paid
HUB_PRIOR_PAGES: Final = 3.0  # pages of average worth that a key nobody has seen is worth
MAX_HUB_VALUE: Final = 2.5
COLUMNS: Final = [
    *(column for name in ("anchor", "pairs", "heading", "path") for column in range(*hashing.WORDS[name].indices(99))),
    *hashing.single("anchor_text", "file", "place_here", "pattern"),
]


@dataclass
class Hubs:
    """What pages led to, counted under the keys of the link by which each was discovered."""

    counts: Counts = field(default_factory=Counts)
    parents: list[int] = field(default_factory=list)  # by page: who discovered it, -1 for nobody
    led: list[float] = field(default_factory=list)  # by page: the finds that it led to, later ones for less
    slots: Slots = field(default_factory=lambda: np.zeros((64, len(COLUMNS)), np.int32))
    total: float = 0.0  # of the logarithms of 1 + led
    pages: float = 0.0  # that were counted

    def add(self, parent: int, slots: Slots, found: float) -> None:
        """A page was visited; `slots` are those of the link to it."""
        place = len(self.parents)
        self.parents.append(parent)
        self.led.append(0.0)
        self.pages += 1
        self.slots = roomy(self.slots, place)
        self.slots[place] = slots[COLUMNS]
        self.counts.add(self.slots[place], 0.0)
        if found:
            self._pay(parent, found)

    def expected_finds(self, slots: Slots) -> Values:
        """How much more than usual pages behind such links led to, within 0 and 2.5."""
        mean = self.total / (self.pages + 1)
        return strongest(self.counts.excess(slots[:, COLUMNS], mean, HUB_PRIOR_PAGES)).clip(0, MAX_HUB_VALUE)

    def _pay(self, place: int, pay: float) -> None:
        for _ in range(STEPS):
            if place < 0:
                return
            more = log1p(self.led[place] + pay) - log1p(self.led[place])
            self.led[place] += pay
            self.total += more
            self.counts.add(self.slots[place], more, 0.0)
            place, pay = self.parents[place], pay * SHARE

    def save(self) -> dict[str, Any]:
        """As plain values and arrays."""
        size = len(self.parents)
        tree = {"parents": self.parents, "led": self.led, "slots": self.slots[:size].copy()}
        return tree | {"total": self.total, "pages": self.pages, "counts": self.counts.save()}

    @classmethod
    def load(cls, saved: dict[str, Any]) -> Hubs:
        """What was saved."""
        counts, slots = Counts.load(saved["counts"]), roomy(saved["slots"], 64)
        tree = list(saved["parents"]), list(saved["led"])
        return cls(counts, *tree, slots, saved["total"], saved.get("pages", float(len(tree[0]))))

    def faded(self, share: float) -> Hubs:
        """What another crawl may believe of it: the counts in part, and none of the pages."""
        self.counts.fade(share)
        return Hubs(self.counts, total=self.total * share, pages=self.pages * share)
