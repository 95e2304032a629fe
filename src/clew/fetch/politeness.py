"""Politeness: when a host, a domain or an address may be asked again, and when a host is given up."""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from clew.config import Fetch
from clew.fetch._base import NOT_YET
from clew.parse.url import domain
from clew.parse.url import host as host_of
from clew.types import Fetched, HostState, SharedLimit

OVERLOAD_STATUSES: Final = frozenset({429, 502, 503, 504})  # the host as a whole cannot serve us now
HOST_ERRORS: Final = frozenset({"timeout", "dns", "refused", "tls"})
MAX_BACKOFF_SECONDS: Final = 600.0
# A host that asks for a longer rest is given up until it ends; failures that are older than this are forgiven.
MAX_REST_SECONDS: Final = 3600.0
MAX_PLACES: Final = 100_000  # remembered; the one that was idle for longest is forgotten first
LATEST_WEIGHT: Final = 0.3  # of the latest answer in the smoothed response time
BUSY_RETRY_SECONDS: Final = 0.1  # until a busy host is looked at again


@dataclass(slots=True)
class _Place:
    """The state of a host, a domain or an address; only hosts have a Crawl-delay, a response time and failures."""

    limit: int  # requests at the same time
    in_flight: int = 0
    last_contact: float = -math.inf  # the latest request or, of a host, answer
    shared: tuple[str, ...] = ()  # the domain and the addresses of a host
    held_until: float = -math.inf  # by back-off or Retry-After
    crawl_delay: float = 0.0
    response_seconds: float = 0.0  # smoothed
    backoff: float = 0.0
    failures: int = 0  # in a row
    last_failure: str = ""


class RequestSlots(NamedTuple):
    """What a request occupies: its host, and shared places such as "domain example.org" or "address 192.0.2.1"."""

    host: str
    shared: tuple[str, ...] = ()


class Wait(NamedTuple):
    """A place to leave alone for some seconds; 0 means until the next answer from there."""

    place: str
    seconds: float


def not_yet(url: str, wait: Wait) -> Fetched:
    """The answer to a request that was not made, because a place must be left alone."""
    return Fetched(url, error=NOT_YET, detail=wait.place, retry_after=wait.seconds)


