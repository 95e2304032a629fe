"""The best rules of a search so far, one for each set of pages that they cover."""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import nsmallest
from typing import NamedTuple

import numpy as np

from clew.learning.rules import Body, Numbers, Rule, accuracy, bits


class Entry(NamedTuple):
    """A rule; entries are ordered from the best to the worst, and of equally good rules the shortest comes first."""

    loss: float  # the less, the better: quality with the opposite sign
    length: int
    body: Body  # breaks ties, so that the order does not depend on the search
    positives: int
    covered: int
    chosen: tuple[int, ...]


@dataclass
class BestRules:
    """Takes in rules, and keeps the best `most` of those that cover different pages."""

    most: int
    total: int
    base: float  # share of relevant pages
    worst: float = field(default=0.0, init=False)  # quality that a rule must exceed: that of the worst rule kept
    # A search finds thousands of rules: their instances as bytes are the quickest name of a cover.
    _entries: dict[bytes, Entry] = field(default_factory=dict, init=False)

    def add(self, body: Body, instances: Numbers, positives: int, chosen: tuple[int, ...]) -> None:
        """Keep a rule if it is good enough, and no other one that is as short covers the same pages."""
        covered = len(instances)
        quality = accuracy(positives, covered, self.total, self.base)
        if quality < self.worst:
            return
        cover = instances.tobytes()
        known = self._entries.get(cover)
        if known is None and quality == self.worst:
            return
        if known is None or len(body) < known.length:
            self._entries[cover] = Entry(-quality, len(body), body, positives, covered, chosen)
        # Sorting is expensive: there may be twice as many rules before the worst half is thrown away.
        if known is None and len(self._entries) >= 2 * self.most:
            self._entries = dict(self._best())
            self.worst = min(-entry.loss for entry in self._entries.values())

    def rules(self) -> list[Rule]:
        """The best rules, the best first."""
        return [self._rule(cover, entry) for cover, entry in self._best()]

    def _best(self) -> list[tuple[bytes, Entry]]:
        return nsmallest(self.most, self._entries.items(), key=lambda item: item[1])

    def _rule(self, cover: bytes, entry: Entry) -> Rule:
        instances = np.frombuffer(cover, dtype=np.int64)
        negatives = entry.covered - entry.positives
        return Rule(entry.body, entry.positives, negatives, bits(instances, self.total), entry.chosen)
