"""What goes wrong on the web of a simulation: failures, dead hosts, folders that robots.txt forbids, Crawl-delays.

Everything is drawn by the seed and the host, folder or request alone: the same crawl meets the same faults, and two
crawls that ask for the same page find it forbidden or not alike.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

from clew.base.chance import chance
from clew.errors import ConfigError
from clew.parse.url import host as host_of
from clew.types import Fetched

LEAST_CRAWL_DELAY: Final = 2.0  # seconds, of the hosts that ask for one
MOST_CRAWL_DELAY: Final = 20.0


@dataclass(frozen=True, slots=True)
class WebFaults:
    """How much goes wrong; all are shares from 0 to 1. Start pages are spared, and their hosts are there.

    >>> faults = WebFaults(failures=1.0)
    >>> faults.failure("http://example.org/", request=0, timeout=30.0).transient
    True
    """

    failures: float = 0.0  # requests that fail for now: with status 503, or without an answer in time
    dead_hosts: float = 0.0  # hosts that refuse every connection
    forbidden: float = 0.0  # folders that robots.txt forbids
    crawl_delays: float = 0.0  # hosts whose robots.txt asks for a Crawl-delay
    seed: int = 0
    spared: frozenset[str] = frozenset()  # start pages

    @property
    def has_robots(self) -> bool:
        """Whether hosts have a robots.txt, which must be fetched before their first page."""
        return self.forbidden > 0 or self.crawl_delays > 0

    def failure(self, url: str, request: int, timeout: float) -> Fetched | None:
        """The failure of a request, the n-th for this URL; None if it is answered."""
        if url in self.spared:
            return None
        host = host_of(url)
        # The seconds of an answer that never came are those until the crawl gave up.
        if self._is_met(self.dead_hosts, "dead", host) and host not in map(host_of, self.spared):
            return Fetched(url, error="refused", detail="the connection was refused", transient=True)
        if not self._is_met(self.failures, "failure", url, request):
            return None
        if self._is_met(0.5, "kind of failure", url, request):
            return Fetched(url, 503, transient=True)
        return Fetched(url, error="timeout", detail="no complete answer in time", transient=True, seconds=timeout)

    def denial(self, url: str) -> Fetched | None:
        """The answer for a page in a folder that robots.txt forbids, or None."""
        if url in self.spared or not self._is_met(self.forbidden, "forbidden", url.rpartition("/")[0]):
            return None
        return Fetched(url, error="robots", detail=f"robots.txt of {host_of(url)} disallows this URL")

    def crawl_delay(self, host: str) -> float:
        """Seconds between two requests that the robots.txt of a host asks for; 0 if it does not."""
        if not self._is_met(self.crawl_delays, "asks for a delay", host):
            return 0.0
        span = MOST_CRAWL_DELAY - LEAST_CRAWL_DELAY
        return LEAST_CRAWL_DELAY + span * chance(self.seed, "delay", host)

    def _is_met(self, share: float, *key: object) -> bool:
        return share > 0 and chance(self.seed, *key) < share


SHARES: Final = tuple(each.name for each in fields(WebFaults) if each.type == "float")


def checked_share(name: str, value: Any) -> float:
    """A share of faults as it was written; ConfigError says what is wrong with it.

    >>> checked_share("failures", 5)
    Traceback (most recent call last):
    clew.errors.ConfigError: failures must be a share from 0 to 1, not 5
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ConfigError(f"{name} must be a share from 0 to 1, not {value!r}")
    return float(value)
