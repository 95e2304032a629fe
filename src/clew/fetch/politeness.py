"""How long others are left alone: a host, a registered domain, an address; and when a host is given up."""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from clew.config import Fetch
from clew.parse.url import domain
from clew.types import Fetched, HostState

BUSY: Final = frozenset({429, 502, 503, 504})  # the host as a whole cannot serve us now
DOWN: Final = frozenset({"timeout", "dns", "refused", "tls"})
LONGEST: Final = 600.0  # seconds of back-off at most
MAX_REST_SECONDS: Final = (
    3600.0  # a host that asks for more is given up for as long; failures of longer ago are forgiven
)
PLACES: Final = 100_000  # remembered; the one that was asked longest ago is forgotten first
SMOOTH: Final = 0.3  # weight of the latest answer in the usual response time
BUSY_RETRY_SECONDS: Final = 0.1  # seconds after which to look again at a host that is being asked


@dataclass(slots=True)
class _Place:
    """A host, a domain or an address: what it was asked, and for hosts how it took it."""

    limit: int
    busy: int = 0
    last: float = -math.inf  # when it was asked, or answered
    hold: float = -math.inf  # until when back-off or Retry-After keep us away
    wish: float = 0.0  # its Crawl-delay
    usual: float = 0.0  # seconds that an answer takes
    backoff: float = 0.0
    failures: int = 0
    trouble: str = ""  # the last failure


class RequestSlots(NamedTuple):
    """One request's places: its host, and what it shares with others ("domain example.org", "address 192.0.2.1")."""

    host: str
    shared: tuple[str, ...] = ()


class Wait(NamedTuple):
    """Who must be left alone, and for how many seconds; 0 means until another answer has come from there."""

    place: str
    seconds: float


