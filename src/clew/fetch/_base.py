"""The protocol of a fetcher: it may be HTTP, a snapshot or an archive; the engine does not know which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from clew.types import Fetched

if TYPE_CHECKING:
    from clew.fetch.politeness import Politeness

NOT_YET: Final = "not yet"
"""The error of an answer to a request that was not made, because the place in `detail` must be left alone for
`retry_after` seconds (0: until another answer comes from there). The URL goes back to the queue."""


class Fetcher(Protocol):
    """HOW bytes arrive. `get` never raises for what the web does: failures are data."""

    async def get(self, url: str) -> Fetched:
        """Make one request; a redirect is not followed, it is an answer with a `location`."""
        ...

    def pause(self, url: str) -> float:
        """Seconds to leave this URL's host alone after the last answer (delay, robots, Retry-After)."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


@runtime_checkable
class RemembersHosts(Protocol):
    """A fetcher whose politeness can outlive a run: what hosts have asked for is kept in the crawl folder."""

    @property
    def politeness(self) -> Politeness:
        """What is known of hosts."""
        ...