class Politeness:
    """Keeps track of requests and answers without doing any I/O; the clock is passed in.

    A request occupies a slot at its host, its registered domain and its addresses. Each of these places has a limit of
    concurrent requests. A host is left alone for a while after each request and after each answer; a place that hosts
    share has a pause between the beginnings of two requests, so that n at a time means n requests per delay.

    >>> polite = Politeness(Fetch(delay=2), clock=lambda: 100.0)
    >>> polite.note("example.org", Fetched("http://example.org/", 200), crawl_delay=5)
    >>> polite.pause("example.org"), polite.pause("elsewhere.org")
    (5.0, 0.0)
    """

    def __init__(
        self, config: Fetch, clock: Callable[[], float] = time.monotonic, calendar: Callable[[], float] = time.time
    ) -> None:
        self._config = config
        self._clock = clock
        self._calendar = calendar
        self.keep: Callable[[HostState], None] = lambda host_state: None  # saves at once what must outlive this run
        self.quiet = -math.inf  # no request to anyone before this time
        self._first_backoff = max(1.0, 4 * config.delay)
        self._places: dict[str, _Place] = {}
        self._news: list[str] = []

    def set_delay(self, seconds: float) -> None:
        """Leave hosts alone for this long from now on, unless they ask for more."""
        self._config = replace(self._config, delay=seconds)
        self._first_backoff = max(1.0, 4 * seconds)

    def remember(self, earlier: Iterable[HostState], keep: Callable[[HostState], None]) -> None:
        """Continue after an earlier run, and save host states with `keep` from now on."""
        self.keep = keep
        now = self._clock()
        today = self._calendar()
        # A killed run may have asked any host a moment ago, including hosts without a saved state.
        self.quiet = now + self._config.delay
        for host in earlier:
            place = self._touch(host.host)
            place.last_contact = now
            place.crawl_delay = host.wish
            place.response_seconds = host.usual
            if host.until > today - MAX_REST_SECONDS:
                # The monotonic clock of the earlier run means nothing here, so rests are saved in calendar time.
                place.held_until = now + host.until - today
                place.backoff = host.backoff
                place.failures = host.failures
                place.last_failure = host.trouble

    def slots_for(self, url: str, addresses: Iterable[str] = ()) -> RequestSlots:
        """The slots that a request for this canonical URL occupies."""
        name = host_of(url)
        shared = self._domain(url)
        if self._config.per_address:
            shared += tuple(f"address {address}" for address in addresses)
        if shared:
            self._touch(name).shared = shared
        return RequestSlots(name, shared)

    def shared_limits(self, url: str) -> tuple[SharedLimit, ...]:
        """The limits of the places that a URL's host shares: of its domain, and of the addresses it had last."""
        place = self._places.get(host_of(url))
        shared = (place.shared if place else ()) or self._domain(url)
        return tuple(SharedLimit(key, self._limit(key), self._gap(key)) for key in shared)

    def wait(self, slots: RequestSlots) -> Wait | None:
        """The place to wait for before this request; None if the request may go out now."""
        now = self._clock()
        longest: Wait | None = None
        for key in (*slots.shared, slots.host):
            place = self._places.get(key)
            if place is None:
                continue
            seconds_left = self._ready_at(key, place) - now
            if place.in_flight >= place.limit:
                return Wait(key, max(seconds_left, BUSY_RETRY_SECONDS) if key == slots.host else 0.0)
            if seconds_left > (longest.seconds if longest else 0.0):
                longest = Wait(key, seconds_left)
        return longest

    def begin(self, slots: RequestSlots) -> None:
        """A request goes out."""
        for key in (slots.host, *slots.shared):
            place = self._touch(key)
            place.in_flight += 1
            place.last_contact = self._clock()

    def end(self, slots: RequestSlots) -> None:
        """The request is over, with or without an answer."""
        for key in (slots.host, *slots.shared):
            self._touch(key).in_flight -= 1
        self._touch(slots.host).last_contact = self._clock()

    def set_crawl_delay(self, host: str, crawl_delay: float) -> None:
        """Note the Crawl-delay of a host's robots.txt."""
        if not crawl_delay and host not in self._places:
            return
        place = self._touch(host)
        if place.crawl_delay != crawl_delay:
            place.crawl_delay = crawl_delay
            self._save(host, place)

    def note(self, host: str, answer: Fetched, crawl_delay: float = 0.0) -> None:
        """Take in the answer, or the failure, that has just come from a host."""
        place = self._touch(host)
        now = self._clock()
        already_given_up = self.given_up(host)
        before = (place.backoff, place.failures, place.crawl_delay)
        place.last_contact = now
        place.crawl_delay = crawl_delay or place.crawl_delay
        if answer.status in OVERLOAD_STATUSES or answer.error in HOST_ERRORS:
            place.failures += 1
            place.last_failure = answer.error or f"HTTP {answer.status}"
            place.backoff = min(max(self._first_backoff, 2 * place.backoff), MAX_BACKOFF_SECONDS)
        else:
            place.failures = 0
            # Trust comes back step by step: one good answer does not show that the host has recovered.
            place.backoff = place.backoff / 2 if place.backoff > self._first_backoff else 0.0
        if answer.status:
            weight = LATEST_WEIGHT if place.response_seconds else 1.0
            place.response_seconds += (answer.seconds - place.response_seconds) * weight
        rest = place.backoff * _jitter(host, place.failures) if place.backoff else 0.0
        place.held_until = max(place.held_until, now + max(rest, answer.retry_after))
        if answer.retry_after or (place.backoff, place.failures, place.crawl_delay) != before:
            self._save(host, place)
        reason = self.given_up(host)
        if reason and not already_given_up:
            self._news.append(f"given up: {reason}")

    def news(self) -> tuple[str, ...]:
        """Messages for the user since the last call: the hosts that were given up."""
        news = tuple(self._news)
        self._news = []
        return news

    def pause(self, host: str) -> float:
        """Seconds until the host may be asked again; 0 for a host that was given up, which nobody waits for."""
        place = self._places.get(host)
        if place is None or self.given_up(host):
            return 0.0
        return max(0.0, self._ready_at(host, place) - self._clock())

    def given_up(self, host: str) -> str:
        """Why the host is not asked any more, or "": too many failures in a row, or too long a rest."""
        place = self._places.get(host)
        if place is None:
            return ""
        if 0 < self._config.host_failures <= place.failures:
            return f"{host} failed {place.failures} times in a row, most recently with {place.last_failure}"
        if place.held_until - self._clock() > MAX_REST_SECONDS:
            return f"{host} asks for a rest of more than {MAX_REST_SECONDS / 60:.0f} minutes"
        return ""

    def _ready_at(self, key: str, place: _Place) -> float:
        delay = self._config.delay
        if _is_shared(key):
            return place.last_contact + self._gap(key)
        # A user who sets no delay, on a test server for instance, does not want an adaptive one either.
        adaptive = self._config.delay_factor * place.response_seconds if delay else 0.0
        rest = max(delay, min(max(place.crawl_delay, adaptive), self._config.max_delay))
        return max(place.last_contact + rest, place.held_until)

    def _save(self, host: str, place: _Place) -> None:
        until = self._calendar() + max(0.0, place.held_until - self._clock())
        self.keep(
            HostState(
                host,
                until,
                wish=place.crawl_delay,
                backoff=place.backoff,
                failures=place.failures,
                trouble=place.last_failure,
                usual=place.response_seconds,
            )
        )

    def _touch(self, key: str) -> _Place:
        """Return the place and make it the last to be forgotten."""
        place = self._places.pop(key, None) or _Place(self._limit(key))
        self._places[key] = place
        if len(self._places) > MAX_PLACES:
            self._forget_oldest()
        return place

    def _forget_oldest(self) -> None:
        # A place in use must stay: its request will end, and must then find its own count.
        oldest = next(key for key, place in self._places.items() if not place.in_flight)
        del self._places[oldest]

    def _domain(self, url: str) -> tuple[str, ...]:
        return (f"domain {domain(url)}",) if self._config.per_domain else ()

    def _gap(self, key: str) -> float:
        """Seconds between two requests to a place that hosts share."""
        # A place that allows n requests at a time may be asked n times as often as a single host.
        if key.startswith("domain "):
            return self._config.delay / self._config.per_domain
        # An address belongs to no shard: each leaves it alone for so long that all together ask as often as one would.
        return self._config.delay * self._config.shards / self._config.per_address

    def _limit(self, key: str) -> int:
        if not _is_shared(key):
            return self._config.per_host
        if key.startswith("domain "):
            return self._config.per_domain
        return max(1, self._config.per_address // self._config.shards)


def _is_shared(key: str) -> bool:
    """Whether this is a domain or an address: host names hold no space."""
    return " " in key


def _jitter(host: str, failures: int) -> float:
    """A factor between 1 and 1.25, so that hosts that failed together do not come back together."""
    return 1 + zlib.crc32(f"{host} {failures}".encode()) / 2**34
