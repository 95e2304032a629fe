"""How a simulation behaves towards the web: one page at a time without waiting, or as a live crawl does.

The manners "still" are the ideal order of visits: whatever is best is fetched at once. With "live" manners, the
ordinary politeness holds hosts back, answers take their time and many of them are under way at once, all on a virtual
clock. In parentheses, settings of the crawl can follow: "live(delay=2, patience=0)"; and what goes wrong on the web,
as shares: "live(failures=0.05, dead_hosts=0.02, forbidden=0.1, crawl_delays=0.1)" (see `core.web_faults`).
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Any, Final, NamedTuple

from clew.base.chance import chance
from clew.config import Fetch, unknown
from clew.config.parts import parse_spec
from clew.config.settings import SETTINGS
from clew.core.virtual_time import VirtualClock
from clew.core.web_faults import SHARES, WebFaults, checked_share
from clew.errors import ConfigError
from clew.fetch import Fetcher
from clew.fetch.politeness import Politeness, RequestSlots, Wait, not_yet
from clew.parse.url import host as host_of
from clew.types import Fetched, SharedLimit

STILL: Final = "still"
LIVE: Final = "live"
MEDIAN_SECONDS: Final = 0.3  # of the time that an answer takes
HOST_SPREAD: Final = 0.6  # standard deviations of its logarithm: between hosts, and between the pages of one
PAGE_SPREAD: Final = 0.3
PAGE_COST_SECONDS: Final = 0.005  # of computing, for each answer

_SETTINGS: Final[dict[str, dict[str, Any]]] = {
    # A world that stands still needs no politeness, and without a clock there is nothing to wait for.
    STILL: {"parallel": 1, "delay": 0, "patience": 0},
    # Nobody resumes a simulation, and on a clock that jumps a checkpoint would soon be due again.
    LIVE: {"commit_seconds": 1e9, "checkpoint_seconds": 1e9},
}

# What fails for now is tried again, as in any crawl; without failures nothing is.
RETRIES: Final[dict[str, Any]] = {"retries": Fetch().retries}


class Behaviour(NamedTuple):
    """The kind of manners, the settings that belong to them, and the shares of what goes wrong."""

    kind: str
    settings: dict[str, Any]
    shares: dict[str, float]

    @property
    def is_live(self) -> bool:
        """Whether time passes."""
        return self.kind == LIVE


def manners_of(text: str) -> Behaviour:
    """The manners that a text names, with the settings that it adds.

    >>> manners_of("still").settings
    {'parallel': 1, 'delay': 0, 'patience': 0}
    >>> manners_of("lively")
    Traceback (most recent call last):
    clew.errors.ConfigError: there are no manners 'lively'; did you mean 'live'?
    """
    kind, settings = parse_spec(text)
    if kind not in _SETTINGS:
        raise ConfigError(unknown("manners", kind, list(_SETTINGS)).replace("there is no", "there are no"))
    shares = {name: checked_share(name, value) for name, value in (settings or {}).items() if name in SHARES}
    chosen = {name: value for name, value in (settings or {}).items() if name not in SHARES}
    for name in chosen:
        if name not in SETTINGS:
            raise ConfigError(f"manners {text!r}: " + unknown("setting", name, [*SETTINGS, *SHARES]))
    if shares and kind != LIVE:
        raise ConfigError(f"manners {text!r}: {', '.join(shares)} need live manners; write 'live(…)'")
    return Behaviour(kind, _SETTINGS[kind] | (RETRIES if shares else {}) | chosen, shares)


@dataclass
class LiveFetcher:
    """Makes a world answer like the web: after a while, and only as often as politeness allows.

    Each host has an address of its own. How long an answer takes depends on its host, its URL and the seed alone.
    """

    world: Fetcher
    config: Fetch
    clock: VirtualClock
    seed: int = 0
    faults: WebFaults = field(default_factory=WebFaults)
    requests: list[tuple[float, str]] = field(default_factory=list, repr=False)  # when each went out, and its URL

    def __post_init__(self) -> None:
        self.politeness = Politeness(self.config, self.clock)
        self._obeys_robots = self.config.robots and self.faults.has_robots
        self._robots_read: set[str] = set()  # hosts
        self._asked: Counter[str] = Counter()  # how often each URL was asked for

    async def get(self, url: str) -> Fetched:
        """The answer of the world when its time has come, or the place that must be left alone for now."""
        host = host_of(url)
        if reason := self.politeness.given_up(host):
            return Fetched(url, error="host given up", detail=reason)
        if host in self._robots_read and (denial := self.faults.denial(url)):
            return denial
        slots = self.politeness.slots_for(url, (host,))
        if wait := self.politeness.wait(slots):
            return not_yet(url, wait)
        if self._obeys_robots and host not in self._robots_read:
            await self._read_robots(host, slots)
            # That was a request to the host, too.
            return self.faults.denial(url) or not_yet(url, self.politeness.wait(slots) or Wait(host, 0.0))
        answer = await self._ask(url, slots)
        self.politeness.note(host, answer)
        self.clock.spend(PAGE_COST_SECONDS)
        return answer

    async def _read_robots(self, host: str, slots: RequestSlots) -> None:
        """Take the time of a robots.txt, and note the Crawl-delay that it asks for."""
        self._robots_read.add(host)
        await self._take(f"http://{host}/robots.txt", slots)
        self.politeness.set_crawl_delay(host, self.faults.crawl_delay(host))

    async def _ask(self, url: str, slots: RequestSlots) -> Fetched:
        """The answer of the world, or a failure, after its time."""
        self._asked[url] += 1
        failure = self.faults.failure(url, self._asked[url], self.config.timeout)
        seconds = await self._take(url, slots, failure.seconds if failure else 0.0)
        return replace(failure or await self.world.get(url), seconds=seconds)

    async def _take(self, url: str, slots: RequestSlots, seconds: float = 0.0) -> float:
        """Occupy the slots for the time of an answer, or for so many seconds; how many they were."""
        seconds = seconds or self.latency(url)
        self.requests.append((self.clock(), url))
        self.politeness.begin(slots)
        try:
            await asyncio.sleep(seconds)
        finally:
            self.politeness.end(slots)
        return seconds

    def latency(self, url: str) -> float:
        """Seconds until the answer to a request, log-normal over hosts and over the pages of a host."""
        of_host = HOST_SPREAD * self._normal("host", host_of(url))
        of_page = PAGE_SPREAD * self._normal("page", url)
        return MEDIAN_SECONDS * math.exp(of_host + of_page)

    def pause(self, url: str) -> float:
        """Seconds until the host of this URL may be asked again."""
        return self.politeness.pause(host_of(url))

    def shared_limits(self, url: str) -> Sequence[SharedLimit]:
        """The limits that the URL's host shares with others."""
        return self.politeness.shared_limits(url)

    async def close(self) -> None:
        """Close the world."""
        await self.world.close()

    def _normal(self, *key: str) -> float:
        return NormalDist().inv_cdf(chance(self.seed, "latency", *key))
