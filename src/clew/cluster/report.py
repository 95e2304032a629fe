"""What a shard and the lead tell each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from clew.core.start import Beginning
from clew.store.shard_orders import Handed
from clew.types import Stats


class Ceiling(NamedTuple):
    """How many pages and visits a shard may have made in all; it never goes beyond.

    >>> Ceiling(5, 9).at_least(Ceiling(6, 7))
    Ceiling(pages=6, visits=9)
    """

    pages: float = 0
    visits: float = 0

    def at_least(self, other: Ceiling) -> Ceiling:
        """The higher of the two, each number by itself."""
        return Ceiling(max(self.pages, other.pages), max(self.visits, other.visits))


class Elsewhere(NamedTuple):
    """How the other shards stand: what a shard must know to be patient."""

    left: float = 0.0  # a fair part of the visits that are left
    best: float = 0.0  # the lowest score of the candidates for which the latest portion was given out
    awaited: float = 0.0  # the best score that waits anywhere else
    turn: float = 0.0  # seconds between two requests to its host
    quiet: float = math.inf  # seconds since a request of any shard was heard of


class Word(NamedTuple):
    """What the lead tells a shard with each call; a shard that has died hears all of it again."""

    ceiling: Ceiling
    is_paused: bool = False
    orders: Sequence[Handed] = ()  # those that it has not heard
    elsewhere: Elsewhere = Elsewhere()


class Found(NamedTuple):
    """A relevant page, for the live view."""

    url: str
    title: str
    relevance: float


@dataclass(frozen=True)
class Report:
    """Where a shard stands, and the ceiling that it keeps to."""

    shard: int
    stats: Stats = field(default_factory=Stats)
    ceiling: Ceiling = field(default_factory=Ceiling)
    in_flight: int = 0
    best: Sequence[float] = ()  # scores of the best candidates that wait, best first
    awaited: float = 0.0  # the best score among hosts that are worth waiting for
    turn: float = 0.0  # seconds between two requests to that host
    still: str = ""  # why nothing can be fetched here, now or later, as long as no letter comes
    beginning: Beginning | None = None  # what its start pages say, while it waits for the agreement of all
    life: str = ""  # another one after each restart
    is_running: bool = False  # the start pages were agreed on
    last_order: int = 0  # the number of the latest order that is in its folder
    sent: Sequence[int] = ()  # pieces of mail to each shard
    got: Sequence[int] = ()  # durable pieces of mail from each shard
    outbox: int = 0  # pieces of mail that are not known to be safe
    mail_bytes: int = 0  # sent, in this run
    threshold: float = math.nan
    news: Sequence[str] = ()  # what the user should know, since the last report
    found: Sequence[Found] = ()  # relevant pages since the last report, the latest few
    finished: str = ""  # why the run of this shard is over
    error: str = ""  # what ended it
    is_bug: bool = False  # the error is no message to the user but a bug

    @property
    def used(self) -> Ceiling:
        """What was made of the ceiling, or may be made by what is under way."""
        return Ceiling(self.stats.pages + self.in_flight, self.stats.visited + self.in_flight)
