"""Patience of a shard: pages of other shards count among those that are better."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from clew.cluster.report import Elsewhere
from clew.core.patience import Patience, Wait, lack_by_score
from clew.frontier.leaders import Leader


@dataclass
class SharedPatience(Patience):
    """A page that is none of the best of all shards waits as it would wait in one process.

    What is among the best, by the latest portion of the lead, waits for pages of its own shard only: else one shard
    after the other would work instead of all at once.
    """

    elsewhere: Elsewhere = field(default_factory=Elsewhere, init=False)
    _heard_at: float = field(default=0.0, init=False)

    def take_over(self, elsewhere: Elsewhere, now: float) -> None:
        """How the other shards stand."""
        self.elsewhere = elsewhere
        self._heard_at = now

    @property
    def last_request(self) -> float:
        """When the last request of any shard went out."""
        return max(self._last_request, self._heard_at - self.elsewhere.quiet)

    def left(self, in_flight: Collection[int]) -> float:
        """A fair part of the visits that are left to all shards."""
        return self.elsewhere.left

    def wait_for(self, candidate: Leader, in_flight: Collection[int], left: float) -> Wait | None:
        """For a better page here, or anywhere if the candidate is none of the best."""
        here = super().wait_for(candidate, in_flight, left)
        _, best, awaited, turn, _ = self.elsewhere
        if self.waits != "by score" or candidate.score >= min(best, awaited):
            return here
        until = self.last_request + self.turns * turn * lack_by_score(candidate.score, awaited)
        return here if here and here.until >= until else Wait(-1, awaited, until)
