"""Hosts that share a limit, such as those of one domain."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Group:
    """A shared limit, and the hosts for which it has no room now, the best first."""

    place: str
    limit: int = 1  # fetches at the same time
    gap: float = 0.0  # seconds from one fetch to the next
    busy: int = 0  # fetches of its hosts that are under way
    until: float = -math.inf  # it rests
    latest: int = -1  # the host for which it rests
    hosts: list[tuple[float, int, int]] = field(default_factory=list)  # (-score, slot, host)
    alarm: float = math.inf  # when it is looked at again

    def has_room(self, now: float) -> bool:
        """Whether one of its hosts may be asked now."""
        return self.busy < self.limit and self.until <= now
