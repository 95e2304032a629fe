"""Hubs: pages that need not be relevant themselves but lead to pages that are.

Every page except the start pages was discovered on another one. A find gives credit back along that chain, half as much
with each step. The credit is counted under the features of the link that led to each page, so that links with
the same features can be recognised as links to hubs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log1p
from typing import Any, Final

import numpy as np

from clew.strategies._adaptive import hashed_features as hashing
from clew.strategies._adaptive.counts import Counts, Slots, Values, strongest
from clew.strategies._adaptive.memory import with_room

STEPS: Final = 3  # that credit goes back along the chain
SHARE: Final = 0.5  # of the credit that is passed on with each step
GUEST: Final = -2  # in place of the page on which a page of another shard was discovered
HUB_PRIOR_PAGES: Final = 3.0  # average pages that every key starts with
MAX_HUB_VALUE: Final = 2.5
COLUMNS: Final = [
    *hashing.columns("anchor", "pairs", "heading", "path"),
    *hashing.single("anchor_text", "file", "place_here", "pattern"),
]  # features that can tell a link to a hub


@dataclass
class Hubs:
    """The credit of visited pages, counted under the features of the link on which each was discovered."""

    counts: Counts = field(default_factory=Counts)
    parents: list[int] = field(default_factory=list)  # by page: the page it was discovered on, -1 for none
    led: list[float] = field(default_factory=list)  # by page: its credit for finds, less for those farther away
    slots: Slots = field(default_factory=lambda: np.zeros((64, len(COLUMNS)), np.int32))
    total: float = 0.0  # sum of log(1 + led) over all pages
    pages: float = 0.0  # how many were counted

    def add(self, parent: int, slots: Slots, found: float) -> None:
        """Add a visited page; `slots` are those of the first link to it."""
        place = len(self.parents)
        self.parents.append(parent)
        self.led.append(0.0)
        self.pages += 1
        self.slots = with_room(self.slots, place)
        self.slots[place] = slots[COLUMNS]
        self.counts.add(self.slots[place], 0.0)
        if found:
            self._give_credit(parent, found)

    def add_guest(self) -> None:
        """A row for a page of another shard: it is counted there, and credit stops here."""
        self.slots = with_room(self.slots, len(self.parents))
        self.parents.append(GUEST)
        self.led.append(0.0)

    def expected_finds(self, slots: Slots) -> Values:
        """How much more credit than average pages behind such links got, from 0 to `MAX_HUB_VALUE`."""
        mean = self.total / (self.pages + 1)
        excess = self.counts.excess(slots[:, COLUMNS], mean, HUB_PRIOR_PAGES)
        return strongest(excess).clip(0, MAX_HUB_VALUE)

    def _give_credit(self, place: int, credit: float) -> None:
        for _ in range(STEPS):
            if place < 0 or self.parents[place] == GUEST:
                return
            # On a log scale, so that one huge list does not outweigh everything else.
            more = log1p(self.led[place] + credit) - log1p(self.led[place])
            self.led[place] += credit
            self.total += more
            self.counts.add(self.slots[place], more, 0.0)
            place = self.parents[place]
            credit *= SHARE

    def save(self) -> dict[str, Any]:
        """As plain values and arrays."""
        size = len(self.parents)
        tree = {"parents": self.parents, "led": self.led, "slots": self.slots[:size].copy()}
        return tree | {"total": self.total, "pages": self.pages, "counts": self.counts.save()}

    @classmethod
    def load(cls, saved: dict[str, Any]) -> Hubs:
        """Restore what `save` returned; an earlier version did not save the number of pages."""
        parents = list(saved["parents"])
        return cls(
            Counts.load(saved["counts"]),
            parents,
            list(saved["led"]),
            with_room(saved["slots"], 64),
            saved["total"],
            saved.get("pages", float(len(parents))),
        )

    def faded(self, share: float) -> Hubs:
        """For another crawl: the counts at part of their weight, and none of the pages."""
        self.counts.fade(share)
        return Hubs(self.counts, total=self.total * share, pages=self.pages * share)
