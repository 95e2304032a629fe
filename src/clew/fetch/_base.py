"""What a fetcher is: HTTP, a snapshot or an archive; the engine does not know which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from clew.types import Fetched

if TYPE_CHECKING:
    from clew.fetch.politeness import Politeness

NOT_YET: Final = "not yet"
"""The error of an answer that is none: nobody was asked, because the place that `detail` names is to be left alone
for `retry_after` seconds (0: until another answer has come from there). The URL waits, the flight is over."""


class Fetcher(Protocol):
    """HOW bytes arrive. `get` never raises for what the web does: failures are data."""

    async def get(self, url: str) -> Fetched:
        """One request, no redirect followed: a redirect is an answer with a `location`."""
        ...

    def pause(self, url: str) -> float:
        """Seconds to leave this URL's host alone after the last answer (delay, robots, Retry-After)."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


@runtime_checkable
class RemembersHosts(Protocol):
    """A fetcher whose politeness can outlive a run: what hosts have asked for is kept in the crawl folder."""

    @property
    def politeness(self) -> Politeness:
        """What is known of hosts."""
        ...
