"""The best candidate of all hosts, whether they may be asked now or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from clew.frontier.sorted_entries import Entry


class Leader(NamedTuple):
    """The best candidate of a host; the smallest is the best of all."""

    negative: float  # its score, with the sign changed
    slot: int
    host: int

    @property
    def score(self) -> float:
        """Its score."""
        return -self.negative


@dataclass(slots=True)
class Leaders:
    """A heap with at least one entry for each host that has candidates, an old one perhaps.

    `top` gives the best entry of a host, or None if nobody waits for that host.

    >>> tops = {1: (-0.7, 5), 2: (-0.4, 3)}
    >>> leaders = Leaders(tops.get)
    >>> leaders.add(Leader(-0.9, 4, 1))
    >>> leaders.add(Leader(-0.4, 3, 2))
    >>> leaders.best().score
    0.7
    """

    top: Callable[[int], Entry | None]
    heap: list[Leader] = field(default_factory=list)

    def add(self, leader: Leader) -> None:
        """A host has a new best candidate."""
        heappush(self.heap, leader)

    def renew(self, host: int) -> None:
        """A host may be worth waiting for again."""
        if top := self.top(host):
            self.add(Leader(*top, host))

    def reset(self, hosts: Iterable[int]) -> None:
        """Start again with the best candidates of these hosts."""
        tops = [(self.top(host), host) for host in hosts]
        self.heap = [Leader(*top, host) for top, host in tops if top]
        heapify(self.heap)

    def best(self) -> Leader | None:
        """The best candidate; old entries on the way to it are replaced."""
        renewed: set[int] = set()
        while self.heap:
            leader = self.heap[0]
            top = self.top(leader.host)
            if top == leader[:2]:
                return leader
            heappop(self.heap)
            if leader.host not in renewed:
                renewed.add(leader.host)
                self.renew(leader.host)
        return None
