"""The protocol of a fetcher: it may be HTTP, a snapshot or an archive; the engine does not know which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from clew.types import Fetched, SharedLimit

if TYPE_CHECKING:
    from clew.fetch.politeness import Politeness

NOT_YET: Final = "not yet"
"""The error of an answer to a request that was not made, because the place in `detail` must be left alone for
`retry_after` seconds (0: until another answer comes from there). The URL goes back to the queue."""


Recall = Callable[[str, float | None], Fetched | None]
"""The answer that is known for a URL, unless it is older than so many days; None if there is none."""


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


@runtime_checkable
class SharesLimits(Protocol):
    """A fetcher that asks the hosts of one domain, or of one address, less often than each of them alone."""

    def shared_limits(self, url: str) -> Sequence[SharedLimit]:
        """The limits that the URL's host shares with others, as far as they are known, the narrowest first."""
        ...


@runtime_checkable
class MakesOtherRequests(Protocol):
    """A fetcher that also asks for what is no page: robots.txt, and the scripts and data of rendered pages."""

    keep_answer: Callable[[Fetched], None]
    """Called with every answer to such a request."""


@runtime_checkable
class RecallsAnswers(Protocol):
    """A fetcher that need not ask for a robots.txt which another crawl has read."""

    recall_answer: Recall
    """Called before a robots.txt is asked for."""


@runtime_checkable
class ObeysRobots(Protocol):
    """A fetcher that can say whether robots.txt allows a page for which nobody is asked."""

    async def denial(self, url: str) -> Fetched | None:
        """The answer for a page that may not be visited, as `get` would give it; None if it may."""
        ...
