"""How long a host is left alone: delay, Crawl-delay, Retry-After, back-off, and when it is given up."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from clew.config import Fetch
from clew.types import Fetched

BUSY: Final = frozenset({429, 502, 503, 504})  # the host as a whole cannot serve us now
DOWN: Final = frozenset({"timeout", "dns", "refused", "tls"})
LONGEST: Final = 600.0  # seconds of back-off at most
PATIENCE: Final = 3600.0  # a host that asks for more than this is given up for as long
HOSTS: Final = 100_000  # hosts remembered; the one that answered longest ago is forgotten first


@dataclass(slots=True)
class _Host:
    ready: float = 0.0
    backoff: float = 0.0
    failures: int = 0


class Politeness:
    """Pure bookkeeping of what hosts have answered; the clock is given.

    >>> polite = Politeness(Fetch(delay=2), clock=lambda: 100.0)
    >>> polite.note("example.org", Fetched("http://example.org/", 200), crawl_delay=5)
    >>> polite.pause("example.org"), polite.pause("elsewhere.org")
    (5.0, 0.0)
    """

    def __init__(self, config: Fetch, clock: Callable[[], float] = time.monotonic) -> None:
        self._config = config
        self._clock = clock
        self._first = max(1.0, 4 * config.delay)
        self._hosts: dict[str, _Host] = {}

    def note(self, host: str, answer: Fetched, crawl_delay: float = 0.0) -> None:
        """Take in an answer, or its failure, that has just come from the host."""
        known = self._hosts.pop(host, None) or _Host()
        if answer.status in BUSY or answer.error in DOWN:
            known.failures += 1
            known.backoff = min(max(self._first, 2 * known.backoff), LONGEST)
        else:
            known.failures = 0
            known.backoff = known.backoff / 2 if known.backoff > self._first else 0.0
        delay = max(self._config.delay, min(crawl_delay, self._config.max_delay))
        wait = known.backoff * _jitter(host, known.failures) if known.backoff else 0.0
        known.ready = max(known.ready, self._clock() + max(delay, wait, answer.retry_after))
        self._hosts[host] = known
        if len(self._hosts) > HOSTS:
            del self._hosts[next(iter(self._hosts))]

    def pause(self, host: str) -> float:
        """Seconds until the host may be asked again; none where nobody will ask it."""
        known = self._hosts.get(host)
        if known is None or self.given_up(host):
            return 0.0
        return max(0.0, known.ready - self._clock())

    def given_up(self, host: str) -> bool:
        """Whether the host has failed too often in a row, or asks for more patience than we have."""
        known = self._hosts.get(host)
        if known is None:
            return False
        tired = 0 < self._config.host_failures <= known.failures
        return tired or known.ready - self._clock() > PATIENCE


def _jitter(host: str, failures: int) -> float:
    """Between 1 and 1.25, so that hosts that failed together do not come back together."""
    return 1 + zlib.crc32(f"{host} {failures}".encode()) / 2**34