class Politeness:
    """Pure bookkeeping of what was asked and answered; the clock is given.

    A request takes a turn at its host, its registered domain and its addresses. Each place has a limit of requests at
    the same time, and is left alone for a while after each request and after each answer.

    >>> polite = Politeness(Fetch(delay=2), clock=lambda: 100.0)
    >>> polite.note("example.org", Fetched("http://example.org/", 200), crawl_delay=5)
    >>> polite.pause("example.org"), polite.pause("elsewhere.org")
    (5.0, 0.0)
    """

    def __init__(
        self, config: Fetch, clock: Callable[[], float] = time.monotonic, calendar: Callable[[], float] = time.time
    ) -> None:
        self._config = config
        self._clock, self._calendar = clock, calendar
        self.keep: Callable[[HostState], None] = lambda host_state: None  # is told at once what must outlive this run
        self.quiet = -math.inf  # until when nobody is asked
        self._first = max(1.0, 4 * config.delay)
        self._places: dict[str, _Place] = {}
        self._news: list[str] = []

    def remember(self, earlier: Iterable[HostState], keep: Callable[[HostState], None]) -> None:
        """Go on after a run that was cut off: it may have asked anybody until just now."""
        self.keep = keep
        now, today = self._clock(), self._calendar()
        self.quiet = now + self._config.delay
        for host in earlier:
            place = self._touch(host.host)
            place.last, place.wish, place.usual = now, host.wish, host.usual
            if host.until > today - MAX_REST_SECONDS:
                place.hold = now + host.until - today
                place.backoff, place.failures, place.trouble = host.backoff, host.failures, host.trouble

    def turn(self, url: str, addresses: Iterable[str] = ()) -> RequestSlots:
        """The places that a request to this canonical URL concerns."""
        name = url[url.find("//") + 2 :].partition("/")[0]
        shared = [f"domain {domain(url)}"] if self._config.per_domain else []
        shared += [f"address {address}" for address in addresses if self._config.per_address]
        return RequestSlots(name, tuple(shared))

    def wait(self, turn: RequestSlots) -> Wait | None:
        """Who has to be left alone before this request; None if it may go now."""
        now, longest = self._clock(), None
        for key in (*turn.shared, turn.host):
            place = self._places.get(key)
            if place is None:
                continue
            left = self._ready(key, place) - now
            if place.busy >= place.limit:
                return Wait(key, max(left, BUSY_RETRY_SECONDS) if key == turn.host else 0.0)
            if left > (longest.seconds if longest else 0.0):
                longest = Wait(key, left)
        return longest

    def begin(self, turn: RequestSlots) -> None:
        """A request goes out."""
        for key in (turn.host, *turn.shared):
            place = self._touch(key)
            place.busy += 1
            place.last = self._clock()

    def end(self, turn: RequestSlots) -> None:
        """Its answer has come, or will not come."""
        for key in (turn.host, *turn.shared):
            place = self._touch(key)
            place.busy -= 1
            place.last = self._clock()

    def wish(self, host: str, crawl_delay: float) -> None:
        """What a host's robots.txt wants between two requests."""
        if (crawl_delay or host in self._places) and (place := self._touch(host)).wish != crawl_delay:
            place.wish = crawl_delay
            self._keep(host, place)

    def note(self, host: str, answer: Fetched, crawl_delay: float = 0.0) -> None:
        """Take in an answer, or its failure, that has just come from the host."""
        known, now, lost = self._touch(host), self._clock(), self.given_up(host)
        before = known.backoff, known.failures, known.wish
        known.last, known.wish = now, crawl_delay or known.wish
        if answer.status in BUSY or answer.error in DOWN:
            known.failures += 1
            known.trouble = answer.error or f"HTTP {answer.status}"
            known.backoff = min(max(self._first, 2 * known.backoff), LONGEST)
        else:
            known.failures = 0
            known.backoff = known.backoff / 2 if known.backoff > self._first else 0.0
        if answer.status:
            known.usual += (answer.seconds - known.usual) * (SMOOTH if known.usual else 1.0)
        wait = known.backoff * _jitter(host, known.failures) if known.backoff else 0.0
        known.hold = max(known.hold, now + max(wait, answer.retry_after))
        if answer.retry_after or (known.backoff, known.failures, known.wish) != before:
            self._keep(host, known)
        if (told := self.given_up(host)) and not lost:
            self._news.append(f"given up: {told}")

    def news(self) -> tuple[str, ...]:
        """What the user should know and was not told yet: the hosts that are given up."""
        told, self._news = tuple(self._news), []
        return told

    def pause(self, host: str) -> float:
        """Seconds until the host may be asked again; none where nobody will ask it."""
        known = self._places.get(host)
        if known is None or self.given_up(host):
            return 0.0
        return max(0.0, self._ready(host, known) - self._clock())

    def given_up(self, host: str) -> str:
        """Why nobody asks the host any more, or "": too many failures in a row, or a rest longer than our patience."""
        known = self._places.get(host)
        if known is None:
            return ""
        if 0 < self._config.host_failures <= known.failures:
            return f"{host} failed {known.failures} times in a row, at last with {known.trouble}"
        if known.hold - self._clock() > MAX_REST_SECONDS:
            return f"{host} asks for a rest of more than {MAX_REST_SECONDS / 60:.0f} minutes"
        return ""

    def _ready(self, key: str, place: _Place) -> float:
        delay = self._config.delay
        if " " in key:
            return place.last + delay / place.limit
        slow = self._config.delay_factor * place.usual if delay else 0.0
        return max(place.last + max(delay, min(max(place.wish, slow), self._config.max_delay)), place.hold)

    def _keep(self, host: str, place: _Place) -> None:
        until = self._calendar() + max(0.0, place.hold - self._clock())
        self.keep(HostState(host, until, place.wish, place.backoff, place.failures, place.trouble, place.usual))

    def _touch(self, key: str) -> _Place:
        """The place, now the last to be forgotten."""
        place = self._places.pop(key, None) or _Place(self._limit(key))
        self._places[key] = place
        if len(self._places) > PLACES:
            self._forget()
        return place

    def _forget(self) -> None:
        oldest = next(key for key, place in self._places.items() if not place.busy)
        del self._places[oldest]

    def _limit(self, key: str) -> int:
        config, kind = self._config, key.partition(" ")[0] if " " in key else ""
        return {"domain": config.per_domain, "address": config.per_address}.get(kind, config.per_host)


def _jitter(host: str, failures: int) -> float:
    """Between 1 and 1.25, so that hosts that failed together do not come back together."""
    return 1 + zlib.crc32(f"{host} {failures}".encode()) / 2**34
