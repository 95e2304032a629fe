"""Patience: a page that is not worth much waits while a better one is out of reach.

The hosts with the best pages are those that are asked most, so most of the time they rest. A crawl that never waits
spends its budget of pages on what happens to be ready. One that always waits for the best page takes very long. The
falling bar is between: after each request a worthless page must wait for `patience` turns of the host that has the
best page, a page that is half as good for half of that time, and so on.

Waiting pays only if every visit counts, so there is none without a limit of pages or visits. A limit of time is
shared out among the visits that are left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Self

from clew.config import Config, Until
from clew.core.stats import Tally
from clew.core.stop import budget_left
from clew.frontier import Frontier
from clew.frontier.leaders import Leader
from clew.parse import host
from clew.strategies import Strategy, _optional

MAX_TURN_SECONDS: Final = 15.0


class Wait(NamedTuple):
    """What is being waited for."""

    slot: int  # the better page; -1 for one of another shard
    score: float
    until: float  # on the clock, unless a better page can be had before


@dataclass
class Patience:
    """Says whether the best page that can be had now should wait for a better one."""

    frontier: Frontier
    waits: _optional.Waits
    tally: Tally
    until: Until
    turns: float
    seconds: Callable[[], float]  # how long the crawl has run
    wait: Wait | None = field(default=None, init=False)  # as of the last choice
    waited: float = field(default=0.0, init=False)  # seconds, in all
    _last_request: float = field(default=-math.inf, init=False)
    _since: float = field(default=math.inf, init=False)  # it has been waiting

    @classmethod
    def for_crawl(
        cls, config: Config, strategy: Strategy, frontier: Frontier, tally: Tally, seconds: Callable[[], float]
    ) -> Self:
        """The patience that the settings and the strategy of a crawl ask for."""
        return cls(frontier, _optional.waits(strategy), tally, config.until, config.fetch.patience, seconds)

    @property
    def ends_at(self) -> float:
        """When the wait is over at the latest; never if there is none."""
        return self.wait.until if self.wait else math.inf

    def as_stats(self, now: float) -> dict[str, Any]:
        """What `Stats` says about it."""
        if self.wait is None:
            return {"waited": self.waited}
        return {
            "waited": self.waited + max(0.0, now - self._since),
            "waits_for": host(self.frontier.url(self.wait.slot)) if self.wait.slot >= 0 else "another shard",
            "waits_score": self.wait.score,
            "waits_seconds": max(0.0, self.wait.until - now),
        }

    def sent(self, now: float) -> None:
        """A request goes out: the bar is up again."""
        self.waited += max(0.0, now - self._since)
        self._since = math.inf
        self._last_request = now

    def holds(self, now: float, in_flight: Collection[int]) -> bool:
        """Whether to wait before the next request, given the slots in flight; `wait` says for what, and until when."""
        self.wait = None
        if self.waits == "never" or not self.turns or now - self.last_request >= self.turns * MAX_TURN_SECONDS:
            return False
        left = self.left(in_flight)
        candidate = self.frontier.next_one()
        if candidate is None or not 0 < left < math.inf:
            return False
        wait = self.wait_for(candidate, in_flight, left)
        if wait is None or now >= wait.until:
            return False
        self.wait = wait
        self._since = min(self._since, now)
        return True

    @property
    def last_request(self) -> float:
        """When the last one went out."""
        return self._last_request

    def left(self, in_flight: Collection[int]) -> float:
        """The visits that are left to make."""
        return budget_left(self.until, self.tally) - len(in_flight)

    def wait_for(self, candidate: Leader, in_flight: Collection[int], left: float) -> Wait | None:
        """For what, and until when, a candidate is put off; None if it is the best there is."""
        better = self._better(candidate, in_flight)
        if better is None:
            return None
        until = self.last_request + self._longest(better, left) * self._lack(candidate, better, left)
        return Wait(better.slot, better.score, until)

    def _better(self, candidate: Leader, in_flight: Collection[int]) -> Leader | None:
        """The best page on other hosts that is out of reach: its host must wait, or it is in flight."""
        leaders = [self.frontier.as_leader(slot) for slot in in_flight]
        if leader := self.frontier.leader():
            leaders.append(leader)
        best = min((each for each in leaders if each.host != candidate.host), default=candidate)
        return best if best < candidate else None

    def _longest(self, better: Leader, left: float) -> float:
        """How long a worthless page would wait."""
        # Without a delay, a turn is as long as an answer takes: waiting costs less then, and brings as much.
        longest = self.turns * min(self.frontier.turn_seconds(better.host), MAX_TURN_SECONDS)
        if self.until.minutes is None:
            return longest
        seconds_left = 60 * self.until.minutes - self.seconds()
        return min(longest, max(0.0, seconds_left) / left)

    def _lack(self, candidate: Leader, better: Leader, left: float) -> float:
        """How much worse the candidate is than the best page, from 0 to 1."""
        if self.waits == "by score":
            return lack_by_score(candidate.score, better.score)
        visited = self.tally.visited
        span = rank_span(visited, left)
        return min(1.0, self.frontier.before(candidate.slot, math.ceil(span), visited) / span)


def lack_by_score(score: float, best: float) -> float:
    """How much a page lacks by its chance: half of it if the best page has twice the chance.

    >>> lack_by_score(0.2, 0.8)
    0.75

    Scores above 1 are no chances but say "before all others": for start pages, sitemaps and labelled pages.
    """
    best = min(best, 1.0)
    return 1.0 - min(max(score, 0.0) / best, 1.0) if best > 0 else 0.0


def rank_span(visited: int, left: float) -> float:
    """The number of better candidates that makes a page worthless, if only the order of candidates is known.

    With few visits left, only these many more pages can be fetched; after few visits, little is known.

    >>> rank_span(100, 300)
    75.0
    """
    return max(1.0, visited * left / (visited + left))
